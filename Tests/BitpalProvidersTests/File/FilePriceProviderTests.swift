import BitpalConformance
import BitpalModel
import Foundation
import TestSupport
import Testing

@testable import BitpalProviders

@Suite struct `A provider of prices in a file` {
  private static let now = Date(milliseconds: 1_736_937_000_000)  // 2025-01-15T10:30:00Z

  private static let journal = """
    P 2025-01-13 BTC 95000 USD
    P 2025-01-14 BTC 96000 USD
    P 2025-01-14 BTC 93000 EUR
    P 2025-01-15 10:00:00 BTC 96500.25 USD
    P 2025-01-16 BTC 99000 USD
    P 2025-01-15 EUR $1.0312
    P 2025-01-15 AAPL 237.87 USD
    P 2025-01-15 "^GSPC" 5842.91 USD
    P 2025-01-15 MOON 0.5 USD
    """

  private let folder = FileManager.default.temporaryDirectory.path + "/bitpal-prices-" + UUID().uuidString
  private let warnings = Notes<String>()

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write(Self.journal)
  }

  private var path: String { folder + "/prices.db" }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
  }

  private func provider(_ change: (inout ProviderSpecification) -> Void = { _ in }) throws -> any PriceProvider {
    let source = FileKind(path: path, name: "prices.db")
    var specification = ProviderSpecification(id: "mine", name: "Mine", kind: source)
    change(&specification)
    let tickers = ["bitcoin": "btc"]
    let environment = ProviderEnvironment(
      time: FrozenTime(at: Self.now), trace: .silent, key: { _ in nil },
      transport: { _, _ in throw BitpalError.usage("a file needs no network") },
      specification: { throw BitpalError.usage($0) }, symbol: { tickers[$1] },
      warn: { [warnings] in warnings.add($0) })
    return try environment.provider(specification)
  }

  private func window(days: Int) -> TimeWindow {
    TimeWindow(ending: Self.now, length: .seconds(86_400 * days))
  }

  @Test func `The latest price not after the clock is the quote, with the line on which it stands`() async throws {
    let batch = try await provider().quotes(["bitcoin"], currency: "usd").value
    let coin = try #require(batch.coins["bitcoin"])
    #expect(coin.currentPrice.plainText == "96500.25")
    #expect(coin.place == path + ":4")
    #expect(coin.lastUpdated == Date(utcText: "2025-01-15T10:00:00Z"))
    #expect(coin.symbol == "btc")
  }

  @Test(arguments: [("fx:eur", "1.0312"), ("AAPL", "237.87"), ("^GSPC", "5842.91"), ("moon", "0.5")])
  func `A coin is found by its ticker, its currency's code or its id`(coin: String, price: String) async throws {
    let batch = try await provider().quotes([coin], currency: "usd").value
    #expect(batch.coins[coin]?.currentPrice.plainText == price)
  }

  @Test func `Pence become pounds, and an unknown unit is not the currency of its letters`() async throws {
    try write("P 2025-01-15 VOD 75 GBp\nP 2025-01-15 ODD 75 Gbp\n")
    let batch = try await provider().quotes(["VOD", "ODD"], currency: "gbp").value
    #expect(batch.coins.mapValues(\.currentPrice.plainText) == ["VOD": "0.75"])
    #expect(batch.failures["ODD"]?.code == .unsupportedCurrency)
    #expect(batch.failures["ODD"]?.description.contains("Gbp") == true)
  }

  @Test func `A name under symbols goes before every other`() async throws {
    let mapped = try provider { $0.symbols = ["lunar": "MOON", "AAPL": "none"] }
    let batch = try await mapped.quotes(["lunar", "AAPL"], currency: "usd").value
    #expect(batch.coins["lunar"]?.currentPrice.plainText == "0.5")
    #expect(batch.failures["AAPL"]?.code == .notFound)
  }

  @Test func `A coin without a price, before its first price, or in another currency fails alone`() async throws {
    let batch = try await provider().quotes(["bitcoin", "nope", "moon"], currency: "eur").value
    #expect(batch.coins["bitcoin"]?.currentPrice == 93_000)
    #expect(batch.failures["nope"]?.code == .notFound)
    guard case .unsupportedCurrency("eur", _, ["usd"])? = batch.failures["moon"] else {
      Issue.record("\(String(describing: batch.failures["moon"]))")
      return
    }
    try write("P 2025-02-01 BTC 1 USD\n")
    let early = try await provider().quotes(["bitcoin"], currency: "usd").value
    #expect(early.failures["bitcoin"]?.message.contains("its first is of 2025-02-01") == true)
  }

  @Test func `A line has the prices in its window and the one in force where it begins`() async throws {
    let line = try await provider().line("bitcoin", currency: "usd", window: window(days: 1)).value
    #expect(line.points.map(\.price.plainText) == ["96000", "96500.25"])
    #expect(line.points.first?.timestamp == Date(utcText: "2025-01-14T00:00:00.001Z"))
    await #expect(throws: BitpalError.self) {
      let old = TimeWindow(
        start: Self.now.adding(.seconds(-1800)), end: Self.now)
      _ = try await provider().line("AAPL", currency: "usd", window: old)
    }
  }

  @Test func `A day's own price is that day's close`() async throws {
    let line = try await provider().line("bitcoin", currency: "usd", window: window(days: 365)).value
    let closes = Resampling.dailyCloses(line, now: Self.now)
    #expect(closes.map { "\($0.dateText) \($0.price.plainText)" } == ["2025-01-13 95000", "2025-01-14 96000"])
  }

  @Test func `A change of the file is another identity and another answer at once`() async throws {
    let provider = try provider()
    let before = provider.descriptor.cacheIdentity
    #expect(provider.descriptor.cacheIdentity == before)
    #expect(try await provider.quotes(["moon"], currency: "usd").value.coins["moon"]?.currentPrice.plainText == "0.5")
    try write("P 2025-01-15 MOON 0.6 USD\n")
    #expect(provider.descriptor.cacheIdentity != before)
    #expect(try await provider.quotes(["moon"], currency: "usd").value.coins["moon"]?.currentPrice.plainText == "0.6")
  }

  @Test func `Lines that are left out are reported once per reading of the file`() async throws {
    try write("P 2025-01-15 MOON\nP 2025-01-15 BTC x\nP 2025-01-15 BTC 5 USD\n")
    let provider = try provider()
    for _ in 0..<2 {
      #expect(try await provider.quotes(["bitcoin"], currency: "usd").value.coins["bitcoin"]?.currentPrice == 5)
    }
    #expect(warnings.all.count == 1)
    #expect(warnings.all.first?.hasPrefix("left out 2 lines of prices.db, the first at prices.db:1:18: ") == true)
  }

  @Test func `A file that is gone is an error and not a price of the market`() async throws {
    try FileManager.default.removeItem(atPath: path)
    let provider = try provider()
    await #expect {
      _ = try await provider.quotes(["bitcoin"], currency: "usd")
    } throws: {
      ($0 as? BitpalError)?.code == .dataFile && ($0 as? BitpalError)?.has(.fallsBack) == false
    }
  }

  @Test(arguments: [("prices.db", "\u{0}\u{1}"), ("prices.csv", "a,b\n1,2\n"), ("prices.csv", "date,\"price\n")])
  func `A file that is none of prices is an error too`(name: String, text: String) async throws {
    let other = folder + "/" + name
    let bytes = name == "prices.db" ? Data([0x50, 0x20, 0xFF]) : Data(text.utf8)
    try bytes.write(to: URL(fileURLWithPath: other))
    let provider = try provider { $0.kind = FileKind(path: other, name: name) }
    await #expect {
      _ = try await provider.quotes(["bitcoin"], currency: "usd")
    } throws: {
      ($0 as? BitpalError)?.code == .configuration
    }
  }

  @Test func `It does what every provider must`() async throws {
    let provider = try provider()
    let sample = ConformanceSample(
      coins: ["bitcoin", "AAPL"], currency: "usd", otherCurrency: "eur", prices: ["bitcoin": "96500.25"],
      line: ("bitcoin", "usd", window(days: 7)))
    for result in await ProviderConformance(provider, sample: sample).check() {
      if case .failed(let why) = result.outcome { Issue.record("\(result.rule): \(why)") }
    }
  }
}
