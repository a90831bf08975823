/// A request budget: no stretch of time as long as `window` ever holds more than `limit` requests.
public struct RateLimit: Hashable, Sendable {
  /// How many requests fit into a window; at least 1.
  public let limit: Int

  /// The length of the window; above zero.
  public let window: Duration

  /// How many may go at once; 1…`limit`.
  public let burst: Int

  /// Creates a budget; nil when the numbers make none (limit below 1, window of 0, burst outside 1…limit).
  ///
  /// - Parameters:
  ///   - limit: The most requests of any window.
  ///   - window: How long a window is.
  ///   - burst: How many requests may go at once; half the limit, rounded up, when nil.
  public init?(limit: Int, window: Duration, burst: Int? = nil) {
    let burst = burst ?? (limit + 1) / 2
    guard limit >= 1, window > .zero, (1...limit).contains(burst) else { return nil }
    self.limit = limit
    self.window = window
    self.burst = burst
  }

  /// A budget of `limit` requests a minute (at least 1), of which half may go at once.
  public static func perMinute(_ limit: Int) -> RateLimit {
    let limit = max(1, limit)
    return RateLimit(limit: limit, window: .seconds(60), uncheckedBurst: (limit + 1) / 2)
  }

  private init(limit: Int, window: Duration, uncheckedBurst burst: Int) {
    self.limit = limit
    self.window = window
    self.burst = burst
  }
}
