import BitpalModel
import FoundationEssentials

extension ConformanceSample {
  /// What the examples of a provider file have answers to.
  init(examplesOf dialect: DeclarativeDialect) {
    let answered = dialect.api.examples.filter { $0.isAnswered && (try? $0.bytes()) != nil }
    let quotes = Quotes(answered, inBatches: dialect.api.operations[.quotes]?.batch != nil)
    var line: Line?
    var candles: Candles?
    for example in answered.sorted(by: { $0.rowCount > $1.rowCount }) {
      switch example.query {
      case .line(let coin, let currency, let window): line = line ?? (coin, currency, window)
      case .candles(let coin, let currency, let window, let width):
        candles = candles ?? (coin, currency, window, width)
      case .quotes, .coinList, .detail: continue
      }
    }
    let currency = quotes.currency ?? line?.currency ?? candles?.currency ?? "usd"
    let code = dialect.names.code(of: currency)
    self.init(
      coins: quotes.coins, currency: currency,
      otherCurrency: dialect.descriptor.currencies.first { dialect.names.code(of: $0) != code },
      prices: quotes.prices, line: line, candles: candles, source: ExampleTransport(dialect))
    isOfExamples = true
  }

  /// The coins of the quotes examples in the currency that has the most.
  private struct Quotes {
    var currency: String?
    var coins: [String] = []
    var prices: [String: String] = [:]

    /// - Parameter inBatches: Whether one request names several coins; then they must be of one example, because no
    ///   body answers for two.
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

    private init(currency: String?) { self.currency = currency }

    private mutating func add(_ asked: [String], _ example: DeclaredExample) {
      guard case .rows(let rows) = example.expectation else { return }
      for (index, row) in rows.enumerated() {
        let coin = row["id"] ?? (rows.count == asked.count ? asked[index] : nil)
        // Of two examples of one coin the first answers.
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
