import BitpalCache
import BitpalCharts
import BitpalModel
import BitpalNetwork
import BitpalPortfolio
import BitpalProviders
import BitpalRateLimit
import Foundation

/// Prints a table of what was measured, beside what it is held against.
@main
struct Bench {
  struct Row {
    let what: String
    let measured: String
    let against: String
    let wanted: String
    let met: String

    var cells: [String] { [what, measured, against, wanted, met] }
  }

  static func main() throws {
    var rows: [Row] = []
    rows += try caches()
    rows += try decoding()
    rows += try portfolios()
    rows += try drawing()
    if CommandLine.arguments.count > 1 { rows += try Processes(tool: CommandLine.arguments[1]).rows() }
    let head = Row(what: "what", measured: "measured", against: "against", wanted: "wanted", met: "met")
    let table = [head] + rows
    let widths = (0..<5).map { column in table.map { $0.cells[column].count }.max() ?? 0 }
    for (index, row) in table.enumerated() {
      print(line(zip(row.cells, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }))
      if index == 0 { print(line(widths.map { String(repeating: "-", count: $0) })) }
    }
  }

  private static func line(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |" }

  private static func limit(_ what: String, _ measurement: Measurement, _ most: Duration) -> Row {
    Row(
      what: what, measured: measurement.text, against: "", wanted: "<= \(Measurement(most).text)",
      met: measurement.duration <= most ? "yes" : "NO")
  }

  static func ratio(
    _ what: String, _ measurement: Measurement, _ name: String, _ other: Measurement, atLeast: Double
  ) -> Row {
    let ratio = other.duration / measurement.duration
    return Row(
      what: what, measured: measurement.text, against: "\(name) \(other.text)",
      wanted: ">= \(atLeast) x, is \(Double(Int(ratio * 100)) / 100)", met: ratio >= atLeast ? "yes" : "NO")
  }

  private static func caches() throws -> [Row] {
    let folder = NSTemporaryDirectory() + "bitpal-bench-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let cache = PriceCache(path: folder + "/c.db", memoryLimit: 1 << 20, diskLimit: 1 << 24) { print($0) }
    let key = CacheKey(provider: "p", operation: .quote, coin: "bitcoin", currency: "usd")
    let coin = try Coin(
      validating: "bitcoin", symbol: "btc", name: "Bitcoin", currentPrice: Decimal(strict: "67187.3358936566"),
      priceChange24h: Decimal(strict: "3.12502"), lastUpdated: Date(milliseconds: 1_736_937_000_000))
    cache.store([(key, CacheEntry(.quote(coin), fetchedAt: Date(milliseconds: 1_736_937_000_000), source: "p"))])
    var bucket = TokenBucket(capacity: 1 << 40, refill: .never)
    var now = Duration.zero
    return [
      limit("memory-tier hit", Measurement { _ = cache.entry(for: key) }, .microseconds(1)),
      limit("SQLite-tier hit", Measurement { _ = cache.storedEntry(for: key) }, .microseconds(30)),
      limit(
        "token-bucket take",
        Measurement {
          now += .nanoseconds(1)
          _ = bucket.take(1, at: now)
        }, .nanoseconds(200)),
    ]
  }

  private static func decoding() throws -> [Row] {
    let dialect = CoinGeckoDialect()
    let decoder = JSONDecoder()
    let window = TimeWindow(ending: Date(milliseconds: 1_736_937_000_000), length: .seconds(86_400))
    let quotes = Bodies.quotes(250)
    let ids = (0..<250).map { "coin-\($0)" }
    let line = Bodies.line(3700)
    let list = Bodies.coinList(17_900)
    func response(_ body: [UInt8]) -> HTTPResponse { HTTPResponse(status: 200, body: body) }
    return [
      ratio(
        "decode 250 quotes",
        try Measurement { _ = try dialect.quotes(ids, currency: "usd", from: response(quotes)) }, "JSONDecoder",
        try Measurement { _ = try decoder.decode([Decoded.Quote].self, from: Data(quotes)) }, atLeast: 1.5),
      ratio(
        "decode 3,700 points",
        try Measurement { _ = try dialect.line("x", currency: "usd", window: window, from: response(line)) },
        "JSONDecoder", try Measurement { _ = try decoder.decode(Decoded.Line.self, from: Data(line)) }, atLeast: 1.5),
      ratio(
        "decode 17,900-coin list", try Measurement { _ = try dialect.coinList(from: response(list)) }, "JSONDecoder",
        try Measurement { _ = try decoder.decode([Decoded.ListItem].self, from: Data(list)) }, atLeast: 1.5),
    ]
  }

  private static func portfolios() throws -> [Row] {
    func transactions(_ count: Int) throws -> [Transaction] {
      try (0..<count).map { index in
        let round = index / 50
        return try Transaction(
          validating: UUID(), coinId: "coin-\(index % 50)", type: round % 3 == 2 ? .sell : .buy,
          amount: Decimal(strict: round % 3 == 2 ? "0.5" : "1.\(1 + index % 89)"),
          pricePerCoin: Decimal(strict: "\(100 + index % 977).69702678"),
          date: Date(milliseconds: 1_600_000_000_000 + Int64(round) * 60_000))
      }
    }
    func ledger(_ transactions: [Transaction]) throws -> Measurement {
      try Measurement { _ = try Portfolio(try PortfolioLedger(transactions), quotes: [:]) }
    }
    let (small, middle, large) = (try transactions(500), try transactions(10_000), try transactions(100_000))
    return [
      limit("portfolio of 500 transactions", try ledger(small), .milliseconds(1)),
      limit("portfolio of 10,000 transactions", try ledger(middle), .milliseconds(30)),
      limit("portfolio of 100,000 transactions", try ledger(large), .milliseconds(300)),
    ]
  }

  private static func drawing() throws -> [Row] {
    let points = try (0..<10_000).map { index in
      ChartDataPoint(
        timestamp: Date(milliseconds: 1_700_000_000_000 + Int64(index) * 60_000),
        price: try Decimal(strict: "\(40_000 + (index * 7919) % 5000).125"))
    }
    let chart = Chart(.line(points), title: "t", subtitle: "s")
    return [limit("draw 10,000 points", Measurement { _ = TerminalChart(chart).lines() }, .milliseconds(10))]
  }
}
