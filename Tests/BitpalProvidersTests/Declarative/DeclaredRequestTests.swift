import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `Requests of a declared provider` {
  private static let quotes =
    "quotes:\n  get: /p/{id}/{symbol}/{SYMBOL}?in={currency},{CURRENCY}\n  fields: { price: $.p }\n"

  @Test func `Placeholders are percent-encoded where they stand`() throws {
    let dialect = try Declared(Self.quotes).dialect(tickers: ["a/b c": "x&y"])
    #expect(
      try dialect.request(for: .quotes(coins: ["a/b c"], currency: "usd")).url
        == "https://api.example.com/v1/p/a%2Fb%20c/x%26y/X%26Y?in=usd,USD")
  }

  @Test(arguments: [("/{id}/price", ".."), ("/coins/{id}", "."), ("/x/.{id}?a=b", "."), ("/{id}{symbol}", ".")])
  func `A coin that would lead to another place of the source is not asked for`(get: String, coin: String) throws {
    let file = try Declared("quotes:\n  get: \(get)\n  fields: { price: $.p }\n")
    let dialect = try file.dialect(tickers: [coin: ".", "a..": "a"])
    #expect(throws: BitpalError.notFound(coin: coin, provider: "mine")) {
      try dialect.request(for: .quotes(coins: [coin], currency: "usd"))
    }
    #expect(try dialect.request(for: .quotes(coins: ["a.."], currency: "usd")).url.contains("a.."))
  }

  @Test func `The file's ids, symbols and currency codes go before aliases`() throws {
    let dialect = try Declared(
      "ids: { bitcoin: btc-bitcoin }\nsymbols: { bitcoin: xbt }\ncurrencies: { usd: USDT }\n" + Self.quotes
    ).dialect(tickers: ["bitcoin": "btc"])
    #expect(
      try dialect.request(for: .quotes(coins: ["bitcoin"], currency: "usd")).url
        == "https://api.example.com/v1/p/btc-bitcoin/xbt/XBT?in=usdt,USDT")
    #expect(dialect.descriptor.currencies == ["usd"])
    let quote = try dialect.quotes(
      ["bitcoin"], currency: "usd", from: HTTPResponse(status: 200, body: Array(#"{"p":7}"#.utf8))
    ).value.coins["bitcoin"]
    #expect(quote?.symbol == "btc")
  }

  @Test func `A coin with an unknown ticker is not found, with the next step`() throws {
    let dialect = try Declared(Self.quotes).dialect()
    let error = BitpalError.notFound(coin: "bitcoin", provider: "mine")
    #expect(throws: error) { try dialect.request(for: .quotes(coins: ["bitcoin"], currency: "usd")) }
    #expect(
      error.hint
        == "look for it with \"bitpal search bitcoin\"")
  }

  @Test func `A batch leaves out the coins that it cannot name`() throws {
    let dialect = try Declared(
      "quotes:\n  get: /q?s={SYMBOLS}\n  batch: 3\n  each: $\n  fields: { symbol: $.s, price: $.p }\n"
    ).dialect(tickers: ["bitcoin": "btc", "ethereum": "eth"])
    let coins = ["bitcoin", "nope", "ethereum"]
    #expect(dialect.descriptor.coinsPerRequest == 3)
    #expect(
      try dialect.request(for: .quotes(coins: coins, currency: "usd")).url == "https://api.example.com/v1/q?s=BTC,ETH")
    let body = Array(#"[{"s":"eth","p":"2"},{"s":"BTC","p":1},{"s":"DOGE","p":3}]"#.utf8)
    let batch = try dialect.quotes(coins, currency: "usd", from: HTTPResponse(status: 200, body: body)).value
    #expect(batch.coins.mapValues(\.currentPrice) == ["bitcoin": 1, "ethereum": 2])
    #expect(batch.failures == ["nope": .notFound(coin: "nope", provider: "mine")])
  }

  @Test func `The key goes into a header, and into no description`() throws {
    let specification = try Declared("headers: { Authorization: \"Bearer {key}\", Accept: text/json }\n" + Self.quotes)
      .specification
    let dialect = try DeclarativeDialect(specification, key: Secret("hush")) { _ in "x" }
    let request = try dialect.request(for: .quotes(coins: ["a"], currency: "usd"))
    #expect(request.secret == HTTPRequest.SecretHeader("Authorization", Secret("hush"), after: "Bearer "))
    #expect(request.headers == [HTTPHeader("Accept", "text/json")])
    #expect(!request.curlCommand.contains("hush"))
    let keyless = try DeclarativeDialect(specification) { _ in "x" }
    #expect(try keyless.request(for: .quotes(coins: ["a"], currency: "usd")).secret == nil)
  }

  @Test func `A request costs the weight of its operation, and one token where that has none`() throws {
    let weighed = Self.candles.replacing("limit: 100", with: "limit: 100\n  weight: 15")
    let dialect = try Declared(weighed + Self.quotes).dialect(tickers: ["b": "b"])
    let window = Declared.window(.seconds(3600))
    #expect(
      try dialect.request(for: .candles(coin: "b", currency: "usd", window: window, width: window.length)).weight == 15)
    #expect(try dialect.request(for: .quotes(coins: ["b"], currency: "usd")).weight == 1)
    for weight in ["0", "1001", "two"] {
      #expect(throws: BitpalError.self) {
        try Declared(Self.candles.replacing("limit: 100", with: "weight: \(weight)")).dialect()
      }
    }
  }

  private static let candles = """
    candles:
      get: /c/{id}?w={interval}&from={from}&to={to}&from_ms={from_ms}&days={days}
      intervals: { 1m: one, 1h: sixty, 1d: day }
      limit: 100
      time: seconds
      each: $
      fields: { time: "$[0]", open: "$[1]", high: "$[2]", low: "$[3]", close: "$[4]" }

    """

  @Test(arguments: [
    ("1h", "1h", "sixty"), ("4h", "4h", "sixty"), ("90m", "30m", "one"), ("7d", "7d", "day"), ("1h", "30s", "one"),
  ])
  func `The width asked for is the wanted one, else one that divides it`(
    length: String, width: String, interval: String
  ) throws {
    let window = Declared.window(try #require(Duration(unitText: length)))
    let wanted = try #require(Duration(unitText: width))
    let query = ProviderQuery.candles(coin: "b", currency: "usd", window: window, width: wanted)
    let url = try Declared(Self.candles).dialect().request(for: query).url
    #expect(url.contains("?w=\(interval)&"))
  }

  @Test func `The candle in which the window begins is asked for too`() throws {
    let query = ProviderQuery.candles(
      coin: "b", currency: "usd", window: Declared.window(.seconds(7200)), width: .seconds(3600))
    #expect(
      try Declared(Self.candles).dialect().request(for: query).url
        == "https://api.example.com/v1/c/b?w=sixty&from=1736926200&to=1736937000&from_ms=1736926200000&days=1")
  }

  @Test func `A window that does not fit into one answer is requested in pieces, oldest first`() throws {
    let dialect = try Declared(Self.candles).dialect()
    let window = Declared.window(.seconds(250 * 86_400))
    let pages = dialect.pages(
      of: .candles(coin: "b", currency: "usd", window: window, width: .seconds(86_400)))
    let lengths = pages.compactMap { page -> Int64? in
      if case .candles(_, _, let window, _) = page { window.length.milliseconds / 86_400_000 } else { nil }
    }
    #expect(lengths == [54, 98, 98])
    let far = ProviderQuery.candles(
      coin: "b", currency: "usd", window: Declared.window(.seconds(2000 * 86_400)), width: .seconds(86_400))
    // Of what needs too many requests the latest pieces are asked for.
    let all = TimeWindow(start: ChartTimeRange.firstDay, end: Declared.now)
    for query in [far, .candles(coin: "b", currency: "usd", window: all, width: .seconds(86_400))] {
      let pages = dialect.pages(of: query)
      #expect(pages.count == (query == far ? 21 : 24) && pages.last?.window?.end == Declared.now)
    }
    let limit = try #require(dialect.descriptor.reach[.candles])
    #expect(limit.cause == .requests(24, rows: 100))
  }

  @Test func `A line that does not fit into one answer is asked for in pieces of one spacing`() throws {
    let file = """
      line:
        get: /l?w={interval}&from={from}&to={to}
        intervals: { 6h: six, 1d: day }
        limit: 100
        time: seconds
        each: $
        fields: { time: $.t, price: $.p }
      """
    let dialect = try Declared(file).dialect()
    func urls(_ days: Int) throws -> [String] {
      let window = Declared.window(.seconds(days * 86_400))
      return try dialect.pages(of: .line(coin: "b", currency: "usd", window: window)).map {
        try dialect.request(for: $0).url
      }
    }
    #expect(try urls(20).count == 1)
    #expect(try urls(20)[0].contains("w=six"))
    let year = try urls(365)
    #expect(year.count == 4 && year.allSatisfy { $0.contains("w=day") })
    #expect(year.last?.hasSuffix("&to=1736937000") == true)
  }

  private static func dated(_ get: String) -> String {
    "line:\n  get: \(get)\n  time: iso8601\n  each: $\n  fields: { time: $.t, price: $.p }\n"
  }

  @Test(arguments: [
    ("/{to:yyyy}.xml", ["/2023.xml", "/2024.xml", "/2025.xml"]),
    ("/x?y={date:yyyy}&m={date:M}", ["/x?y=2024&m=12", "/x?y=2025&m=1"]),
    ("/x?d={to:yyyyMM}01", ["/x?d=20241201", "/x?d=20250101"]),
    ("/x?a={from:yyyy}&b={to:yyyyMM}", ["/x?a=2023&b=202501"]), ("/x?since={from:yyyy}", ["/x?since=2023"]),
    ("/{to:yyyy}/{to:MM}/{to:dd}", ["/2025/01/15"]), ("/x?d={days}&y={to:yyyy}", ["/x?d=381&y=2025"]),
  ])
  func `A part of a date alone asks for each calendar year or month of the window`(
    get: String, urls: [String]
  ) throws {
    let dialect = try Declared(Self.dated(get)).dialect()
    let days = get.contains("{to:yyyyMM}01") || get.contains("{date:M}") ? 20 : 381
    let window = Declared.window(.seconds(days * 86_400))
    let pages = dialect.pages(of: .line(coin: "b", currency: "usd", window: window))
    #expect(try pages.map { try dialect.request(for: $0).url } == urls.map { "https://api.example.com/v1" + $0 })
    #expect(pages.first?.window?.start == window.start && pages.last?.window?.end == window.end)
  }

  @Test func `A year is asked for with its first and its last instant, and one without a file is empty`() throws {
    let dialect = try Declared(Self.dated("/{to:yyyy}.xml")).dialect()
    let midnight = Date(milliseconds: 1_735_689_600_000)
    let pages = dialect.pages(
      of: .line(
        coin: "b", currency: "usd", window: TimeWindow(start: midnight.adding(.seconds(-1)), end: midnight)))
    #expect(pages.map { $0.window?.start } == [midnight.adding(.seconds(-1)), midnight.adding(.milliseconds(-1))])
    #expect(pages.map { $0.window?.end } == [midnight.adding(.milliseconds(-1)), midnight])
    #expect(throws: BitpalError.noData(question: "the line of b", provider: "mine")) {
      try dialect.answer(to: pages[0], from: HTTPResponse(status: 404, body: Array("<html>".utf8)))
    }
    let all = TimeWindow(start: ChartTimeRange.firstDay, end: Declared.now)
    #expect(dialect.pages(of: .line(coin: "b", currency: "usd", window: all)).count <= 24)
    #expect(dialect.descriptor.reach[.line]?.cause == .requests(24, rows: 366))
  }

  @Test(arguments: [("/{to:yyyyMMdd}", true), ("/{to:yyyyMMdd}/{id}", false)])
  func
    `A source of one row per answer is asked for each day, and a day without a file is empty unless the coin is named`(
      get: String, isEmpty: Bool
    ) throws
  {
    let dialect = try Declared(
      Self.dated(get).replacing("time: iso8601", with: "time: iso8601\n  limit: 1\n  intervals: { 1d: 1 }")
    ).dialect()
    let window = Declared.window(.seconds(3 * 86_400))
    let pages = dialect.pages(of: .line(coin: "b", currency: "usd", window: window))
    let days = try pages.map {
      try dialect.request(for: $0).url.dropFirst("https://api.example.com/v1/".count).prefix(8)
    }
    #expect(days == ["20250113", "20250114", "20250115"])
    #expect(dialect.descriptor.reach[.line]?.cause == .requests(24, rows: 1))
    let missing = #expect(throws: BitpalError.self) {
      try dialect.answer(to: pages[0], from: HTTPResponse(status: 404, body: Array("<html>".utf8)))
    }
    #expect(missing?.code == (isEmpty ? .noData : .refused))
  }

  @Test func `A part of a date needs a letter of one, and a body a whole date`() throws {
    #expect(try Declared(Self.dated("/{to:-}")).complaint.contains("a time needs year, month and day"))
    let post = Self.dated("/x").replacing("get: /x", with: "post: /x\n  send: { y: \"{to:yyyy}\" }")
    #expect(try Declared(post).complaint.contains("a time needs year, month and day, and this has no M"))
  }

  @Test func `An operation may be at another base, which is a part of the source's identity`() throws {
    let text =
      Self.quotes + Self.dated("/l").replacing("line:", with: "line:\n  base_url: https://charts.example.com/v2")
    let dialect = try Declared(text).dialect()
    let line = ProviderQuery.line(coin: "b", currency: "usd", window: Declared.window(.seconds(60)))
    #expect(try dialect.request(for: line).url == "https://charts.example.com/v2/l")
    let other = try Declared(text.replacing("charts", with: "evil")).dialect()
    #expect(dialect.descriptor.cacheIdentity != other.descriptor.cacheIdentity)
    #expect(
      try Declared(text.replacing("https://charts", with: "http://charts")).complaint.contains(
        "line.base_url must begin with https://"))
    #expect(
      try Declared(text).specification.baseURLs == ["https://api.example.com/v1", "https://charts.example.com/v2"])
  }

  @Test func `A source without an end of the window is not asked about the past`() throws {
    let past = TimeWindow(
      start: Declared.now.adding(.seconds(-7200)), end: Declared.now.adding(.seconds(-3600)), isPast: true)
    let query = ProviderQuery.line(coin: "b", currency: "usd", window: past)
    func dialect(_ get: String) throws -> DeclarativeDialect {
      try Declared("line:\n  get: \(get)\n  time: seconds\n  each: $\n  fields: { time: $.t, price: $.p }\n").dialect()
    }
    #expect(
      throws: BitpalError.planLimit(provider: "mine", reason: "it cannot be asked for a time that ended in the past")
    ) { try dialect("/x?since={from}").request(for: query) }
    #expect(try dialect("/x?a={from}&b={to}").request(for: query).url.hasSuffix("/x?a=1736929800&b=1736933400"))
  }
}
