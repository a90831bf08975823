import BitpalCache
import BitpalModel

/// One flight per key: whoever asks for what is already being fetched waits for that, and nobody fetches it twice.
final class FlightBoard: Sendable {
  /// What a flight brings for a key.
  typealias Landing = Result<Fetched, BitpalError>

  /// An answer as fetched.
  struct Fetched: Sendable {
    let entry: CacheEntry
    let warnings: [AnswerWarning]
  }

  private typealias Flight = SharedTask<[CacheKey: Landing]>

  private struct State {
    /// With its number, because one that everybody has left may end after the next has begun.
    var flights: [CacheKey: (number: Int, flight: Flight)] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Brings an answer for every key: `fetch` is asked, once and at once, for those that nobody is fetching yet.
  ///
  /// - Parameter joined: Told the keys for which somebody else's flight is waited for.
  func land(
    _ keys: [CacheKey], joined: ([CacheKey]) -> Void = { _ in },
    fetch: @escaping @Sendable ([CacheKey]) async -> [CacheKey: Landing]
  ) async throws -> [CacheKey: Landing] {
    let (boarded, others) = state.withLock { state -> ([Flight], [CacheKey]) in
      var mine: [CacheKey] = []
      var boarded: [Flight] = []
      var others: [CacheKey] = []
      for key in keys {
        if let flight = state.flights[key]?.flight, boarded.contains(where: { $0 === flight }) || flight.join() {
          if !boarded.contains(where: { $0 === flight }) { boarded.append(flight) }
          others.append(key)
        } else {
          mine.append(key)
        }
      }
      if !mine.isEmpty {
        let own = mine
        state.lastNumber += 1
        let number = state.lastNumber
        let flight = Flight { [weak self] in
          let landings = await fetch(own)
          self?.clear(own, of: number)
          return landings
        }
        for key in own { state.flights[key] = (number, flight) }
        boarded.append(flight)
      }
      return (boarded, others)
    }
    if !others.isEmpty { joined(others) }
    var landings: [CacheKey: Landing] = [:]
    for flight in boarded { landings.merge(try await flight.value()) { $1 } }
    return landings.filter { keys.contains($0.key) }
  }

  private func clear(_ keys: [CacheKey], of number: Int) {
    state.withLock { state in
      for key in keys where state.flights[key]?.number == number { state.flights[key] = nil }
    }
  }
}
