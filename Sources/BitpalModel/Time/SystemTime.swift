public import FoundationEssentials

/// The machine's own clocks.
public struct SystemTime: TimeSource {
  /// Creates the source; all of them are alike.
  public init() {}

  /// The wall clock, in UTC.
  public var now: Date { Date() }

  /// Time since an arbitrary origin; it never goes back.
  public var monotonic: Duration { Self.origin.duration(to: .now) }

  /// Returns after the duration, or throws when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: max(duration, .zero))
  }

  private static let origin = ContinuousClock.now
}
