package import BitpalFleet
package import BitpalModel
package import BitpalRateLimit
import Glibc

/// Fleets on the real server that `make fleet-test` has started; none where there is none.
package enum TestFleet {
  /// The server's address; nil when there is none.
  package static let address = getenv("BITPAL_TEST_REDIS").flatMap { try? FleetAddress(String(cString: $0)) }

  /// Waits until the clock of the real server, which no test can move, is later by a duration.
  package static func pass(_ duration: Duration) async throws { try await Task.sleep(for: duration) }

  /// A machine of a fleet.
  ///
  /// - Parameters:
  ///   - folder: Where the machine keeps what its processes share.
  ///   - name: What tells the fleet from others; nil for one that nobody else has.
  package static func machine(
    in folder: String, members: Int = 2, named name: String? = nil, warn: @escaping @Sendable (String) -> Void
  ) -> (fleet: Fleet, file: BudgetFile)? {
    guard let address else { return nil }
    let file = BudgetFile(path: folder + "/budgets.db", warn: warn)
    let settings = FleetSettings(
      address: address, members: members,
      prefix: "bitpal-test-" + (name ?? String(UInt64.random(in: .min ... .max), radix: 36)))
    return (Fleet(settings: settings, password: nil, memory: file, trace: .silent, warn: warn), file)
  }
}
