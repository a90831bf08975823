import BitpalModel

/// A single flight per key: a caller that asks for an answer that is already being fetched waits for that fetch.
final class SingleFlight: Sendable {
  /// The result of a flight for a key.
  typealias Outcome = Asker.Outcome

  private typealias Flight = SharedTask<[AnswerKey: Outcome]>

  private struct State {
    /// The flights, each with its number: an abandoned flight may end after the next one for the same key has begun.
    var flights: [AnswerKey: (number: Int, flight: Flight)] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())

  /// Returns an answer for every key; `fetch` runs once, for all keys that no other flight is fetching.
  ///
  /// - Parameter joined: Receives the keys for which the flight of another caller is awaited.
  /// - Throws: `CancellationError` when the task is cancelled while it waits.
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
