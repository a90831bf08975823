/// A request budget: no stretch of time as long as `window` ever holds more than `limit` requests.
public struct RateLimit: Hashable, Sendable {
  /// The most requests a window can allow: 1,000,000, more than any source allows.
  public static let largest = 1_000_000

  /// How many requests fit into a window; 1…``largest``.
  public let limit: Int

  /// The length of the window; above zero.
  public let window: Duration

  /// How many may go at once; 1…`limit`.
  public let burst: Int

  /// Creates a budget; nil when the numbers make none (limit outside 1…``largest``, window of 0, burst outside 1…limit).
  ///
  /// - Parameters:
  ///   - limit: The most requests of any window.
  ///   - window: How long a window is.
  ///   - burst: How many requests may go at once; half the limit, rounded up, when nil.
  public init?(limit: Int, window: Duration, burst: Int? = nil) {
    guard (1...Self.largest).contains(limit), window > .zero else { return nil }
    let burst = burst ?? (limit + 1) / 2
    guard (1...limit).contains(burst) else { return nil }
    self.limit = limit
    self.window = window
    self.burst = burst
  }

  /// A budget of `limit` requests a minute (kept within 1…``largest``), of which half may go at once.
  public static func perMinute(_ limit: Int) -> RateLimit {
    let limit = max(1, min(largest, limit))
    return RateLimit(limit: limit, window: .seconds(60), uncheckedBurst: (limit + 1) / 2)
  }

  private init(limit: Int, window: Duration, uncheckedBurst burst: Int) {
    self.limit = limit
    self.window = window
    self.burst = burst
  }
}
