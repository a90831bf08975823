/// A request budget: no interval of the length `window` ever contains more than `limit` requests.
///
/// All of them can be used at once; each becomes available again one window after its use.
public struct RateLimit: Hashable, Sendable {
  /// The largest possible limit: 1,000,000 requests, more than any source allows.
  public static let largest = 1_000_000

  /// The number of requests per window; 1…``largest``.
  public let limit: Int

  /// The length of the window; above zero.
  public let window: Duration

  /// Creates a budget; nil for invalid numbers: a limit outside 1…``largest``, a window of 0.
  ///
  /// - Parameters:
  ///   - limit: The most requests of any window.
  ///   - window: The length of a window.
  public init?(limit: Int, window: Duration) {
    guard (1...Self.largest).contains(limit), window > .zero else { return nil }
    self.limit = limit
    self.window = window
  }

  /// Reads a budget as provider files write it, like `60/1m`; nil for any other text, and for a limit beyond
  /// ``largest``.
  package init?(text: some StringProtocol) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let first = parts.first, let last = parts.last, let limit = Int(first),
      let window = Duration(unitText: last)
    else { return nil }
    self.init(limit: limit, window: window)
  }

  /// The maximum number of budgets of a source.
  package static let mostBudgets = 4

  /// Returns a budget of `limit` requests per minute (limited to 1…``largest``).
  public static func perMinute(_ limit: Int) -> RateLimit {
    RateLimit(limit, .seconds(60))
  }

  /// Returns a budget of `limit` requests in 30 days, as many plans have it (limited to 1…``largest``).
  package static func perMonth(_ limit: Int) -> RateLimit {
    RateLimit(limit, .seconds(30 * 86_400))
  }

  private init(_ limit: Int, _ window: Duration) {
    self.limit = max(1, min(Self.largest, limit))
    self.window = window
  }
}

extension RateLimit: CustomStringConvertible {
  /// The notation of provider files: `60/1m`.
  public var description: String { "\(limit)/\(window.unitText)" }
}
