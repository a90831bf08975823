import BitpalModel

/// One flight per key: whoever asks for what is already being fetched waits for that, and nobody fetches it twice.
final class FlightBoard: Sendable {
  /// What a flight brings for a key.
  typealias Landing = Result<Sourced<AnswerContent>, BitpalError>

  private typealias Flight = SharedTask<[AnswerKey: Landing]>

  private struct State {
    /// With its number, because one that everybody has left may end after the next has begun.
    var flights: [AnswerKey: (number: Int, flight: Flight)] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Brings an answer for every key: `fetch` is asked, once and at once, for those that nobody is fetching yet.
  ///
  /// - Parameter joined: Told the keys for which somebody else's flight is waited for.
  func land(
    _ keys: [AnswerKey], joined: ([AnswerKey]) -> Void = { _ in },
    fetch: @escaping @Sendable ([AnswerKey]) async -> [AnswerKey: Landing]
  ) async throws -> [AnswerKey: Landing] {
    let (boarded, others) = state.withLock { state -> ([Flight], [AnswerKey]) in
      var mine: [AnswerKey] = []
      var boarded: [Flight] = []
      var others: [AnswerKey] = []
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
    var landings: [AnswerKey: Landing] = [:]
    for flight in boarded { landings.merge(try await flight.value()) { $1 } }
    return landings.filter { keys.contains($0.key) }
  }

  private func clear(_ keys: [AnswerKey], of number: Int) {
    state.withLock { state in
      for key in keys where state.flights[key]?.number == number { state.flights[key] = nil }
    }
  }
}
