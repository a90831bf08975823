import BitpalConfig
import BitpalModel
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `The provider files we ship` {
  /// All files but those of CoinGecko and of the recording, which have a kind of their own.
  static let ids = names.filter { $0 != "coingecko" && $0 != "fixture" }

  private static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Declared.shipped)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  /// Those about coins.
  private static let coins = ids.filter { id in
    let category = (try? specification(id))?.facts.category
    return category == .exchange || category == .aggregator
  }

  /// Those about coins whose lists and series are JSON, and which go back for a year.
  private static let series = coins.filter { id in
    let operations = (try? specification(id))?.declared?.operations ?? [:]
    return operations[.candles]?.limit != nil && operations[.candles]?.body == .json
  }

  private static func specification(_ id: String) throws -> ProviderSpecification {
    try ProviderCatalog(settings: Settings(providersDirs: [Declared.shipped])).specification(for: id)
  }

  @Test(arguments: ids)
  func `Every example comes out as it says`(id: String) throws {
    let outcomes = try ExampleCheck(try Self.specification(id)).run()
    for outcome in outcomes { #expect(outcome.problem == nil, "\(outcome.example.place.place)") }
    #expect(outcomes.count >= 4)
  }

  @Test func `There are sixty and more, of every category`() throws {
    #expect(Self.ids.count >= 60)
    let categories = try Set(Self.ids.compactMap { try Self.specification($0).facts.category })
    #expect(categories == Set(SourceFacts.Category.allCases))
  }

  @Test(arguments: names)
  func `A file has at most sixty lines without its examples`(id: String) throws {
    let text = try String(contentsOfFile: "\(Declared.shipped)/\(id).yaml", encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.hasPrefix("examples:") }
    #expect(lines.count { !$0.allSatisfy(\.isWhitespace) } <= 60)
  }

  @Test(arguments: series)
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
    for outcome in try ExampleCheck(specification).run() {
      #expect(outcome.problem == nil, "\(outcome.example.place.place)")
    }
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
    #expect(specification.currencies?.isEmpty == false)
    #expect(specification.facts.category != nil)
  }

  @Test(arguments: series)
  func `Every standard range can be asked for`(id: String) throws {
    let specification = try Self.specification(id)
    let dialect = try DeclarativeDialect(specification)
    let currency = try #require(specification.currencies?.first)
    for range in ChartTimeRange.standard {
      let window = TimeWindow(ending: Declared.now, length: range.window)
      let query = ProviderQuery.candles(coin: "bitcoin", currency: currency, window: window, width: range.candle)
      for page in dialect.pages(of: query) { #expect(throws: Never.self) { try dialect.request(for: page) } }
      guard dialect.descriptor.capabilities.contains(.line) else { continue }
      let line = ProviderQuery.line(coin: "bitcoin", currency: currency, window: window)
      #expect(throws: Never.self) { try dialect.request(for: line) }
    }
  }
}
