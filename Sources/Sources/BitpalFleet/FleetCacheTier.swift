import BitpalCache
package import BitpalModel

/// A tier that the machines of a fleet share: answers as texts in Redis, which expire when they can no longer be
/// served.
package struct FleetCacheTier: CacheTier {
  package let name = "redis"

  private let fleet: Fleet
  private let lifetime: @Sendable (AnswerKey) -> Duration
  private static let codec = AnswerCodec()

  /// Creates a tier.
  ///
  /// - Parameter lifetime: Returns the time for which an answer can be of use: its time to live, and then as
  ///   stale-if-error.
  package init(_ fleet: Fleet, lifetime: @escaping @Sendable (AnswerKey) -> Duration) {
    self.fleet = fleet
    self.lifetime = lifetime
  }

  package func answer(for key: AnswerKey) -> Sourced<Answer>? { answers(for: [key])[key] }

  package func answers(for keys: [AnswerKey]) -> [AnswerKey: Sourced<Answer>] {
    do throws(FleetFault) {
      return try fleet.perform { connection throws(FleetFault) in
        Self.answers(in: try connection.ask(["MGET"] + keys.map(fleet.keys.answer)), for: keys, connection)
      }
    } catch .tooLong where keys.count > 1 {
      // One value is not an answer, and will be written over; the others are still of use.
      let half = keys.count / 2
      return answers(for: Array(keys[..<half])).merging(answers(for: Array(keys[half...]))) { $1 }
    } catch {
      return [:]
    }
  }

  /// Returns the answers in the server's reply to a request for keys, in the order of the keys.
  static func answers(
    in reply: RESPValue, for keys: [AnswerKey], _ connection: FleetConnection
  ) -> [AnswerKey: Sourced<Answer>] {
    zip(keys, reply.elements ?? []).reduce(into: [:]) { answers, pair in
      answers[pair.0] = pair.1.text.flatMap { codec.answer($0, for: pair.0, offset: connection.offset) }
    }
  }

  package func stamp(of key: AnswerKey) -> Sourced<Void>? { answer(for: key)?.map { _ in () } }

  package func store(_ answers: [Sourced<Answer>]) {
    guard !answers.isEmpty else { return }
    _ = try? fleet.perform { connection throws(FleetFault) in
      for reply in try connection.ask(commands(storing: answers, connection)) {
        if case .error(let fault) = reply { throw .refused(fault) }
      }
    }
  }

  /// Posts answers for sending, ahead of the release of their locks, which is posted later.
  package func storeSoon(_ answers: [Sourced<Answer>]) {
    guard !answers.isEmpty else { return }
    fleet.outbox.post(by: fleet) { self.commands(storing: answers, $0) }
  }

  private func commands(storing answers: [Sourced<Answer>], _ connection: FleetConnection) -> [[String]] {
    let commands = answers.compactMap { answer -> [String]? in
      let life = lifetime(answer.about).milliseconds
      guard life > 0, let text = Self.codec.text(of: answer, offset: connection.offset) else { return nil }
      return ["SET", fleet.keys.answer(answer.about), text, "PX", "\(life)"]
    }
    return [["MULTI"]] + commands + [["EXEC"]]
  }

  package func removeAll() -> Int { (try? fleet.removeAnswers()) ?? 0 }
}
