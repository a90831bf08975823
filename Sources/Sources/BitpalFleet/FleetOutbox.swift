import BitpalModel
import FoundationEssentials

/// A queue of commands for Redis whose replies no caller waits for: answers to store, and then the locks to release.
///
/// They are sent in the order in which they were posted, all that wait in one exchange. A batch that Redis does not
/// accept is lost for other machines only: a lock expires, and an answer is fetched again.
final class FleetOutbox: Sendable {
  /// The commands to send; they may depend on the server's clock.
  typealias Commands = @Sendable (FleetConnection) -> [[String]]

  private struct State {
    var waiting: [Commands] = []
    var isSending = false
  }

  /// The number of outboxes of this process with something to send.
  private static let unfinished = Locked(0)

  private let state = Locked(State())

  /// Sends commands soon, on a thread that may wait.
  func post(by fleet: Fleet, _ commands: @escaping Commands) {
    let isFirst = state.withLock { state in
      state.waiting.append(commands)
      defer { state.isSending = true }
      return !state.isSending
    }
    guard isFirst else { return }
    Self.unfinished.withLock { $0 += 1 }
    Task(executorPreference: BlockingPool.shared) {
      while self.sendNext(by: fleet) {}
      Self.unfinished.withLock { $0 -= 1 }
    }
  }

  /// Sends the waiting commands in one exchange; returns false when there were none.
  private func sendNext(by fleet: Fleet) -> Bool {
    let batch = state.withLock { state in
      defer { state.waiting = [] }
      if state.waiting.isEmpty { state.isSending = false }
      return state.waiting
    }
    guard !batch.isEmpty else { return false }
    _ = try? fleet.perform { connection throws(FleetFault) in
      for reply in try connection.ask(batch.flatMap { $0(connection) }) {
        if case .error(let fault) = reply { throw .refused(fault) }
      }
    }
    return true
  }

  /// Waits until all outboxes of this process are empty, for at most half a second.
  static func finish(on time: any TimeSource) async {
    let end = time.monotonic + .milliseconds(500)
    while unfinished.withLock({ $0 > 0 }), time.monotonic < end {
      try? await time.sleep(for: .milliseconds(1))
    }
  }
}
