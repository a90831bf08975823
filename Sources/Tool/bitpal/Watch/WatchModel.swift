import Bitpal
import BitpalModel
import BitpalQueries
import FoundationEssentials

/// The state and the decisions of `watch`: it takes an event and returns the effects to perform.
///
/// It has no clock, no terminal and no network. Its instants are on a monotonic clock, so that a change of the system's
/// clock disturbs nothing.
struct WatchModel: Sendable {
  /// An event of the watch.
  enum Event: Sendable {
    /// The instant of ``wake(after:)`` has come.
    case clock

    /// The ticker begins a request.
    case asking
    case update(PriceUpdate)

    /// Nothing is left to ask for.
    case over
    case key(Character)

    /// The terminal has another size, or has been taken over again.
    case redraw
  }

  /// The effects of an event.
  struct Effects: OptionSet, Sendable {
    let rawValue: Int

    /// Ask for the prices at once.
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

  /// The time for which a change stays marked.
  static let markTime: Duration = .seconds(4)

  let every: Duration
  private let isLive: Bool
  private let count: Int?

  /// Returns the market figures that came with prices, by the ids of the coins.
  let figures: @Sendable ([Sourced<Coin>]) -> [String: CoinDetail]

  /// The order of the rows; nil for that of the list.
  private(set) var order: PriceOrder?

  /// Whether the rows stand in the opposite order.
  private(set) var isReversed: Bool

  /// The last good prices, in the order of the list.
  private(set) var quotes: [Sourced<Coin>] = []

  /// The coins with a lasting failure, which are not asked for again.
  private(set) var refused: [CoinFailure] = []

  /// The coins without an answer at the last update.
  private(set) var missing: [CoinFailure] = []
  private(set) var refreshFailure: RefreshFailure?

  /// The names of coins that have not had a price yet, and no lasting failure.
  private(set) var unpriced: [String] = []
  private(set) var isAsking = false

  /// The time at which prices are asked for again, unless a request is under way.
  private(set) var nextAsk: Duration = .zero
  private var marks: [String: Mark] = [:]
  private var updates = 0

  /// Creates a watch model.
  ///
  /// - Parameters:
  ///   - every: The time between two updates.
  ///   - order: The order of the rows; nil for that of the list.
  ///   - isReversed: Whether the rows stand in the opposite order.
  ///   - isLive: Whether ages and marks are on a screen, which must be redrawn as time passes.
  ///   - count: The number of updates after which to end; nil for no limit.
  ///   - figures: Returns the market figures that came with prices, for the order by market value.
  init(
    every: Duration, order: PriceOrder?, isReversed: Bool = false, isLive: Bool, count: Int?,
    figures: @escaping @Sendable ([Sourced<Coin>]) -> [String: CoinDetail] = { _ in [:] }
  ) {
    self.figures = figures
    self.isReversed = isReversed
    self.every = every
    self.order = order
    self.isLive = isLive
    self.count = count
  }

  /// Takes an event, and returns its effects.
  mutating func handle(_ event: Event, at now: Duration) -> Effects {
    switch event {
    case .clock:
      marks = marks.filter { $0.value.until > now }
      return .draw
    case .asking:
      isAsking = true
      return .draw
    case .update(let update):
      return take(update, at: now)
    case .over:
      return .quit
    case .key(let key):
      return press(key)
    case .redraw:
      return .draw
    }
  }

  /// Returns the next instant at which a ``Event/clock`` is due; nil without a screen.
  func wake(after now: Duration) -> Duration? {
    isLive ? (marks.values.map(\.until) + [now + .seconds(1)]).min() : nil
  }

  /// Returns the direction of a price change while it is marked; nil otherwise.
  func direction(of coin: String) -> Direction? { marks[coin]?.direction }

  /// Returns the quotes in the order of the rows, marked stale when the last update failed.
  func shown(at now: Date) -> [Sourced<Coin>] {
    let sorted =
      order?.sorted(quotes, figures: order == .marketCap ? figures(quotes) : [:], isReversed: isReversed)
      ?? (isReversed ? quotes.reversed() : quotes)
    guard let refreshFailure else { return sorted }
    return sorted.map { quote in
      quote.freshness.isServedStale
        ? quote
        : quote.marked(
          .stale(age: max(.zero, now.since(quote.fetchedAt)), because: .sourceFailed(refreshFailure.message)))
    }
  }

  private mutating func take(_ update: PriceUpdate, at now: Duration) -> Effects {
    isAsking = false
    updates += 1
    let answer = update.answer
    refused += answer.failures.filter { $0.error.has(.isLasting) }
    missing = answer.failures.filter { !$0.error.has(.isLasting) }
    for quote in answer.quotes { keep(quote, at: now) }
    let lost = Set(refused.map(\.coin))
    unpriced = answer.coins.distinct.filter { name in
      if case .success? = answer.outcomes[name] { return false }
      return !lost.contains(name)
    }
    refreshFailure = update.failure
    nextAsk = update.next
    return (count.map { updates >= $0 } ?? false) ? [.draw, .report, .quit] : [.draw, .report]
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

  private mutating func press(_ key: Character) -> Effects {
    switch key {
    case "n": sort(.name)
    case "p": sort(.price)
    case "c": sort(.change)
    case "r": return isAsking ? [] : [.ask, .draw]
    case "q": return .quit
    default: return []
    }
    return .draw
  }

  /// Sorts by an order, or reverses it when it is the current one.
  private mutating func sort(_ wanted: PriceOrder) {
    isReversed = order == wanted && !isReversed
    order = wanted
  }
}
