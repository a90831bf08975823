import BitpalModel

/// A sliding-window log that leaves half of a source's request budget to requests of users.
///
/// Streams of prices refresh by themselves for as long as a page is open, so their requests in any window are at most
/// half of its limit; of a limit of one request, every second one. Instants are on one monotonic clock.
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

  /// Counts as many requests as there is room for.
  ///
  /// - Parameters:
  ///   - requests: The number of requests that are wanted.
  ///   - now: The instant at which they would be sent.
  /// - Returns: The number of requests that may be sent.
  mutating func take(upTo requests: Int, at now: Duration) -> Int {
    let longest = limits.map(Self.period).max() ?? .zero
    sent.removeAll { now - $0.instant >= longest }
    let room = limits.map { limit in
      let used = sent.reduce(0) { now - $1.instant < Self.period(of: limit) ? $0 + $1.requests : $0 }
      return max(1, limit.limit / 2) - used
    }
    let taken = max(0, min(requests, room.min() ?? requests))
    if taken > 0, !limits.isEmpty { sent.append(Refresh(instant: now, requests: taken)) }
    return taken
  }

  /// Returns the time for which requests count: the window, or two for a limit that cannot be halved.
  private static func period(of limit: RateLimit) -> Duration { limit.window * (limit.limit > 1 ? 1 : 2) }
}
