import BitpalModel

/// One flight per key: whoever asks for what is already being fetched waits for that, and nobody fetches it twice.
final class SingleFlight: Sendable {
  /// What a flight brings for a key.
  typealias Outcome = Result<Sourced<AnswerContent>, BitpalError>

  private typealias Flight = SharedTask<[AnswerKey: Outcome]>

  private struct State {
    /// With its number, because one that everybody has left may end after the next has begun.
    var flights: [AnswerKey: (number: Int, flight: Flight)] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Brings an answer for every key: `fetch` is asked, once and at once, for those that nobody is fetching yet.
  ///
  /// - Parameter joined: Told the keys for which somebody else's flight is waited for.
  func run(
    _ keys: [AnswerKey], joined: ([AnswerKey]) -> Void = { _ in },
    fetch: @escaping @Sendable ([AnswerKey]) async -> [AnswerKey: Outcome]
  ) async throws -> [AnswerKey: Outcome] {
    let (joinedFlights, others) = state.withLock { state -> ([Flight], [AnswerKey]) in
      var mine: [AnswerKey] = []
      var joinedFlights: [Flight] = []
      var others: [AnswerKey] = []
      for key in keys {
        if let flight = state.flights[key]?.flight, joinedFlights.contains(where: { $0 === flight }) || flight.join() {
          if !joinedFlights.contains(where: { $0 === flight }) { joinedFlights.append(flight) }
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
          let outcomes = await fetch(own)
          self?.clear(own, of: number)
          return outcomes
        }
        for key in own { state.flights[key] = (number, flight) }
        joinedFlights.append(flight)
      }
      return (joinedFlights, others)
    }
    if !others.isEmpty { joined(others) }
    var outcomes: [AnswerKey: Outcome] = [:]
    for (index, flight) in joinedFlights.enumerated() {
      do {
        outcomes.merge(try await flight.value()) { $1 }
      } catch {
        for other in joinedFlights[(index + 1)...] { other.leave() }
        throw error
      }
    }
    return outcomes.filter { keys.contains($0.key) }
  }

  private func clear(_ keys: [AnswerKey], of number: Int) {
    state.withLock { state in
      for key in keys where state.flights[key]?.number == number { state.flights[key] = nil }
    }
  }
}
