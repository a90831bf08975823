package import BitpalCache
package import BitpalModel
import FoundationEssentials

/// A lock between machines: of several that miss the same answer one fetches it.
///
/// The lock between the processes of this machine comes first, so that one process per machine asks Redis. The locks of
/// a holder that dies expire. When Redis cannot be asked, the lock of this machine alone applies.
package struct FleetFlightLock: FlightLock {
  /// The locks held in Redis, and those of this machine.
  ///
  /// Without ``release()`` those in Redis expire.
  private final class Hold: FlightHold {
    let answers: [AnswerKey: Sourced<Answer>]?
    private let local: (any FlightHold)?
    private let fleet: Fleet
    private let unlock: [String]
    private let isReleased = Locked(false)

    init(
      _ local: (any FlightHold)?, _ fleet: Fleet, unlock: [String], answers: [AnswerKey: Sourced<Answer>]?
    ) {
      self.local = local
      self.fleet = fleet
      self.unlock = unlock
      self.answers = answers
    }

    func release() {
      local?.release()
      let isFirst = isReleased.withLock { isReleased in
        defer { isReleased = true }
        return !isReleased
      }
      if isFirst { fleet.outbox.post(by: fleet) { [unlock] _ in [unlock] } }
    }
  }

  private let local: (any FlightLock)?
  private let fleet: Fleet
  private let time: any TimeSource

  /// Creates locks.
  ///
  /// - Parameter local: The locks between the processes of this machine; nil for none.
  package init(_ fleet: Fleet, local: (any FlightLock)?, time: any TimeSource) {
    self.fleet = fleet
    self.local = local
    self.time = time
  }

  package func lock(_ keys: [AnswerKey], patience: Duration) async throws -> (any FlightHold)? {
    let end = time.monotonic + patience
    let hold = try await local?.lock(keys, patience: patience)
    let names = Set(keys).map(fleet.keys.flight)
    let token = Fleet.token()
    // The locks last as long as a flight whose first half was spent waiting, and one second more.
    let life = max(.seconds(2), min(.seconds(120), patience * 2 + .seconds(1)))
    let lock = ["EVAL", FleetScripts.lock, "\(names.count)"] + names + [token, "\(life.milliseconds)"]
    // The first attempt, which mostly succeeds, reads the answers too: another machine may have stored them by now.
    var commands = [lock, ["MGET"] + keys.map(fleet.keys.answer)]
    let unlock = ["EVAL", FleetScripts.unlock, "\(names.count)"] + names + [token]
    while true {
      let attempt: (isHeld: Bool, answers: [AnswerKey: Sourced<Answer>]?)
      do throws(FleetFault) {
        attempt = try fleet.perform { connection throws(FleetFault) in
          let replies = try connection.ask(commands)
          if case .error(let fault)? = replies.first { throw .refused(fault) }
          let answers = replies.count > 1 ? FleetCacheTier.answers(in: replies[1], for: keys, connection) : nil
          return (isHeld: replies.first?.integer == 1, answers: answers)
        }
      } catch .tooLong {
        // The lock may be held; the script that releases it looks at the token.
        return Hold(hold, fleet, unlock: unlock, answers: nil)
      } catch {
        return hold
      }
      if attempt.isHeld { return Hold(hold, fleet, unlock: unlock, answers: attempt.answers) }
      guard time.monotonic < end else { return hold }
      commands = [lock]
      try await time.sleep(for: .milliseconds(Int64.random(in: 15...40)))
    }
  }
}
