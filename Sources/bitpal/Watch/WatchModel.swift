import BitpalModel
import BitpalService
import FoundationEssentials

/// The state and the decisions of `watch`: it takes an event and returns the effects to perform.
///
/// It has no clock, no terminal and no network. Its instants are on a monotonic clock, so that a change of the system's
/// clock disturbs nothing.
struct WatchModel: Sendable {
  /// An event of the watch.
  enum Event: Sendable {
    case start

    /// The instant of ``wake(after:)`` has come.
    case clock
    case answer(QuotesAnswer)
    case failure(BitpalError)
    case key(Character)

    /// The terminal has another size, or has been taken over again.
    case redraw
  }

  /// The effects of an event.
  struct Effects: OptionSet, Sendable {
    let rawValue: Int

    /// Ask for the prices of ``asked``.
    static let ask = Effects(rawValue: 1)

    /// Draw the screen again.
    static let draw = Effects(rawValue: 2)

    /// Print the complete update if the output is not a screen.
    static let report = Effects(rawValue: 4)
    static let quit = Effects(rawValue: 8)
  }

  /// The direction of a price change at the last update.
  enum Direction: Sendable {
    case up
    case down
  }

  private struct Mark: Sendable {
    let direction: Direction
    let until: Duration
  }

  /// The failure that prevents new prices, and the number of failed attempts in a row.
  struct RefreshFailure: Sendable {
    /// The cause, in a sentence.
    let message: String
    let tries: Int
  }

  /// The time for which a change stays marked.
  static let markTime: Duration = .seconds(4)

  /// The longest wait while the source fails, unless ``every`` is longer.
  static let longestWait: Duration = .seconds(600)

  let every: Duration
  private let isLive: Bool
  private let count: Int?

  /// The coins to ask for: first as the user named them, later by the names of their ids.
  private(set) var asked: [String]

  /// The order of the rows; nil for that of the list.
  private(set) var order: PriceOrder?

  /// The last good prices, in the order of the list.
  private(set) var quotes: [Sourced<Coin>] = []

  /// The coins with a lasting failure, which are not asked for again.
  private(set) var refused: [CoinFailure] = []

  /// The coins without an answer at the last update.
  private(set) var missing: [CoinFailure] = []
  private(set) var refreshFailure: RefreshFailure?
  private(set) var isAsking = false

  /// The time at which prices are asked for again, unless a request is under way.
  private(set) var nextAsk: Duration = .zero
  private let name: @Sendable (String) -> String
  private var askedAt: Duration = .zero
  private var marks: [String: Mark] = [:]
  private var updates = 0

  /// Creates a watch model.
  ///
  /// - Parameters:
  ///   - coins: The coins as the user named them.
  ///   - every: The time between two updates.
  ///   - order: The order of the rows; nil for that of the list.
  ///   - isLive: Whether ages and marks are on a screen, which must be redrawn as time passes.
  ///   - count: The number of updates after which to end; nil for no limit.
  ///   - name: The function that returns the name by which the coin of an id is asked for.
  init(
    coins: [String], every: Duration, order: PriceOrder?, isLive: Bool, count: Int?,
    name: @escaping @Sendable (_ id: String) -> String = { $0 }
  ) {
    self.name = name
    asked = coins
    self.every = every
    self.order = order
    self.isLive = isLive
    self.count = count
  }

  /// Takes an event, and returns its effects.
  mutating func handle(_ event: Event, at now: Duration) -> Effects {
    switch event {
    case .start:
      return [ask(at: now), .draw]
    case .clock:
      marks = marks.filter { $0.value.until > now }
      return isAsking || now < nextAsk ? .draw : [ask(at: now), .draw]
    case .answer(let answer):
      return take(answer, at: now)
    case .failure(let error):
      return take(QuotesAnswer(quotes: [], failures: asked.map { CoinFailure(coin: $0, error: error) }), at: now)
    case .key(let key):
      return press(key, at: now)
    case .redraw:
      return .draw
    }
  }

  /// Returns the next instant at which a ``Event/clock`` is due; nil when only an answer is waited for.
  func wake(after now: Duration) -> Duration? {
    var instants: [Duration] = isAsking ? [] : [nextAsk]
    if isLive { instants += marks.values.map(\.until) + [now + .seconds(1)] }
    return instants.min()
  }

  /// Returns the direction of a price change while it is marked; nil otherwise.
  func direction(of coin: String) -> Direction? { marks[coin]?.direction }

  /// Returns the quotes in the order of the rows, marked stale when the last update failed.
  func shown(at now: Date) -> [Sourced<Coin>] {
    let sorted = PricesView.sorted(quotes, order)
    guard let refreshFailure else { return sorted }
    return sorted.map { quote in
      quote.freshness.isServedStale
        ? quote
        : quote.marked(
          .stale(age: max(.zero, now.since(quote.fetchedAt)), because: .sourceFailed(refreshFailure.message)))
    }
  }

  private mutating func ask(at now: Duration) -> Effects {
    isAsking = true
    askedAt = now
    return .ask
  }

  private mutating func take(_ answer: QuotesAnswer, at now: Duration) -> Effects {
    isAsking = false
    updates += 1
    let lasting = answer.failures.filter { $0.error.has(.isLasting) }
    refused += lasting
    missing = answer.failures.filter { !$0.error.has(.isLasting) }
    asked = answer.quotes.map { name($0.value.id) } + missing.map(\.coin)
    for quote in answer.quotes { keep(quote, at: now) }
    let isFresh = answer.quotes.contains { !$0.freshness.isServedStale }
    if isFresh || missing.isEmpty && answer.quotes.isEmpty {
      refreshFailure = nil
      nextAsk = max(now, askedAt + every)
    } else {
      let error = missing.first?.error
      var message = error?.message ?? ""
      // Older prices stand in, each with the cause of the failure.
      if error == nil, case .stale(_, let cause)? = answer.quotes.first?.freshness { message = cause.message }
      let tries = (refreshFailure?.tries ?? 0) + 1
      refreshFailure = RefreshFailure(message: message, tries: tries)
      nextAsk = max(now, askedAt + Self.wait(every: every, tries: tries, error?.retryAfter))
    }
    let isOver = count.map { updates >= $0 } ?? false
    return asked.isEmpty || isOver ? [.draw, .report, .quit] : [.draw, .report]
  }

  private mutating func keep(_ quote: Sourced<Coin>, at now: Duration) {
    guard let index = quotes.firstIndex(where: { $0.value.id == quote.value.id }) else {
      quotes.append(quote)
      return
    }
    let old = quotes[index].value.currentPrice
    let new = quote.value.currentPrice
    if new != old { marks[quote.value.id] = Mark(direction: new > old ? .up : .down, until: now + Self.markTime) }
    quotes[index] = quote
  }

  private mutating func press(_ key: Character, at now: Duration) -> Effects {
    switch key {
    case "n": order = .name
    case "p": order = .price
    case "c": order = .change
    case "r": return isAsking ? [] : [ask(at: now), .draw]
    case "q": return .quit
    default: return []
    }
    return .draw
  }

  /// Returns the wait after a failure: the usual one first, then twice as long each time, and never less than the
  /// source demands.
  private static func wait(every: Duration, tries: Int, _ pause: Duration?) -> Duration {
    let doubled = every * (1 << min(max(tries - 1, 0), 10))
    let wait = min(doubled, max(every, longestWait))
    return max(wait, pause ?? .zero)
  }
}
