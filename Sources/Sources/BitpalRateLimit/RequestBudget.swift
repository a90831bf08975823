package import BitpalModel

/// The state of a source's limits: the tokens taken under each, and the end of a pause that the source asked for.
///
/// A pure value without reservations: a token is taken now, or the caller learns when to try again. All instants are on
/// one clock that never goes back. `budget.lua` implements the same rule for a fleet; a test compares both.
package struct RequestBudget: Hashable, Sendable {
  /// The reason why a request has to wait.
  package enum Cause: Hashable, Sendable {
    /// A limit is used up, with that many tokens taken.
    case limit(RateLimit, used: Int)

    /// The source asked for a pause.
    case pause
  }

  /// A take that does not fit into the budget.
  package struct Refusal: Hashable, Sendable {
    /// The earliest instant at which the take can succeed; nil when it asks for more tokens than a limit has.
    package let earliest: Duration?

    /// The instant at which to try again, which leaves the tokens before it to callers that have waited longer.
    package let turn: Duration

    /// The reason.
    package let cause: Cause

    package init(earliest: Duration?, turn: Duration, cause: Cause) {
      (self.earliest, self.turn, self.cause) = (earliest, turn, cause)
    }
  }

  /// The outcome of a take.
  package enum Outcome: Hashable, Sendable {
    /// The request may leave; the stamp of its token.
    case taken(Duration)

    /// Nothing was taken, and nothing is held for the caller.
    case refused(Refusal)
  }

  /// The number of tokens that count under a limit.
  package struct Usage: Hashable, Sendable {
    /// The limit.
    package let limit: RateLimit

    /// The number of tokens.
    package let used: Int
  }

  /// The longest pause of a source that is kept: an hour.
  ///
  /// Some sources ask for a day or for the rest of a month. One request per hour costs them nothing and finds out whether
  /// the pause still holds.
  package static let longestPause: Duration = .seconds(3600)

  /// The longest time from now to a stamp; a later stamp was not written by bitpal.
  static let longestMargin: Duration = .seconds(10)

  /// The most callers that a queue counts.
  private static let mostWaiting = 1_000_000

  /// One log per limit; all of them hold.
  private(set) var logs: [WindowLog]

  /// No request leaves before this instant, in microseconds.
  private(set) var blockedUntil: Int64

  /// The newest stamp, in microseconds: stamps never go back, whatever the margins of the callers are.
  private(set) var newest: Int64

  /// The number of callers that were asked to wait, less the takes since.
  private(set) var waiting: Int

  /// Creates an unused budget.
  ///
  /// - Parameter limits: The limits, all of which hold; none for no limit.
  package init(_ limits: [RateLimit]) {
    self.init(logs: limits.map { WindowLog($0) }, blockedUntil: 0, newest: 0, waiting: 0)
  }

  init(logs: [WindowLog], blockedUntil: Int64, newest: Int64, waiting: Int) {
    (self.logs, self.blockedUntil, self.newest, self.waiting) = (logs, blockedUntil, newest, waiting)
  }

  /// Takes tokens, or returns the instant at which to try again.
  ///
  /// - Parameters:
  ///   - count: The number of tokens; above zero.
  ///   - now: The instant of asking.
  ///   - margin: The longest time until the request has left. Its token is stamped at the end of it, so that no window
  ///     ever holds more requests than the limit on the wire either.
  ///   - patience: The longest time that the caller waits for its turn; nil for any.
  ///   - hasWaited: Whether the caller was asked to wait before, and is counted as waiting.
  package mutating func take(
    _ count: Int = 1, at now: Duration, within margin: Duration = .zero, patience: Duration? = .zero,
    hasWaited: Bool = false
  ) -> Outcome {
    let (now, margin) = (now.wholeMicroseconds, margin.wholeMicroseconds)
    // While others wait, a token that has just come back goes to them.
    let grace = !hasWaited && waiting > 0 ? WindowLog.grace : 0
    var (earliest, fullest) = (max(now, blockedUntil), Int?.none)
    for index in logs.indices {
      logs[index].forget(at: now)
      guard let time = logs[index].earliest(for: count, at: now - grace) else {
        return .refused(Refusal(earliest: nil, turn: .microseconds(now), cause: cause(index)))
      }
      if time + grace > earliest { (earliest, fullest) = (time + grace, index) }
    }
    guard earliest > now else {
      newest = max(newest, now + margin)
      for index in logs.indices { logs[index].add(count, at: newest) }
      waiting = max(0, waiting - 1)
      return .taken(.microseconds(newest))
    }
    var turn = earliest
    if let fullest {
      turn = max(turn, logs[fullest].turn(logs[fullest].missing(for: count) - 1 + waiting, margin: margin))
    }
    if !hasWaited, turn - now <= patience?.wholeMicroseconds ?? .max { waiting = min(Self.mostWaiting, waiting + 1) }
    return .refused(
      Refusal(earliest: .microseconds(earliest), turn: .microseconds(turn), cause: fullest.map(cause) ?? .pause))
  }

  private func cause(_ index: Int) -> Cause {
    let log = logs[index]
    return .limit(log.limit, used: min(log.limit.limit, log.used))
  }

  /// Returns tokens whose request provably never left.
  mutating func giveBack(_ stamp: Duration, count: Int = 1) {
    for index in logs.indices { logs[index].remove(count, at: stamp.wholeMicroseconds) }
  }

  /// Counts tokens whether or not there is room for them.
  package mutating func count(_ count: Int, at now: Duration) {
    for index in logs.indices {
      logs[index].forget(at: now.wholeMicroseconds)
      logs[index].add(count, at: now.wholeMicroseconds)
    }
  }

  /// Removes the newest tokens, for a caller that does not know their stamps.
  package mutating func uncount(_ count: Int) {
    for index in logs.indices { logs[index].removeNewest(count) }
  }

  /// Counts the limits of chosen windows as used up until an instant.
  ///
  /// - Parameter end: Returns the instant for a window; nil leaves its limit unchanged.
  package mutating func exhaust(until end: (_ window: Duration) -> Duration?) {
    for index in logs.indices {
      let limit = logs[index].limit
      guard let end = end(limit.window) else { continue }
      logs[index].add(limit.limit, at: max(0, (end - limit.window).wholeMicroseconds))
    }
  }

  /// Holds all requests for a pause, at most ``longestPause``; a later end that is already known remains.
  mutating func block(for pause: Duration, at now: Duration) {
    blockedUntil = max(blockedUntil, (now + min(pause, Self.longestPause)).wholeMicroseconds)
  }

  /// Returns the rest of a pause that the source asked for; nil when there is none.
  func pauseLeft(at now: Duration) -> Duration? {
    let left = blockedUntil - now.wholeMicroseconds
    return left > 0 ? .microseconds(left) : nil
  }

  /// Returns the number of tokens under each limit.
  func usage(at now: Duration) -> [Usage] {
    logs.map { Usage(limit: $0.limit, used: $0.used(at: now.wholeMicroseconds)) }
  }

  /// Removes instants that only a damaged file can hold.
  mutating func settle(at now: Duration) {
    blockedUntil = min(blockedUntil, (now + Self.longestPause).wholeMicroseconds)
    let latest = (now + Self.longestMargin).wholeMicroseconds
    newest = min(newest, latest)
    for index in logs.indices where logs[index].isAhead(of: latest) {
      logs[index] = WindowLog(logs[index].limit)
    }
  }

  /// Continues under other limits, with the tokens of the log of the longest window.
  mutating func adopt(_ limits: [RateLimit]) {
    guard !logs.lazy.map(\.limit).elementsEqual(limits) else { return }
    let longest = logs.max { $0.limit.window < $1.limit.window }
    logs = limits.map { limit in
      logs.first { $0.limit == limit } ?? longest.map { WindowLog(limit, following: $0) } ?? WindowLog(limit)
    }
  }

  /// Returns the tokens under each limit, each with its age in microseconds; none for windows up to `shortest`.
  package func tokens(windowsLongerThan shortest: Duration, at now: Duration) -> [[(age: Int64, count: Int)]] {
    logs.map { log in
      guard log.limit.window > shortest else { return [] }
      let now = now.wholeMicroseconds
      return log.slots.filter { $0.time + log.limit.window.wholeMicroseconds > now }.map {
        (age: max(0, now - $0.time), count: $0.count)
      }
    }
  }

  /// Returns the limits of one of `members` machines that keep to a budget without contact.
  ///
  /// Less than one request per machine becomes one request in a longer window.
  package static func share(of limits: [RateLimit], among members: Int) -> [RateLimit] {
    limits.compactMap { limit in
      let count = limit.limit / max(1, members)
      if count > 0 { return RateLimit(limit: count, window: limit.window) }
      let windows = (members + limit.limit - 1) / limit.limit
      return RateLimit(limit: 1, window: limit.window * windows)
    }
  }
}
