import BitpalModel
import BitpalService
import FoundationEssentials

/// What `watch` knows and decides: an event goes in, what to do comes out.
///
/// It has no clock, no terminal and no network. Instants are on a monotonic clock, so that setting the machine's clock
/// disturbs nothing.
struct WatchModel: Sendable {
  /// Something that happened.
  enum Event: Sendable {
    case start

    /// The instant of ``wake(after:)`` has come.
    case clock
    case answer(QuotesAnswer)
    case failure(BitpalError)
    case key(Character)

    /// The terminal has another size, or is ours again.
    case redraw
  }

  /// What to do about it.
  struct Effects: OptionSet, Sendable {
    let rawValue: Int

    /// Ask for the prices of ``asked``.
    static let ask = Effects(rawValue: 1)

    /// Draw the screen anew.
    static let draw = Effects(rawValue: 2)

    /// An update is complete: print it where there is no screen.
    static let report = Effects(rawValue: 4)
    static let quit = Effects(rawValue: 8)
  }

  /// How a price changed at the last update.
  enum Direction: Sendable {
    case up
    case down
  }

  private struct Mark: Sendable {
    let direction: Direction
    let until: Duration
  }

  /// Why there are no new prices, and since how many tries.
  struct Trouble: Sendable {
    let error: BitpalError
    let tries: Int
  }

  /// How long a change stays marked.
  static let markTime: Duration = .seconds(4)

  /// The longest wait while the source fails, unless updates are wanted more seldom than that.
  static let longestWait: Duration = .seconds(600)

  let every: Duration
  private let isLive: Bool
  private let count: Int?

  /// The coins to ask for: as they were named, and by id once that is known.
  private(set) var asked: [String]

  /// The order of the rows; nil for that of the list.
  private(set) var order: PriceOrder?

  /// The last good prices, in the order of the list.
  private(set) var quotes: [Sourced<Coin>] = []

  /// Coins that will never have an answer.
  private(set) var refused: [CoinFailure] = []

  /// Coins that had no answer the last time.
  private(set) var missing: [CoinFailure] = []
  private(set) var trouble: Trouble?
  private(set) var isAsking = false

  /// When prices are asked for again, unless they are being asked for.
  private(set) var nextAsk: Duration = .zero
  private let name: @Sendable (String) -> String
  private var askedAt: Duration = .zero
  private var marks: [String: Mark] = [:]
  private var updates = 0

  /// - Parameters:
  ///   - coins: As the user named them.
  ///   - isLive: Whether ages and marks are on a screen, where time shows.
  ///   - count: After how many updates to end; nil for never.
  /// - Parameter name: The name by which the coin of an id is asked for.
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

  /// Takes in what happened.
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

  /// The next instant at which something happens by itself; nil when only an answer is waited for.
  func wake(after now: Duration) -> Duration? {
    var instants: [Duration] = isAsking ? [] : [nextAsk]
    if isLive { instants += marks.values.map(\.until) + [now + .seconds(1)] }
    return instants.min()
  }

  /// How the price of a coin changed, while that is news.
  func direction(of coin: String) -> Direction? { marks[coin]?.direction }

  /// The quotes as they are shown: in order, and stale when nothing newer could be had.
  func shown(at now: Date) -> [Sourced<Coin>] {
    let sorted = PricesView.sorted(quotes, order)
    guard let trouble else { return sorted }
    return sorted.map { quote in
      quote.freshness.isStandIn
        ? quote
        : quote.marked(
          .stale(age: max(.zero, now.since(quote.fetchedAt)), because: .sourceFailed(trouble.error.message)))
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
    let isFresh = answer.quotes.contains { !$0.freshness.isStandIn }
    if isFresh || missing.isEmpty && answer.quotes.isEmpty {
      trouble = nil
      nextAsk = max(now, askedAt + every)
    } else {
      let error = missing.first?.error ?? .network(host: answer.quotes.first?.source ?? "", reason: "stale")
      let tries = (trouble?.tries ?? 0) + 1
      trouble = Trouble(error: error, tries: tries)
      nextAsk = max(now, askedAt + Self.wait(every: every, tries: tries, error))
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

  /// The usual wait after the first failure, then twice as long each time; not before the source allows it.
  private static func wait(every: Duration, tries: Int, _ error: BitpalError) -> Duration {
    let doubled = every * (1 << min(max(tries - 1, 0), 10))
    let wait = min(doubled, max(every, longestWait))
    return max(wait, error.retryAfter ?? .zero)
  }
}
