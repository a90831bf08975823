import BitpalConfig
import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `A provider for an unknown API` {
  /// An object keyed by coin, prices as texts, times in ISO 8601, and candles in a list below each day.
  static let file = """
    id: moonbase
    name: Moonbase
    kind: http
    base_url: https://moonbase.example
    quotes:
      get: /now?coins={ids}&in={currency}
      batch: 20
      time: iso8601
      each: $.market
      fields: { id: ":key", price: "$.{currency}.last", open_24h: "$.{currency}.day_ago", time: $.seen }
    candles:
      get: /days/{id}/{currency}?from={from_iso}
      intervals: { 1d: day }
      time: iso8601
      select: SELECT day.key AS time, day.value->'$.ohlc[0]' AS open, day.value->'$.ohlc[1]' AS high, day.value->'$.ohlc[2]' AS low, day.value->'$.ohlc[3]' AS close FROM json_each(:body, '$.days') AS day
    """

  private func dialect() throws -> DeclarativeDialect {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, to: "moonbase.yaml")
    return try DeclarativeDialect(
      try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: "moonbase"))
  }

  @Test func `It takes at most 15 lines and no Swift`() throws {
    #expect(Self.file.split(separator: "\n").count <= 15)
    #expect(try dialect().descriptor.capabilities == [.quotes, .candles])
  }

  @Test func `Its quotes are asked for at once and come out to the last digit`() throws {
    let dialect = try dialect()
    let coins = ["bitcoin", "ethereum", "nope"]
    #expect(
      try dialect.request(for: .quotes(coins: coins, currency: "eur")).url
        == "https://moonbase.example/now?coins=bitcoin,ethereum,nope&in=eur")
    let body = """
      {"market":{"bitcoin":{"seen":"2025-01-15T12:30:00+02:00","eur":{"last":"93000.123456789012345","day_ago":"93000"}},
      "ethereum":{"seen":"2025-01-15","eur":{"last":"3100","day_ago":"0"}}}}
      """
    let answer = try dialect.quotes(coins, currency: "eur", from: HTTPResponse(status: 200, body: Array(body.utf8)))
    let bitcoin = try #require(answer.value.coins["bitcoin"])
    #expect(bitcoin.currentPrice.plainText == "93000.123456789012345")
    #expect(bitcoin.priceChangePercentage24h?.plainText == "0.000132749235497145")
    #expect(bitcoin.lastUpdated?.iso8601 == "2025-01-15T10:30:00Z")
    #expect(bitcoin.name == "Bitcoin")
    let ethereum = try #require(answer.value.coins["ethereum"])
    #expect(ethereum.priceChangePercentage24h == nil)
    #expect(answer.value.failures == ["nope": .notFound(coin: "nope", provider: "moonbase")])
  }

  @Test func `Its candles stand below their day`() throws {
    let body = #"{"days":{"2025-01-15":{"ohlc":["4","5","3","4.5"]},"2025-01-14":{"ohlc":["1","2","0.5","1.50"]}}}"#
    let series = try dialect().candles(
      "bitcoin", currency: "eur", window: Declared.window(.seconds(2 * 86_400)), width: .seconds(86_400),
      from: HTTPResponse(status: 200, body: Array(body.utf8))
    ).value
    #expect(series.width == .seconds(86_400))
    #expect(series.candles.map(\.timestamp.iso8601) == ["2025-01-14T00:00:00Z", "2025-01-15T00:00:00Z"])
    #expect(series.candles.map(\.close.plainText) == ["1.5", "4.5"])
  }

  @Test func `A bad file beside it breaks nothing but itself`() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.file, to: "moonbase.yaml")
    try folder.write("id: broken\nname: B\nkind: http\nbase_url: https://x.example\nquotes: [", to: "broken.yaml")
    let catalog = ProviderCatalog(settings: Settings(providersDirs: [folder.path]))
    let outcomes = catalog.list().map { listing in
      switch listing.outcome {
      case .success: "\(listing.id): fine"
      case .failure: "\(listing.id): bad"
      }
    }
    #expect(outcomes == ["broken: bad", "coingecko: fine", "moonbase: fine"])
    #expect(throws: Never.self) { try catalog.specification(for: "moonbase") }
    #expect(throws: BitpalError.self) { try catalog.specification(for: "broken") }
  }
}
