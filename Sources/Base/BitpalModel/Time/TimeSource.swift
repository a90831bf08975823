public import FoundationEssentials

/// A source of time: a wall clock, a clock that never jumps, and a wait that can be cancelled.
///
/// All code below the command line uses one and never calls `Date()` or sleeps by other means. This makes `--now`,
/// replay and tests without waiting possible.
public protocol TimeSource: Sendable {
  /// The wall clock, in UTC.
  var now: Date { get }

  /// The time since an arbitrary origin. It never goes back, and only differences within one process are meaningful.
  var monotonic: Duration { get }

  /// Waits for `duration`; returns at once when it is not positive.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws
}

/// The machine's own clocks.
public struct SystemTime: TimeSource {
  /// Creates the source; all instances are equal.
  public init() {}

  /// The wall clock in UTC, rounded down to milliseconds: files keep milliseconds, and a time that is rounded up would
  /// be ahead of the clock when it is read back.
  public var now: Date { Date(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down))) }

  /// Time since an arbitrary origin; it never goes back.
  public var monotonic: Duration { Self.origin.duration(to: .now) }

  /// Returns after the duration, or throws when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: max(duration, .zero))
  }

  private static let origin = ContinuousClock.now
}

/// A wall clock that stands still, for replayed recordings and `--now`; waiting still takes real time.
public struct FrozenTime: TimeSource {
  /// The wall clock, in UTC.
  public let now: Date
  private let base: any TimeSource

  /// Creates a clock that always shows `instant` and takes its waits from `base`.
  public init(at instant: Date, base: any TimeSource = SystemTime()) {
    now = instant
    self.base = base
  }

  /// Time since an arbitrary origin; it never goes back.
  public var monotonic: Duration { base.monotonic }

  /// Returns after the duration, or throws when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await base.sleep(for: duration)
  }
}
