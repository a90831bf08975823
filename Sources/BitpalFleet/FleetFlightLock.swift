package import BitpalCache
package import BitpalModel
import FoundationEssentials

/// Locks between machines: of several that miss the same answer one fetches it.
///
/// The lock between the processes of this machine comes first, so that one of each machine asks Redis. A holder that dies
/// is freed after a while, and whoever cannot ask Redis has the lock of this machine alone.
package struct FleetFlightLock: FlightLock {
  /// Locks held in Redis, and those of this machine.
  private final class Hold: FlightHold {
    private let local: (any FlightHold)?
    private let fleet: Fleet
    private let names: [String]
    private let token: String

    init(_ local: (any FlightHold)?, _ fleet: Fleet, _ names: [String], _ token: String) {
      self.local = local
      self.fleet = fleet
      self.names = names
      self.token = token
    }

    deinit {
      _ = try? fleet.perform { connection throws(FleetFault) in
        _ = try connection.run(FleetScripts.unlock, keys: names, [token])
      }
    }
  }

  private let local: (any FlightLock)?
  private let fleet: Fleet
  private let time: any TimeSource

  /// - Parameter local: The locks between the processes of this machine.
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
    // As long as a flight lasts whose first half was given to waiting, and a little more.
    let life = max(.seconds(2), min(.seconds(120), patience * 2 + .seconds(1)))
    while true {
      let isHeld = try? fleet.perform { connection throws(FleetFault) in
        try connection.run(FleetScripts.lock, keys: names, [token, "\(life.milliseconds)"]).integer == 1
      }
      guard let isHeld else { return hold }
      if isHeld { return Hold(hold, fleet, names, token) }
      guard time.monotonic < end else { return hold }
      try await time.sleep(for: .milliseconds(Int64.random(in: 15...40)))
    }
  }
}
