import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials
import TestSupport
import Testing

@testable import Bitpal

/// A shape in a certain state.
struct ShapeCase: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let output: any OutputShape

  init(_ description: String, _ output: any OutputShape) {
    testDescription = description
    self.output = output
  }
}

@Suite struct `Every shape, without rows and with some` {
  private static let now = Date(timeIntervalSince1970: 1_736_937_000)
  private static let failure = CoinFailure(coin: "none", error: .notFound(coin: "none", provider: "test"))
  private static let provider = ProviderDescriptor(
    id: "test", name: "Test", kind: "recorded", capabilities: Set(Capability.allCases), cacheIdentity: "test")

  private static func sourced<Value: Sendable>(
    _ value: Value, of coin: String = "bitcoin", isStale: Bool = false, conversion: Conversion? = nil
  ) -> Sourced<Value> {
    Sourced(
      value, about: AnswerKey(provider: "test", kind: .quote, coin: coin), source: "test", fetchedAt: now,
      freshness: isStale ? .stale(age: .seconds(90), because: .offline) : .fresh, conversion: conversion)
  }

  private static func coin(_ id: String, _ price: Decimal, isBare: Bool = false) throws -> Coin {
    try Coin(
      validating: id, symbol: "x", name: id.capitalized, currentPrice: price,
      priceChangePercentage24h: isBare ? nil : -2,
      lastUpdated: isBare ? nil : now)
  }

  private static func prices() throws -> [ShapeCase] {
    let converted = Conversion(
      from: "usd", price: 2, rate: Decimal(string: "0.9") ?? 1, rateSource: "ecb", rateTime: now)
    let quotes = [
      sourced(try coin("bitcoin", 64_000)), sourced(try coin("ethereum", 2_500, isBare: true), isStale: true),
      sourced(try coin("pepe", 1), conversion: converted),
    ]
    let details = try quotes.map { quote in try quote.map { try CoinDetail(validating: $0) } }
    let full = try CoinDetail(
      validating: try coin("bitcoin", 64_000), marketCap: 9, totalVolume: 8, circulatingSupply: 7, totalSupply: 6,
      maximumSupply: 5, rank: 1, changes: PeriodChanges(week: 1, month: 2, year: 3),
      allTimeHigh: PriceExtreme(price: 100_000, date: now), allTimeLow: PriceExtreme(price: 1, date: nil),
      image: "https://x.test/y.png")
    let items = quotes.map { WatchlistItem(coinId: $0.value.id, dateAdded: now) }
    return [
      ShapeCase(
        "no prices", PricesOutput(QuotesAnswer(quotes: [], failures: [failure]), provider: nil, currency: "usd")),
      ShapeCase("prices", PricesOutput(QuotesAnswer(quotes: quotes, failures: []), provider: "test", currency: "eur")),
      ShapeCase("a coin", CoinOutput(sourced(full), provider: "test", currency: "usd")),
      ShapeCase("no coins", CoinsOutput([], failures: [failure], provider: "test", currency: "usd")),
      ShapeCase("coins", CoinsOutput(details, failures: [], provider: "test", currency: "usd")),
      ShapeCase("an empty watchlist", WatchlistOutput([], failures: [], provider: nil, currency: "usd")),
      ShapeCase(
        "a watchlist",
        WatchlistOutput(
          zip(items, [quotes[0], nil, quotes[2]]).map { ($0, $1) }, failures: [failure], provider: "test",
          currency: "usd")),
    ]
  }

  private static func series() throws -> [ShapeCase] {
    let day = now.startOfDay
    let candle = CandleDataPoint(timestamp: day, open: 1, high: 3, low: 1, close: 2, volume: nil)
    let closes = [Resampling.DailyClose(day: day, price: 2)]
    let whole = [Resampling.DailyClose(day: day, price: 2, candle: candle)]
    let missing = [CoinFailure(coin: "2025-01-02", error: .noData(question: "bitcoin", provider: "test"))]
    func history(_ closes: [Resampling.DailyClose]) -> HistoryOutput {
      HistoryOutput(
        HistoryAnswer(closes: sourced(closes), missing: closes.isEmpty ? missing : []), currency: "usd",
        provider: "test")
    }
    func question(_ type: ChartType) -> ChartQuestion {
      ChartQuestion(
        type: type, range: ChartTimeRange.standard[3], currency: "usd", now: now, descriptors: [provider])
    }
    let points = (0..<5).map {
      ChartDataPoint(timestamp: day.addingTimeInterval(Double($0) * 600), price: Decimal($0 + 1))
    }
    let line = sourced(LineSeries(points: points))
    let candles = sourced(CandleSeries(width: .seconds(1800), candles: [candle]))
    let found = [try CoinListItem(validating: "bitcoin", symbol: "btc", name: "Bitcoin")]
    return [
      ShapeCase("no closes", history([])), ShapeCase("closes", history(closes)),
      ShapeCase("whole days", history(whole)),
      ShapeCase("no histories", HistoriesOutput([], failures: [failure], currency: "usd", provider: nil)),
      ShapeCase(
        "histories",
        HistoriesOutput([CoinHistory(sourced(whole), name: "BTC")], failures: [], currency: "usd", provider: "test")),
      ShapeCase("an empty line", ChartOutput(.line(sourced(LineSeries(points: []))), question(.line))),
      ShapeCase("a line", ChartOutput(.line(line), question(.line), atMost: 3)),
      ShapeCase("candles", ChartOutput(.candles(candles), question(.candle))),
      ShapeCase("no comparison", ComparisonOutput(([], [failure]), question(.line))),
      ShapeCase(
        "a comparison",
        ComparisonOutput(([ComparedSeries(coin: "bitcoin", line: line)], []), question(.line), atMost: 2)),
      ShapeCase(
        "nothing found", SearchOutput(SearchAnswer(text: "x", coins: sourced([]), suggestion: "y"), currency: "usd")),
      ShapeCase("something found", SearchOutput(SearchAnswer(text: "bit", coins: sourced(found)), currency: "usd")),
    ]
  }

  private static func transaction(_ number: Int, _ type: TransactionType, _ price: Decimal?) throws -> Transaction {
    try Transaction(
      validating: UUID(), coinId: "bitcoin", type: type, amount: 1, pricePerCoin: price, fee: 1,
      date: now.addingTimeInterval(Double(number)), notes: number == 1 ? "a note" : nil)
  }

  private static func portfolios() throws -> [ShapeCase] {
    let trades = [
      try transaction(1, .buy, 100), try transaction(2, .buy, 200), try transaction(3, .sell, 300),
      try transaction(4, .send, nil),
    ]
    let open = try PortfolioLedger(Array(trades.prefix(3)))
    let closed = try PortfolioLedger(trades)
    let quote = sourced(try coin("bitcoin", 250))
    func portfolio(_ name: String, _ ledger: PortfolioLedger, _ quotes: [Sourced<Coin>]) throws -> [ShapeCase] {
      let value = try Portfolio(ledger, quotes: Dictionary(uniqueKeysWithValues: quotes.map { ($0.value.id, $0) }))
      return [PortfolioOutput.Part.summary, .holdings, .closed].map { part in
        ShapeCase(
          "\(name): \(part)",
          PortfolioOutput(
            value, part, of: .main, currency: "usd", prices: QuotesAnswer(quotes: quotes, failures: [failure])))
      }
    }
    let gains = try GainMethod.allCases.flatMap { method -> [ShapeCase] in
      let gains = try Gains(trades, by: method)
      return [
        ShapeCase(
          "gains by \(method)", try GainsOutput(gains, of: .main, currency: "usd", days: .all, zone: .utc)),
        ShapeCase("lots by \(method)", LotsOutput(gains.lots, by: method, of: .main, currency: "usd")),
      ]
    }
    let list = TransactionsOutput(trades, of: .main, currency: "usd")
    return try portfolio("empty", PortfolioLedger([]), []) + portfolio("without prices", open, [])
      + portfolio("open", open, [quote]) + portfolio("closed", closed, [quote]) + gains + [
        ShapeCase("no transactions", TransactionsOutput([], of: .main, currency: "usd")),
        ShapeCase("transactions", list), ShapeCase("no portfolios", PortfoliosOutput([])),
        ShapeCase(
          "an import",
          ImportPlanOutput(
            file: "a.csv", importID: "x", rows: 5, adding: list, known: 1,
            skippedRows: [SkippedRow(reason: "no coin", rows: 2)], sums: [.init(unit: "BTC", stated: 1, recorded: 1)])),
        ShapeCase("a placeholder", WidgetOutput(.placeholder(at: now))),
      ]
  }

  private static func others() -> [ShapeCase] {
    let everyCause = BitpalError.allFailed([
      ProviderFailure(provider: "a", error: .timedOut(provider: "a", limit: .seconds(1)))
    ])
    return [
      ShapeCase("no findings", DoctorOutput([])),
      ShapeCase("findings", DoctorOutput([Finding(.files, "b", "c"), Finding(.data, "b", .bad, "c", fix: "d")])),
      ShapeCase("settings", SettingsOutput.settings([("a.b", "1", "built in")])),
      ShapeCase("a provider", SettingsOutput.provider([])), ShapeCase("trusted", TrustOutput([("/a", .changed)])),
      ShapeCase("own imports", ImportsOutput([])), ShapeCase("schemas", SchemasOutput()),
      ShapeCase("a notice", NoticeOutput(.note, "text")),
      ShapeCase("a coin's error", ErrorOutput(everyCause, coin: "x")),
      ShapeCase("done", DoneOutput("config path")),
      ShapeCase(
        "facts",
        DoneOutput("x", about: "y", ["text": "a", "count": 1, "none": String?.none, "flag": true, "list": ["a"]])),
      ShapeCase(
        "trust",
        TrustedOutput(
          folder: "/a", sha256: "00", providerFiles: [], importFiles: ["b.yaml"], dataFiles: [],
          programs: [("p", ["sh", "x"], ["x"], false)], sources: [("q", ["h.test"])])),
    ]
  }

  private static func sources() -> [ShapeCase] {
    let check = ProviderCheckOutput(
      provider: "a", file: nil, examples: [("a.yaml:1", "quotes b", 1, nil), ("a.yaml:5", "quotes c", 0, "no price")],
      withoutExample: [], rules: [("order", false, "FAILED", nil, "in order", "so")])
    let bad = BitpalError.configuration([ConfigurationIssue(file: "b.yaml", message: "wrong")])
    let summary = ProviderSummary(
      id: "a", descriptor: provider, specification: nil, file: "/a.yaml", isKeySet: true, isShadowed: false,
      isTrusted: true, problem: nil)
    return [
      ShapeCase("checks", ProviderChecksOutput([("a", .success(check)), ("b", .failure(bad))])),
      ShapeCase("providers", ProvidersOutput([summary, summary.withoutPlace])),
      ShapeCase(
        "coverage",
        CoverageOutput(
          [CoinCoverage(source: summary, verdict: .named, reason: "as B")], coin: "b", currency: nil)),
    ]
  }

  @Test func `The problem of a provider is its first difference, and the first line of a fault`() {
    let rule: ProviderCheckOutput.Rule = ("order", false, "FAILED", nil, "in order", "so")
    let kept: ProviderCheckOutput.Rule = ("limits", nil, "skipped", "no lines", "in order", "so")
    func problem(_ examples: [ProviderCheckOutput.Example], _ rules: [ProviderCheckOutput.Rule]) -> String? {
      ProviderChecksOutput.problem(
        of: (
          "a",
          .success(ProviderCheckOutput(provider: "a", file: nil, examples: examples, withoutExample: [], rules: rules))
        ))
    }
    #expect(problem([("a.yaml:1", "q", 1, nil)], [kept]) == nil)
    #expect(problem([("a.yaml:1", "q", 0, "no price")], [rule]) == "a.yaml:1: no price")
    #expect(problem([], [kept, rule]) == "order: in order")
    let fault = ConfigurationIssue(file: "b.yaml", line: 1, column: 2, message: "wrong", excerpt: "a: b")
    #expect(ProviderChecksOutput.problem(of: ("b", .failure(.configuration([fault])))) == "b.yaml:1:2: wrong")
  }

  private static let cases = Result { try prices() + series() + portfolios() + others() + sources() }

  @Test(arguments: try cases.get())
  func `Is as its schema says, and its rows have the keys of the columns`(shape: ShapeCase) throws {
    let output = shape.output
    let check = try JSONSchemaCheck(Data(output.schema.text.utf8), isClosed: true)
    #expect(check.fault(in: output.jsonText) == nil)
    #expect(check.fault(in: output.jsonLine) == nil)
    #expect(output.json.members.first?.key == "schema" && output.json.members.last?.key == "errors")
    let columns = Set(output.columns)
    #expect(columns.count == output.columns.count)
    for row in output.rows { #expect(Set(row.members.map(\.key)).isSubset(of: columns.union(["coin", "causes"]))) }
    #expect(output.csv.hasPrefix(output.columns.joined(separator: ",") + "\n"))
    #expect(output.csv.split(separator: "\n").count == output.rows.count + 1)
    #expect(output.jsonLines.split(separator: "\n").count == output.rows.count)
  }

  @Test func `Each schema has a name of its own, and is among all`() throws {
    let names = OutputSchema.all.map(\.schema)
    #expect(Set(names).count == names.count)
    for shape in try Self.cases.get() { #expect(names.contains(shape.output.schema.schema)) }
  }

  @Test func `An optional value may be null, or its key is missing where the schema says so`() throws {
    let fields: Fields<(name: String, note: String?, mark: Int?)> = [
      Field("name", .text("A name.")) { $0.name }, Field("note", .text("A note.")) { $0.note },
      Field("mark", .count("A mark.").orMissing) { $0.mark },
    ]
    #expect(fields.keys == ["name", "note", "mark"])
    #expect(JSONValue.object(fields.object(("a", nil, nil))).compact() == #"{"name":"a","note":null}"#)
    #expect(JSONValue.object(fields.object(("a", "b", 3))).compact() == #"{"name":"a","note":"b","mark":3}"#)
    let schema = JSONValue.object(ValueSchema.object(fields.schema).json("#/$defs/")).compact()
    #expect(schema.contains(#""note":{"description":"A note.","type":["string","null"]}"#))
    #expect(schema.hasSuffix(#""required":["name","note"]}"#))
  }
}
