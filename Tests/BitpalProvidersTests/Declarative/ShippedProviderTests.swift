import BitpalConfig
import BitpalModel
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `The provider files we ship` {
  static let ids = [
    "alphavantage", "binance", "bitstamp", "coinbase", "coinpaprika", "ecb", "frankfurter", "gemini", "kraken",
    "kucoin",
    "stooq", "yahoo",
  ]

  /// Those whose rows are elements of a list, and that go back for a year; in CSV every row is a row.
  private static let coins = ids.filter { !["alphavantage", "ecb", "frankfurter", "stooq", "yahoo"].contains($0) }

  private static func specification(_ id: String) throws -> ProviderSpecification {
    try ProviderCatalog(settings: Settings(providersDirs: [Declared.shipped])).specification(for: id)
  }

  @Test(arguments: ids)
  func `Every example comes out as it says`(id: String) throws {
    let outcomes = try ExampleCheck(try Self.specification(id)).run()
    for outcome in outcomes { #expect(outcome.problem == nil, "\(outcome.example.place.place)") }
    #expect(outcomes.count >= 5)
  }

  @Test(arguments: coins)
  func `A row that is a text spoils no list and no series`(id: String) throws {
    var specification = try Self.specification(id)
    var api = try #require(specification.declared)
    api.examples = api.examples.compactMap { example in
      guard case .inline(var body) = example.body, [.coinList, .line, .candles].contains(example.query.capability),
        let list = body.firstRange(of: "[[") ?? body.firstRange(of: "[{")
      else { return nil }
      body.insert(contentsOf: #""text","[","#, at: body.index(after: list.lowerBound))
      var example = example
      example.body = .inline(body)
      return example
    }
    specification.kind = DeclaredKind(api)
    let outcomes = try ExampleCheck(specification).run()
    for outcome in outcomes { #expect(outcome.problem == nil, "\(outcome.example.place.place)") }
    #expect(outcomes.count >= 2)
  }

  @Test(arguments: ids)
  func `Every operation has an example`(id: String) throws {
    let api = try #require(try Self.specification(id).declared)
    #expect(Set(api.examples.map(\.query.capability)) == Set(api.operations.keys))
  }

  @Test(arguments: ids)
  func `Every file says whose prices they are, and how often it may be asked`(id: String) throws {
    let specification = try Self.specification(id)
    #expect(specification.attribution != nil)
    #expect(!specification.rateLimits.isEmpty)
    #expect(specification.website != nil)
    #expect(specification.currencies?.contains("usd") == true)
  }

  @Test(arguments: coins)
  func `Every standard range can be asked for`(id: String) throws {
    let dialect = try DeclarativeDialect(try Self.specification(id))
    for range in ChartTimeRange.standard {
      let window = TimeWindow(ending: Declared.now, length: range.window)
      let query = ProviderQuery.candles(coin: "bitcoin", currency: "usd", window: window, width: range.candle)
      for page in dialect.pages(of: query) { #expect(throws: Never.self) { try dialect.request(for: page) } }
      let line = ProviderQuery.line(coin: "bitcoin", currency: "usd", window: window)
      #expect(throws: Never.self) { try dialect.request(for: line) }
    }
  }
}
