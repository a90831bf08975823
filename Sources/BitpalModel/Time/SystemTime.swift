public import FoundationEssentials

/// The machine's own clocks.
public struct SystemTime: TimeSource {
  /// Creates the source; all of them are alike.
  public init() {}

  public var now: Date { Date() }

  public var monotonic: Duration { Self.origin.duration(to: .now) }

  public func sleep(for duration: Duration) async throws {
    try await Task.sleep(for: max(duration, .zero))
  }

  private static let origin = ContinuousClock.now
}
