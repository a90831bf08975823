import BitpalModel
public import FoundationEssentials

/// A clock that all processes of a machine read alike: time since it was started, sleep included.
///
/// It knows nothing of the wall clock, so it cannot jump. What is to outlast a restart of the machine, from which on it
/// counts anew, is carried over by the wall clock.
public struct BudgetClock: Sendable {
  /// Which start of the machine ``now`` counts from.
  public let bootID: String

  private let read: @Sendable () -> Duration
  private let readWall: @Sendable () -> Date

  /// Creates a clock, for tests.
  ///
  /// - Parameters:
  ///   - bootID: Which start of the machine `now` counts from.
  ///   - now: Time since then.
  ///   - wall: The wall clock.
  public init(bootID: String, now: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Date) {
    self.bootID = bootID
    read = now
    readWall = wall
  }

  /// Time since the machine was started.
  public var now: Duration { read() }

  /// The wall clock.
  public var wall: Date { readWall() }

  /// `CLOCK_BOOTTIME` and `/proc/sys/kernel/random/boot_id`.
  public static let system = BudgetClock(
    bootID: currentBootID(), now: { ContinuousClock().systemEpoch.duration(to: .now) }, wall: { SystemTime().now })

  private static func currentBootID() -> String {
    let bytes = (try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return text.isEmpty ? "unknown" : text
  }
}
