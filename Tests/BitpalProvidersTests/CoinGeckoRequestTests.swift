import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import Testing

@Suite struct `Requests to CoinGecko` {
  private let dialect = CoinGeckoDialect()
  private let now = Date(milliseconds: 1_736_937_000_000)

  private func window(_ text: String) throws -> TimeWindow {
    TimeWindow(ending: now, length: try #require(Duration(unitText: text)))
  }

  @Test func `Quotes name their ids without a space, in full precision`() throws {
    let request = try dialect.request(for: .quotes(coins: ["bitcoin", "1move token", "bitCNY"], currency: "usd"))
    #expect(
      request.url
        == "https://api.coingecko.com/api/v3/coins/markets?vs_currency=usd&ids=bitcoin,1move%20token,bitCNY"
        + "&order=market_cap_desc&per_page=250&page=1&sparkline=true&price_change_percentage=1h,24h,7d,30d,1y"
        + "&precision=full")
  }

  @Test func `A request that is filled up fits into a URL`() throws {
    let room = try #require(dialect.descriptor.room)
    let id = String(repeating: "a", count: room.bytes - 1)
    let url = try dialect.request(for: .quotes(coins: [id], currency: "abcdefgh")).url
    #expect(url.utf8.count == dialect.descriptor.longestURL - 1)
  }

  @Test func `The list is asked without platforms, a detail as a quote is`() throws {
    #expect(
      try dialect.request(for: .coinList).url == "https://api.coingecko.com/api/v3/coins/list?include_platform=false")
    let detail = try dialect.request(for: .detail(coin: "boringdao-[old]/x", currency: "eur"))
    #expect(detail == (try dialect.request(for: .quotes(coins: ["boringdao-[old]/x"], currency: "eur"))))
    #expect(detail.url.contains("?vs_currency=eur&ids=boringdao-%5Bold%5D%2Fx&"))
  }

  @Test(arguments: [".", "..", ""]) func `A coin that no path can name is not asked for`(coin: String) throws {
    let day = try window("1d")
    let questions: [ProviderQuery] = [
      .detail(coin: coin, currency: "usd"), .line(coin: coin, currency: "usd", window: day),
      .candles(coin: coin, currency: "usd", window: day, width: .seconds(60)),
    ]
    for question in questions {
      #expect(throws: BitpalError.notFound(coin: coin, provider: "coingecko")) { try dialect.request(for: question) }
    }
  }

  @Test(arguments: [("15m", "1"), ("1h", "1"), ("1d", "1"), ("25h", "2"), ("7d", "7"), ("30d", "30"), ("365d", "365")])
  func `A line is asked in whole days that cover the window`(length: String, days: String) throws {
    let url = try dialect.request(for: .line(coin: "bitcoin", currency: "usd", window: window(length))).url
    #expect(url == "https://api.coingecko.com/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=\(days)")
  }

  @Test(arguments: [
    ("15m", "1"), ("1d", "1"), ("2d", "7"), ("7d", "7"), ("8d", "14"), ("30d", "30"), ("31d", "90"), ("365d", "365"),
  ])
  func `Candles are asked for in the days that are allowed`(length: String, days: String) throws {
    let query = ProviderQuery.candles(coin: "bitcoin", currency: "usd", window: try window(length), width: .seconds(60))
    #expect(
      try dialect.request(for: query).url
        == "https://api.coingecko.com/api/v3/coins/bitcoin/ohlc?vs_currency=usd&days=\(days)&precision=full")
  }

  @Test func `A line that is over is asked between its instants, and candles of it are refused`() throws {
    let end = now.adding(.seconds(-86_400))
    let past = TimeWindow(start: end.adding(.seconds(-3600)), end: end, isPast: true)
    #expect(
      try dialect.request(for: .line(coin: "bitcoin", currency: "usd", window: past)).url
        == "https://api.coingecko.com/api/v3/coins/bitcoin/market_chart/range?vs_currency=usd&from=1736847000&to=1736850600"
    )
    #expect(
      throws: BitpalError.planLimit(
        provider: "coingecko", reason: "it has no candles of a time that ended in the past")
    ) {
      try dialect.request(for: .candles(coin: "bitcoin", currency: "usd", window: past, width: .seconds(3600)))
    }
  }

  @Test func `A request for all data is limited to the reach of the plan`() throws {
    let all = TimeWindow(start: ChartTimeRange.firstDay, end: now)
    let line = ProviderQuery.line(coin: "bitcoin", currency: "usd", window: all)
    #expect(try dialect.request(for: line).url.hasSuffix("&days=365"))
    #expect(try CoinGeckoDialect(tier: .pro).request(for: line).url.hasSuffix("&days=max"))
    let candles = ProviderQuery.candles(coin: "bitcoin", currency: "usd", window: all, width: .seconds(86_400))
    #expect(try dialect.request(for: candles).url.hasSuffix("&days=365&precision=full"))
  }

  @Test func `A window beyond the plan is refused before a request is spent`() throws {
    let far = try window("366d")
    let error = BitpalError.planLimit(provider: "coingecko", reason: "it goes back 365 days without a paid key")
    #expect(throws: error) { try dialect.request(for: .line(coin: "bitcoin", currency: "usd", window: far)) }
    #expect(throws: error) {
      try dialect.request(for: .candles(coin: "bitcoin", currency: "usd", window: far, width: .seconds(60)))
    }
    #expect(throws: Never.self) {
      try CoinGeckoDialect(tier: .pro).request(for: .line(coin: "bitcoin", currency: "usd", window: far))
    }
  }

  @Test(
    arguments: [
      (CoinGeckoTier.public, "api.coingecko.com", nil), (.demo, "api.coingecko.com", "x-cg-demo-api-key"),
      (.pro, "pro-api.coingecko.com", "x-cg-pro-api-key"),
    ] as [(CoinGeckoTier, String, String?)])
  func `Each plan has its host and its header`(tier: CoinGeckoTier, host: String, header: String?) throws {
    let request = try CoinGeckoDialect(tier: tier, key: Secret("CG-x")).request(for: .coinList)
    #expect(request.url.hasPrefix("https://\(host)/api/v3/"))
    #expect(request.secret?.name == header)
    #expect(!request.curlCommand.contains("CG-x"))
  }
}
