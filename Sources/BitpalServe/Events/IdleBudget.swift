import BitpalModel

/// A sliding-window log that leaves half of a source's request budget to requests of users.
///
/// Streams of prices refresh by themselves for as long as a page is open, so their requests in any window are at most
/// half of its limit. A refresh that needs more requests than that is made so rarely that the average is half. Instants
/// are on one monotonic clock.
struct IdleBudget: Hashable, Sendable {
  private let limits: [RateLimit]

  /// The refreshes within the longest period, oldest first.
  private var sent: [Refresh] = []

  private struct Refresh: Hashable, Sendable {
    let instant: Duration
    let requests: Int
  }

  /// Creates a log.
  ///
  /// - Parameter limits: The budgets of the source, all of which hold; empty for no limit.
  init(_ limits: [RateLimit]) {
    self.limits = limits
  }

  /// Counts a refresh if there is room for it.
  ///
  /// - Parameters:
  ///   - requests: The number of requests that it needs, above zero.
  ///   - now: The instant at which it would be sent.
  /// - Returns: Whether it may be sent.
  mutating func take(_ requests: Int, at now: Duration) -> Bool {
    let longest = limits.map { Self.period(of: requests, $0) }.max() ?? .zero
    sent.removeAll { now - $0.instant >= longest }
    let isFree = limits.allSatisfy { limit in
      let period = Self.period(of: requests, limit)
      let used = sent.reduce(0) { now - $1.instant < period ? $0 + $1.requests : $0 }
      return used == 0 || used + requests <= limit.limit / 2
    }
    if isFree, !limits.isEmpty { sent.append(Refresh(instant: now, requests: requests)) }
    return isFree
  }

  /// Returns the time for which refreshes count: the window, or longer for a refresh that needs more than half of the
  /// limit.
  private static func period(of requests: Int, _ limit: RateLimit) -> Duration {
    requests * 2 <= limit.limit ? limit.window : limit.window * (requests * 2) / limit.limit
  }
}
