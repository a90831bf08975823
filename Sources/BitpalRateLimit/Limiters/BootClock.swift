import BitpalModel
import FoundationEssentials

/// A clock that all processes of a machine read alike: time since it was started, sleep included.
///
/// It knows nothing of the wall clock, so it cannot jump. The boot's id says which start it counts from.
public struct BootClock: Sendable {
  /// Which start of the machine ``now`` counts from.
  public let bootID: String

  private let read: @Sendable () -> Duration

  /// Creates a clock, for tests.
  public init(bootID: String, now: @escaping @Sendable () -> Duration) {
    self.bootID = bootID
    read = now
  }

  /// Time since the machine was started.
  public var now: Duration { read() }

  /// `CLOCK_BOOTTIME` and `/proc/sys/kernel/random/boot_id`.
  public static let system = BootClock(bootID: currentBootID()) {
    ContinuousClock().systemEpoch.duration(to: .now)
  }

  private static func currentBootID() -> String {
    let bytes = (try? Data(contentsOf: URL(filePath: "/proc/sys/kernel/random/boot_id"))) ?? Data()
    let text = String(decoding: bytes, as: UTF8.self).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    return text.isEmpty ? "unknown" : text
  }
}
