public import BitpalModel

/// Everything a limiter remembers of a source: when requests went, for each of its budgets, and until when nothing may go.
///
/// A pure value; where it is kept is its owner's business. All instants are on one clock that never goes back.
public struct RequestBudget: Hashable, Sendable {
  /// Why a request has to wait.
  public enum Cause: Hashable, Sendable {
    /// A budget is used up: that many of its requests count, those of others that wait for their turn left out.
    case budget(RateLimit, used: Int)

    /// The source asked for a pause.
    case pause
  }

  /// What a taker is told.
  public enum Decision: Hashable, Sendable {
    /// It may go now, which is that instant.
    case booked(Duration)

    /// It may go at that instant, and not before because of the cause.
    case bookedLater(Duration, Cause)

    /// Nothing is booked; it would have had to wait that long, where that is known.
    case refused(wait: Duration?, Cause)
  }

  /// How much of a budget is used.
  package struct Usage: Hashable, Sendable {
    /// The budget.
    package let limit: RateLimit

    /// How many requests count now.
    package let used: Int
  }

  /// The longest that a source is left alone because it asked for it: an hour.
  ///
  /// Some ask for a day, or for what is left of a month. Asking once an hour costs them nothing, and nobody has to wait
  /// for a day when the source is there again, or a key has been bought.
  package static let longestPause: Duration = .seconds(3600)

  /// One for each budget, all of which hold.
  private(set) var logs: [WindowLog]

  /// Nothing may go before this instant.
  private(set) var blockedUntil: Int64 = 0

  /// - Parameter limits: Budgets, all of which hold; none for no limit.
  public init(_ limits: [RateLimit]) {
    logs = limits.map { WindowLog($0) }
  }

  /// What a file has kept.
  init(logs: [WindowLog], blockedUntil: Int64) {
    self.logs = logs
    self.blockedUntil = blockedUntil
  }

  /// Books the next place for one request.
  ///
  /// - Parameters:
  ///   - now: The instant of asking, by the clock that all of its instants are on.
  ///   - patience: The longest wait; nil for any.
  public mutating func take(at now: Duration, patience: Duration?) -> Decision {
    let now = Nanoseconds.of(now)
    for index in logs.indices { logs[index].forget(before: now) }
    var place = max(now, blockedUntil)
    var cause: Cause = .pause
    while let full = logs.first(where: { $0.earliest(from: place) != place }) {
      cause = .budget(full.limit, used: min(full.limit.limit, full.used(at: now)))
      guard let next = full.earliest(from: place) else { return .refused(wait: nil, cause) }
      place = next
    }
    let wait = Duration.nanoseconds(place - now)
    if let patience, wait > max(.zero, patience) { return .refused(wait: wait, cause) }
    for index in logs.indices { logs[index].add(at: place) }
    return place > now ? .bookedLater(.nanoseconds(place), cause) : .booked(.nanoseconds(place))
  }

  /// Gives a place back that was not used: nobody waits because of it any more.
  mutating func giveBack(_ place: Duration) {
    for index in logs.indices { logs[index].remove(at: Nanoseconds.of(place)) }
  }

  /// Counts a request that goes, whether or not there is room for it.
  mutating func count(at now: Duration) {
    let now = Nanoseconds.of(now)
    for index in logs.indices {
      logs[index].forget(before: now)
      logs[index].add(at: now)
    }
  }

  /// Counts whatever others may have used: every budget with a window up to `longest` is used up at an instant, all of it,
  /// for what is known to be used comes back before.
  package mutating func useUp(windowsUpTo longest: Duration, at now: Duration) {
    for index in logs.indices where logs[index].limit.window <= longest {
      logs[index].add(logs[index].limit.limit, at: Nanoseconds.of(now))
    }
  }

  /// Lets nothing go for that long, or ``longestPause``; an earlier end of a pause never shortens a later one.
  mutating func block(for pause: Duration, at now: Duration) {
    blockedUntil = max(blockedUntil, Nanoseconds.of(now + min(pause, Self.longestPause)))
  }

  /// Whether a place may be used now, or when its time comes: no pause has come in between, it has not been forgotten, and
  /// it is not too late for the window's sake.
  func isUsable(_ place: Duration, at now: Duration) -> Bool {
    let late = Nanoseconds.of(now) - Nanoseconds.of(place)
    return blockedUntil <= Nanoseconds.of(max(now, place))
      && logs.allSatisfy { late <= $0.allowance && $0.holds(Nanoseconds.of(place)) }
  }

  /// How much longer a pause lasts that the source has asked for; nil when there is none.
  func pauseLeft(at now: Duration) -> Duration? {
    let left = blockedUntil - Nanoseconds.of(now)
    return left > 0 ? .nanoseconds(left) : nil
  }

  /// How much of each budget is used.
  func usage(at now: Duration) -> [Usage] {
    logs.map { Usage(limit: $0.limit, used: $0.used(at: Nanoseconds.of(now))) }
  }

  /// Forgets what no longer counts, and puts right what no taker can have left behind, in a file that was damaged or
  /// written by somebody else.
  ///
  /// Nobody waits for a day, so nothing is booked that far ahead; when something is, the whole log is not believed.
  mutating func settle(at now: Duration) {
    let now = Nanoseconds.of(now)
    blockedUntil = min(blockedUntil, now + Nanoseconds.of(Self.longestPause))
    let latest = now + 86_400_000_000_000
    for index in logs.indices where logs[index].slots.contains(where: { $0.last > latest }) {
      logs[index] = WindowLog(logs[index].limit)
    }
    for index in logs.indices { logs[index].forget(before: now) }
  }

  /// Goes on under other budgets, with what the longest of the old ones has counted.
  mutating func adopt(_ limits: [RateLimit]) {
    guard !logs.lazy.map(\.limit).elementsEqual(limits) else { return }
    let longest = logs.max { $0.limit.window < $1.limit.window }
    logs = limits.map { limit in
      logs.first { $0.limit == limit } ?? longest.map { WindowLog(limit, following: $0) } ?? WindowLog(limit)
    }
  }
}

// MARK: Between machines

extension RequestBudget {
  /// How many machines keep to a budget together, each to its share of it.
  ///
  /// Less than one request for each is one in a longer window: on the average the sum keeps to the budget then.
  package static func share(of limits: [RateLimit], among members: Int) -> [RateLimit] {
    limits.compactMap { limit in
      let count = limit.limit / max(1, members)
      if count > 0 { return RateLimit(limit: count, window: limit.window) }
      let windows = (members + limit.limit - 1) / limit.limit
      return RateLimit(limit: 1, window: limit.window * windows)
    }
  }

  /// What all have likely used when only one machine's part is known, which has used its part like the others: the requests of
  /// each budget with a window longer than `longest`, by how long ago they were.
  ///
  /// - Parameters:
  ///   - members: How many machines there are.
  ///   - now: The time on the clock of this budget.
  package func likelyUse(
    byEachOf members: Int, at now: Duration, windowsLongerThan longest: Duration
  ) -> [[(first: Duration, last: Duration, count: Int)]] {
    let now = Nanoseconds.of(now)
    return logs.map { log in
      guard log.limit.window > longest else { return [] }
      return log.slots.map { slot in
        let (count, isTooMany) = slot.count.multipliedReportingOverflow(by: members)
        return (
          first: .nanoseconds(max(0, now - slot.first)), last: .nanoseconds(max(0, now - slot.last)),
          count: isTooMany ? .max : count
        )
      }
    }
  }
}
