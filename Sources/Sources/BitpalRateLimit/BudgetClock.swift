import BitpalModel
package import FoundationEssentials

/// A clock that all processes of a machine read alike: the time since the machine was started, including sleep.
///
/// It does not depend on the wall clock, so it cannot jump. State that outlasts a restart, after which the clock begins
/// at zero again, is carried over by the wall clock.
package struct BudgetClock: Sendable {
  /// The identifier of the start of the machine from which ``now`` counts; `unknown` where the system gives none.
  package let bootID: String

  private let read: @Sendable () -> Duration
  private let readWall: @Sendable () -> Date

  /// Creates a clock, for tests.
  ///
  /// - Parameters:
  ///   - bootID: The identifier of the start of the machine from which `now` counts.
  ///   - now: Returns the time since then.
  ///   - wall: Returns the time of the wall clock.
  package init(bootID: String, now: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Date) {
    self.bootID = bootID
    read = now
    readWall = wall
  }

  /// The time since the machine was started.
  package var now: Duration { read() }

  /// The time of the wall clock.
  package var wall: Date { readWall() }

  /// The clock of this machine: `CLOCK_BOOTTIME` and `/proc/sys/kernel/random/boot_id`.
  package static let system = BudgetClock(
    bootID: currentBootID(), now: { ContinuousClock().systemEpoch.duration(to: .now) }, wall: { SystemTime().now })

  private static func currentBootID() -> String {
    let bytes = (try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return text.isEmpty ? "unknown" : text
  }
}
