public import FoundationEssentials

/// A wall clock that stands still, for replayed recordings and `--now`; waiting still takes real time.
public struct FrozenTime: TimeSource {
  /// The wall clock, in UTC.
  public let now: Date
  private let base: any TimeSource

  /// A clock that shows `instant` for ever and takes its waits from `base`.
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
