public import BitpalModel
public import BitpalNetwork
public import BitpalProviders
public import BitpalReplay
import FoundationEssentials

/// The questions that a provider can answer, for a check.
public struct ConformanceSample: Sendable {
  /// A question about a line that has an answer.
  public typealias Line = (coin: String, currency: String, window: TimeWindow)

  /// A question about candles that has an answer.
  public typealias Candles = (coin: String, currency: String, window: TimeWindow, width: Duration)

  /// Coins that have a price.
  public var coins: [String]

  /// The currency of the prices.
  public var currency: String

  /// Another currency with prices of its own, so that none can be the same as in ``currency``; nil when none is known.
  public var otherCurrency: String?

  /// Known prices with all their digits, by coin.
  public var prices: [String: String]

  /// The coin and window of a line; nil when none is known.
  public var line: Line?

  /// The coin, window and width of candles; nil when none are known.
  public var candles: Candles?

  /// A transport that answers as the source does, so that answers can be cut, changed and requested at other times.
  ///
  /// Without it the checks that need such a source are skipped.
  public var source: (any Transport)?

  /// Whether it is made from the examples of a provider file, so that a message can ask for another example.
  var isOfExamples = false

  /// Creates a sample.
  public init(
    coins: [String], currency: String, otherCurrency: String? = nil, prices: [String: String] = [:],
    line: Line? = nil, candles: Candles? = nil, source: (any Transport)? = nil
  ) {
    self.coins = coins
    self.currency = currency
    self.otherCurrency = otherCurrency
    self.prices = prices
    self.line = line
    self.candles = candles
    self.source = source
  }
}

extension ConformanceSample {
  /// Creates a sample from the questions that a recording answers: coins with a price, a line, candles; nil when it
  /// answers none.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - provider: The provider that answers from it.
  /// - Throws: `BitpalError.recordingDamaged`, and other failures of the provider.
  public init?(_ recording: Recording, answeredBy provider: any PriceProvider) async throws {
    self.init(asked: recording)
    let answer = try await provider.answer(to: .quotes(coins: coins, currency: currency))
    coins = coins.filter { answer.answers[$0] != nil }
  }

  /// Creates a sample from the questions of a recording with a successful answer; nil when there are none.
  private init?(asked recording: Recording) {
    let good = recording.exchanges.filter { (200...299).contains($0.status) }
    var coins: [String] = []
    var currency: String?
    var line: Line?
    var candles: Candles?
    for exchange in good {
      switch exchange.query {
      case .quotes(let asked, let unit) where coins.isEmpty:
        coins = asked
        currency = unit
      case .line(let coin, let unit, let window) where line == nil:
        line = (coin, unit, window)
        currency = currency ?? unit
      case .candles(let coin, let unit, let window, let width) where candles == nil:
        candles = (coin, unit, window, width)
        currency = currency ?? unit
      default: continue
      }
    }
    guard let currency else { return nil }
    self.init(coins: coins, currency: currency, line: line, candles: candles)
  }
}

extension ConformanceSample {
  /// Creates a sample from the questions that the examples of a provider file answer.
  init(examplesOf source: DialectWithExamples) {
    let answered = source.examples.filter { $0.isAnswered && (try? $0.response()) != nil }
    var quotes = Quotes(answered, inBatches: source.isInBatches)
    var line: Line?
    var candles: Candles?
    for example in answered.sorted(by: { $0.rowCount > $1.rowCount }) {
      switch example.query {
      case .line(let coin, let currency, let window): line = line ?? (coin, currency, window)
      case .candles(let coin, let currency, let window, let width):
        candles = candles ?? (coin, currency, window, width)
      case .quotes, .coinList, .top, .detail: continue
      }
    }
    if source.dialect.descriptor.quotesLine != nil, let line {
      quotes = Quotes(currency: line.currency)
      for example in answered {
        guard case .line(let coin, line.currency, let window) = example.query, window.end == line.window.end,
          case .rows(let rows) = example.expectation, quotes.prices[coin] == nil
        else { continue }
        quotes.coins.append(coin)
        quotes.prices[coin] = rows.last?["price"]
      }
    }
    let currency = quotes.currency ?? line?.currency ?? candles?.currency ?? "usd"
    let code = source.code(of: currency)
    self.init(
      coins: quotes.coins, currency: currency,
      otherCurrency: source.dialect.descriptor.currencies.first { source.code(of: $0) != code },
      prices: quotes.prices, line: line, candles: candles, source: ExampleTransport(source))
    isOfExamples = true
  }

  /// The coins of the quotes examples, in the currency with the most coins.
  private struct Quotes {
    var currency: String?
    var coins: [String] = []
    var prices: [String: String] = [:]

    /// Chooses the examples.
    ///
    /// - Parameter inBatches: Whether one request names several coins; then all coins must be of one example, because
    ///   no body answers for two examples.
    init(_ examples: [DeclaredExample], inBatches: Bool) {
      var groups: [Quotes] = []
      for example in examples {
        guard case .quotes(let coins, let unit) = example.query else { continue }
        var index = groups.firstIndex { !inBatches && $0.currency == unit }
        if index == nil {
          groups.append(Quotes(currency: unit))
          index = groups.indices.last
        }
        guard let index else { continue }
        groups[index].add(coins, example)
      }
      self = groups.max { $0.coins.count < $1.coins.count } ?? Quotes(currency: nil)
    }

    init(currency: String?) { self.currency = currency }

    private mutating func add(_ asked: [String], _ example: DeclaredExample) {
      guard case .rows(let rows) = example.expectation else { return }
      for (index, row) in rows.enumerated() {
        let coin = row["id"] ?? (rows.count == asked.count ? asked[index] : nil)
        // The first of two examples for one coin answers.
        guard let coin, asked.contains(coin), !coins.contains(coin) else { continue }
        coins.append(coin)
        prices[coin] = row["price"]
      }
    }
  }
}

extension DeclaredExample {
  fileprivate var rowCount: Int {
    if case .rows(let rows) = expectation { rows.count } else { 0 }
  }
}

extension ConformanceSample {
  /// The question about the line; nil where none is known to be there.
  var lineQuery: ProviderQuery? {
    line.map { .line(coin: $0.coin, currency: $0.currency, window: $0.window) }
  }

  /// The question about the candles; nil where none are known to be there.
  var candlesQuery: ProviderQuery? {
    candles.map { .candles(coin: $0.coin, currency: $0.currency, window: $0.window, width: $0.width) }
  }
}
