import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import Testing

@Suite struct `Bodies that a declared provider sends` {
  private static let usd = ProviderQuery.quotes(coins: ["bitcoin"], currency: "usd")

  private func request(_ text: String, _ query: ProviderQuery = usd) throws -> HTTPRequest {
    try Declared(text).dialect(tickers: ["bitcoin": "btc"]).request(for: query)
  }

  private func sent(_ text: String, _ query: ProviderQuery = usd) throws -> String {
    String(decoding: try #require(try request(text, query).body), as: UTF8.self)
  }

  private static func quotes(_ send: String, batch: String = "") -> String {
    "quotes:\n  post: /p\n  send: \(send)\n\(batch)  each: $\n  fields: { id: $.i, price: $.p }\n"
  }

  @Test func `A mapping is sent as JSON, in the order of the file`() throws {
    let text = Self.quotes(
      #"{ coin: "{id}", in: ["{CURRENCY}", x], "n \"q\"": 1.50, flag: true, no: null, text: "true", none: "", {} : 1 }"#
        .replacing(", {} : 1", with: ""))
    let request = try request(text)
    #expect(request.method == "POST")
    #expect(request.url == "https://api.example.com/v1/p")
    #expect(request.headers.first(named: "content-type") == "application/json")
    #expect(
      try sent(text)
        == #"{"coin":"bitcoin","in":["USD","x"],"n \"q\"":1.50,"flag":true,"no":null,"text":"true","none":""}"#)
  }

  @Test func `A name cannot leave the quotes that it stands in`() throws {
    let coin = #"a","admin":true,"b":"\"# + "\n\u{1}é"
    #expect(
      try sent(Self.quotes(#"{ coin: "x {id}" }"#), .quotes(coins: [coin], currency: "usd"))
        == #"{"coin":"x a\",\"admin\":true,\"b\":\"\\\n\u0001é"}"#)
    let form = Self.quotes("coin={id}&in={currency}")
    #expect(try sent(form, .quotes(coins: ["a&b=c d"], currency: "usd")) == "coin=a%26b%3Dc%20d&in=usd")
    #expect(try request(form).headers.first(named: "content-type") == "application/x-www-form-urlencoded")
    let xml = "headers: { Content-Type: text/xml }\n" + Self.quotes("<coin id=\"{id}\"/>")
    #expect(try sent(xml, .quotes(coins: ["<a>\"&"], currency: "usd")) == #"<coin id="&lt;a&gt;&quot;&amp;"/>"#)
    #expect(try request(xml).headers.filter { $0.name.lowercased() == "content-type" }.count == 1)
  }

  @Test func `Without quotes stand numbers, and several coins as a list`() throws {
    let batch = Self.quotes("{ ids: {ids}, tickers: {SYMBOLS}, all: \"{ids}\" }", batch: "  batch: 9\n")
    #expect(
      try sent(batch, .quotes(coins: ["bitcoin", "x"], currency: "usd"))
        == #"{"ids":["bitcoin","x"],"tickers":["BTC"],"all":"bitcoin,x"}"#)
    let line = """
      line:
        post: /l
        send: { a: {from}, b: "{from}", w: {interval}, d: "{from:yyyyMMdd}" }
        intervals: { 1h: 60, 1d: day }
        time: seconds
        fields: { time: $.t, price: $.p }
      """
    func query(_ length: Duration) -> ProviderQuery {
      .line(coin: "a", currency: "usd", window: Declared.window(length))
    }
    #expect(
      try sent(line, query(.seconds(86_400)))
        == #"{"a":1736850600,"b":"1736850600","w":60,"d":"20250114"}"#)
    #expect(try sent(line, query(.seconds(90 * 86_400))).contains(#""w":"day""#))
  }

  @Test func `A text is sent as it stands, and braces in it need not be placeholders`() throws {
    let text = Self.quotes(
      "|-\n    {\"query\": \"query($c: ID) { coin(id: $c) { price } }\", \"variables\": {\"c\": \"{ID}\"}}")
    #expect(
      try sent(text) == #"{"query": "query($c: ID) { coin(id: $c) { price } }", "variables": {"c": "BITCOIN"}}"#)
    #expect(try request("quotes:\n  post: /p/{id}\n  fields: { price: $.p }\n").body == [])
  }

  @Test func `The command that shows it sends the same`() throws {
    let request = try request(Self.quotes(#"{ coin: "it's {id}" }"#))
    #expect(
      request.curlCommand
        == #"curl --compressed -H 'accept: application/json' -H 'content-type: application/json' --data-raw "#
        + #"'{"coin":"it'\''s bitcoin"}' 'https://api.example.com/v1/p'"#)
  }

  @Test func `A window is written as dates, in any form`() throws {
    let text = """
      line:
        get: /l/{ID}?a={from:yyyy-MM-dd}&b={to:dd.MM.yyyy'T'HH:mm}&c={date}&d={date:yyMMdd}
        time: seconds
        fields: { time: $.t, price: $.p }
      """
    let query = ProviderQuery.line(coin: "fx:eur", currency: "usd", window: Declared.window(.seconds(86_400)))
    #expect(
      try request(text, query).url
        == "https://api.example.com/v1/l/FX%3AEUR?a=2025-01-14&b=15.01.2025T10%3A30&c=2025-01-15&d=250115")
    let past = TimeWindow(start: Declared.now.adding(.seconds(-86_400)), end: Declared.now, isPast: true)
    #expect(try request(text, .line(coin: "a", currency: "usd", window: past)).url.contains("c=2025-01-15"))
  }

  @Test func `The shortest history that covers the window is asked for, and all of it for one that is over`() throws {
    let text = """
      line:
        get: { max: /hist.xml, 90d: /hist-90d.xml, 5d: /hist-5d.xml }
        time: seconds
        fields: { time: $.t, price: $.p }
      candles:
        get: { 90d: /short, max: /long }
        intervals: { 1d: 1d }
        time: seconds
        fields: { time: $.t, open: $.o, high: $.h, low: $.l, close: $.c }
      """
    let dialect = try Declared(text).dialect()
    func path(_ days: Int, isPast: Bool = false) throws -> String {
      let start = Declared.now.adding(.seconds(-86_400 * days))
      let window = TimeWindow(start: start, end: Declared.now, isPast: isPast)
      return String(
        try dialect.request(for: .line(coin: "a", currency: "usd", window: window)).url.dropFirst(26))
    }
    #expect(try path(1) == "/hist-5d.xml")
    #expect(try path(5) == "/hist-5d.xml")
    #expect(try path(6) == "/hist-90d.xml")
    #expect(try path(91) == "/hist.xml")
    #expect(try path(3, isPast: true) == "/hist.xml")
    func candles(_ days: Int) throws -> String {
      try dialect.request(
        for: .candles(
          coin: "a", currency: "usd", window: Declared.window(.seconds(86_400 * days)), width: .seconds(86_400))
      ).url
    }
    let stretches = try Declared(text.replacing("max: /long }", with: "max: \"/long?to={to}\" }\n  limit: 10"))
      .dialect()
    let year = ProviderQuery.candles(
      coin: "a", currency: "usd", window: Declared.window(.seconds(86_400 * 50)), width: .seconds(86_400))
    #expect(stretches.pages(of: year) == [year])
    // The candle in which the window begins is wanted too.
    #expect(try candles(89).hasSuffix("/short") && candles(90).hasSuffix("/long"))
    let all = TimeWindow(start: ChartTimeRange.firstDay, end: Declared.now)
    #expect(try request(text, .line(coin: "a", currency: "usd", window: all)).url.hasSuffix("/hist.xml"))
  }
}
