package import BitpalModel

/// A rule that decides when a ``PriceTicker`` asks for which coins; a value without a clock.
package protocol AskingRule: Sendable {
  /// The coins of the last answers, by the names under which they were asked for.
  var coins: [String] { get }

  /// The last answers.
  var known: QuotesAnswer.Outcomes { get }

  /// The instant of the next look, on a monotonic clock.
  var next: Duration { get }

  /// The failure that prevents new prices; nil for none.
  var failure: RefreshFailure? { get }

  /// Returns the coins to ask for; empty when none is due, nil when nothing is left to follow.
  mutating func due(at now: Duration) async -> [String]?

  /// Takes the answer for coins that were asked for.
  mutating func take(
    _ outcome: Result<QuotesAnswer, BitpalError>, to coins: [String], askedAt: Duration, now: Duration)
}

/// A rule that asks for all coins together at a fixed pace, and more rarely while the source fails.
///
/// From the first answer on coins are asked for by their ids, and those that cannot be answered are not asked for again.
package struct SteadyRule: AskingRule {
  /// The longest wait while the source fails, unless the pace is slower: 10 min.
  package static let longestWait: Duration = .seconds(600)

  package private(set) var coins: [String] = []
  package private(set) var known: QuotesAnswer.Outcomes = [:]
  package private(set) var next: Duration
  package private(set) var failure: RefreshFailure?

  /// The coins to ask for.
  private var followed: [String]
  private let every: Duration
  private let name: @Sendable (String) -> String

  /// Creates a rule that asks at once.
  ///
  /// - Parameters:
  ///   - coins: The coins as the user named them.
  ///   - every: The time between two requests.
  ///   - start: The present instant.
  ///   - name: The function that returns the name by which the coin of an id is asked for.
  package init(
    _ coins: [String], every: Duration, from start: Duration,
    name: @escaping @Sendable (_ id: String) -> String = { $0 }
  ) {
    followed = coins
    self.every = every
    self.name = name
    next = start
  }

  package mutating func due(at now: Duration) -> [String]? { followed.isEmpty ? nil : followed }

  package mutating func take(
    _ outcome: Result<QuotesAnswer, BitpalError>, to asked: [String], askedAt: Duration, now: Duration
  ) {
    switch outcome {
    case .success(let answer): known = answer.outcomes
    case .failure(let error): known = Dictionary(asked.map { ($0, .failure(error)) }) { first, _ in first }
    }
    coins = asked
    let answer = QuotesAnswer(asked, known)
    let missing = answer.failures.filter { !$0.error.has(.isLasting) }
    followed = answer.quotes.map { name($0.value.id) } + missing.map(\.coin)
    let isFresh = answer.quotes.contains { !$0.freshness.isServedStale }
    if isFresh || missing.isEmpty && answer.quotes.isEmpty {
      failure = nil
      next = max(now, askedAt + every)
    } else {
      let error = missing.first?.error
      var message = error?.message ?? ""
      // Older prices stand in, each with the cause of the failure.
      if error == nil, case .stale(_, let cause)? = answer.quotes.first?.freshness { message = cause.message }
      let tries = (failure?.tries ?? 0) + 1
      failure = RefreshFailure(message: message, tries: tries)
      next = max(now, askedAt + Self.wait(every: every, tries: tries, error?.retryAfter))
    }
  }

  /// Returns the wait after a failure: the usual one first, then twice as long each time, and never less than the
  /// source demands.
  private static func wait(every: Duration, tries: Int, _ pause: Duration?) -> Duration {
    let doubled = every * (1 << min(max(tries - 1, 0), 10))
    let wait = min(doubled, max(every, longestWait))
    return max(wait, pause ?? .zero)
  }
}

/// A rule that asks for each coin when its cached price has expired, as far as there is room in the source's budget.
///
/// A price that does not fit into the budget keeps its last answer.
package struct ExpiryRule: AskingRule {
  /// Returns the coins that are followed now; empty to end.
  package typealias Coins = @Sendable () -> Set<String>

  /// Returns the fresh prices of coins out of the cache; nil when no source is on the web, so that nothing expires.
  package typealias Cached = @Sendable (_ coins: [String]) async -> QuotesAnswer.Outcomes?

  /// Returns how many requests of those that are wanted may be sent at an instant.
  package typealias Room = @Sendable (_ requests: Int, _ now: Duration) -> Int

  package private(set) var coins: [String] = []
  package private(set) var known: QuotesAnswer.Outcomes = [:]
  package private(set) var next: Duration
  package let failure: RefreshFailure? = nil
  private let step: Duration
  private let coinsPerRequest: Int
  private let followed: Coins
  private let cached: Cached
  private let room: Room

  /// The look at which the source was last asked for a coin.
  private var asked: [String: Int] = [:]
  private var looks = 0

  /// Creates a rule whose first look is after one step.
  ///
  /// - Parameters:
  ///   - step: The interval between two looks at the cache.
  ///   - start: The present instant.
  ///   - coinsPerRequest: The number of coins that one request can ask for, at least 1.
  package init(
    every step: Duration, from start: Duration, coinsPerRequest: Int, coins: @escaping Coins,
    cached: @escaping Cached, room: @escaping Room
  ) {
    self.step = step
    self.coinsPerRequest = coinsPerRequest
    followed = coins
    self.cached = cached
    self.room = room
    next = start + step
  }

  package mutating func due(at now: Duration) async -> [String]? {
    next = now + step
    let names = followed()
    guard !names.isEmpty else { return nil }
    coins = names.sorted()
    looks += 1
    known = known.filter { names.contains($0.key) }
    asked = asked.filter { names.contains($0.key) }
    guard let fresh = await cached(coins) else { return [] }
    known.merge(fresh) { $1 }
    // All have their turn, also beside a coin that always fails.
    let expired = names.subtracting(fresh.keys).sorted { (asked[$0] ?? 0, $0) < (asked[$1] ?? 0, $1) }
    guard !expired.isEmpty else { return [] }
    let requests = room((expired.count - 1) / coinsPerRequest + 1, now)
    let due = Array(expired.prefix(requests * coinsPerRequest))
    for name in due { asked[name] = looks }
    return due
  }

  package mutating func take(
    _ outcome: Result<QuotesAnswer, BitpalError>, to coins: [String], askedAt: Duration, now: Duration
  ) {
    next = now + step
    guard case .success(let answer) = outcome else { return }
    known.merge(answer.outcomes) { old, new in
      // An answer that is being renewed counts when the new one has come.
      if case .success(let quote) = new, case .stale(_, because: .renewing) = quote.freshness { old } else { new }
    }
  }
}
