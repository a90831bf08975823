import BitpalConfig
import BitpalModel
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalProviders

@Suite struct `The outline of a provider` {
  private func outline(
    _ body: String, _ url: String? = "https://api.example.com/now?coin=bitcoin&in=usd", headers: [String] = [],
    asking capability: Capability = .quotes, coin: String = "bitcoin", symbol: String? = "BTC",
    currency: String = "usd",
    statesCurrency: Bool = false
  ) throws -> Outline {
    let request = try SampleRequest(
      url, headers: headers, asking: capability, coin: coin, symbol: symbol, currency: currency,
      statesCurrency: statesCurrency)
    return try ProviderOutline(Array(body.utf8), of: request, id: "mine").outline
  }

  /// The faults that the settings' reader finds in a file, and the problems of its examples.
  private func problems(_ outline: Outline) throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write(outline.text, to: "mine.yaml")
    do throws(BitpalError) {
      let specification = try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(
        for: "mine")
      return try ExampleCheck(specification).run().compactMap(\.problem)
    } catch {
      guard case .configuration(let issues) = error else { throw error }
      return issues.map(\.message)
    }
  }

  private func fields(_ outline: Outline) -> [String] { outline.fields.map { "\($0.name) \($0.source)" } }

  /// Answers without a doubt, and the fields that are found in them.
  static let certain: [(body: String, url: String, fields: [String])] = [
    (
      #"{"market":{"bitcoin":{"seen":"2025-01-15T10:30:00Z","usd":{"last":"96841.32","day_ago":"96000"}}}}"#,
      "https://moonbase.example/now?coin=bitcoin&in=usd", ["price $.market.{id}.{currency}.last"]
    ),
    (
      #"{"open":"96000","high":"97300","low":"95900","last":"96841.32","volume":"171.02"}"#,
      "https://api.example.com/products/BTC-USD/stats", ["price $.last"]
    ),
    (
      #"{"bitcoin":{"usd":96841.32,"usd_market_cap":1911911911911,"last_updated_at":1736937000}}"#,
      "https://api.example.com/simple/price?ids=bitcoin&vs_currencies=usd",
      ["price $.{id}.{currency}", "time $.{id}.last_updated_at"]
    ),
    (
      #"[{"id":"bitcoin","current_price":96841.32,"ath":108135,"price_change_percentage_24h":0.8,"last_updated":"2025-01-15T10:30:00Z"}]"#,
      "https://api.example.com/markets?ids=bitcoin&vs_currency=usd",
      [
        "id $[0].id", "price $[0].current_price", "change_24h $[0].price_change_percentage_24h",
        "time $[0].last_updated",
      ]
    ),
    ("symbol;last\nBTC;96841.32\n", "https://gold.example/all/BTC/USD", ["price $.last"]),
    ("<a><price>5.5</price></a>", "https://gold.example/all/btcusd", []),
  ]

  @Test(arguments: certain) func `An answer without a doubt is a file that works`(
    body: String, url: String, fields: [String]
  ) throws {
    let outline = try outline(body, url)
    #expect(self.fields(outline) == fields)
    #expect(try problems(outline).isEmpty == outline.points.isEmpty, "\(outline.text)")
    #expect(outline.points.isEmpty == !fields.isEmpty, "\(outline.points)")
  }

  @Test(arguments: [
    #"{"bid":{"price":2.4},"ask":{"price":2.5}}"#, #"{"price":2.4,"last":2.5}"#, #"{"ath":{"price":108135}}"#,
    #"{"price":"96,841.32","n":1}"#, #"{"result":{"last":1736936940}, "n":1}"#, #"{"c":["96841.40","1"]}"#,
    #"[{"price":1},{"price":2}]"#, #"{"volume":{"bitcoin":{"usd":5}}}"#, #"{"rate":96841.32}"#,
  ])
  func `A price that may be another is a TODO, and its file is refused at the line of it`(body: String) throws {
    let outline = try outline(body)
    #expect(outline.fields.isEmpty && outline.text.contains("    price: TODO   # which it is: $"))
    #expect(
      try problems(outline).contains("quotes.fields.price: the file says TODO; fill it in there, see docs/providers.md")
    )
  }

  @Test(arguments: [
    #""cur":"eur""#, #""currencySymbol":"€""#, #""symbol":"€""#, #""symbol":"tBTCEUR""#,
    #""info":{"quote":{"code":"EUR"}}"#,
    #""description":"Bitcoin in Euro""#, #""title":"1 BTC to EUR""#, #""symbol":"BTC-USD-PERP""#,
    #""name":"BTC-27MAR26""#,
    #""error":"pair not found""#, #""ccy":"gbp""#, #""display":"£ 96,841""#, #""currency":"\u001b[31mEUR""#,
  ])
  func `A statement beside the price that is not what was asked for is a TODO`(statement: String) throws {
    let outline = try outline("{\"price\":96841.32,\(statement)}")
    #expect(outline.text.contains("    price: TODO   # which it is: "), "\(outline.text)")
  }

  @Test(arguments: [
    #""cur":"usd""#, #""currencySymbol":"$""#, #""symbol":"tBTCUSD""#, #""info":{"quote":{"code":"USD"}}"#,
    #""description":"Bitcoin in US Dollars""#, #""title":"1 BTC to USD""#, #""symbol":"BTC-USD""#, #""error":"""#,
    #""error":null"#, #""currency":"US$""#, #""currency":"USD""#, #""exchange":"In all markets""#,
  ])
  func `A statement of what was asked for is not`(statement: String) throws {
    #expect(try outline("{\"price\":96841.32,\(statement)}").points == [])
  }

  @Test func `A currency that the price is of is not one that it is in`() throws {
    for statement in [#""name":"Euro","code":"EUR","symbol":"€""#, #""description":"Euro / US Dollar""#] {
      let outline = try outline(
        "{\"price\":1.07,\(statement)}", "https://a.example/EUR/USD", coin: "fx:eur", symbol: "EUR")
      #expect(outline.points == [], "\(statement)")
    }
  }

  @Test func `A part that the URL does not show is a TODO: the coin, the currency, a time`() throws {
    let body = #"{"last":96841.32}"#
    #expect(try outline(body, nil).points.map { $0.prefix(8) } == ["base_url", "currenci", "get: wha"])
    #expect(try outline(body, "https://a.example/BTCUSDT").points.map { $0.prefix(8) } == ["currenci", "get: /BT"])
    #expect(try outline(body, "https://a.example/BTCUSDT", currency: "usdt").points.isEmpty)
    #expect(try outline(body, "https://a.example/BTC", statesCurrency: true).text.contains("\ncurrencies: [usd]\n"))
    #expect(
      try outline(body, "https://a.example/BTC/USD?at=1736936940").points == [
        "get: /{SYMBOL}/{CURRENCY}?at=1736936940 has a time in it; times of a series are {from}, {to} and their forms"
      ])
    let euro = #"{"data":{"last":5,"currency":"EUR"}}"#
    #expect(
      try outline(euro, "https://a.example/BTC", statesCurrency: true).points == [
        "currencies: [usd] or another, of its prices; the answer says EUR"
      ])
    let pence = try outline(#"{"last":75,"currency":"GBp"}"#, "https://a.example/BTC", currency: "gbp")
    #expect(pence.points.isEmpty && pence.text.contains("\ncurrency: $.currency\ncurrencies: [gbp]\n"))
    // Of a coin whose ticker is its id, neither is known to be meant; another coin has no ticker that was not said.
    #expect(try !outline(body, "https://a.example/near/usd", coin: "near", symbol: "NEAR").points.isEmpty)
    #expect(try !outline(body, "https://a.example/BTC/usd", coin: "ethereum", symbol: nil).points.isEmpty)
  }

  @Test func `Candles are found by their names, and arrays without names are TODOs`() throws {
    let url = "https://api.example.com/klines?symbol=BTCUSD&interval=1m&startTime=1736936880000"
    let named = try outline(
      #"[{"time_open":"2025-01-14T00:00:00Z","time_close":"2025-01-15T00:00:00Z","open":5,"high":7,"low":4,"close":6}]"#,
      url, asking: .candles)
    #expect(fields(named) == ["time $.time_open", "open $.open", "high $.high", "low $.low", "close $.close"])
    #expect(named.points == ["intervals: the widths that it has, such as { 1d: 1440 }"])
    #expect(named.text.contains("  get: /klines?symbol={SYMBOL}{CURRENCY}&interval={interval}&startTime={from_ms}\n"))
    let arrays = try outline(
      #"[[1736936940000,"5","7","4","6"],[1736937000000,"6","7","4","6"]]"#, url, asking: .candles)
    #expect(arrays.fields.isEmpty && arrays.text.contains("  time: milliseconds\n  each: $\n"))
    #expect(arrays.points.contains("close: which it is: $[1], $[2], $[3], $[4]"))
  }

  @Test func `Sheets are outlined by their delimiter, with or without names`() throws {
    for mark in [",", ";", "|", "\t"] {
      let sheet = "Date,Price,Volume\r\n2025-01-13,5.5,100\r\n2025-01-14,6.5,120\r\n".replacing(",", with: mark)
      let outline = try outline(sheet, "https://gold.example/BTC/usd", asking: .line)
      #expect(fields(outline) == ["time $.Date", "price $.Price"] && outline.points.isEmpty, "\(outline.text)")
      #expect(try problems(outline) == [])
    }
    let unnamed = try outline("2025-01-13,5.5\n2025-01-14,6.5\n", "https://gold.example/BTC/usd", asking: .line)
    #expect(unnamed.text.contains("  header: false\n") && unnamed.points.contains("price: which it is: $.c1"))
  }

  @Test(arguments: [
    "X-CMC_PRO_API_KEY=CG-canary-4711", "x_api_key=CG-canary-4711", "password=CG-canary-4711", "sig=CG-canary-4711",
    "client_secret=CG-canary-4711", "session=CG-canary-4711", "accessToken=CG%2Dcanary%2D4711",
  ])
  func `A key of the URL is not in the file, and its place is`(parameter: String) throws {
    let body = #"{"bitcoin":{"usd":96841.32},"you":"CG-canary-4711","hex":"43472d63616e6172792d34373131"}"#
    let outline = try outline(body, "https://moonbase.example/now?coin=bitcoin&\(parameter)&in=usd")
    #expect(!outline.text.contains("canary") && !outline.text.contains("43472d") && outline.text.contains("REDACTED"))
    #expect(outline.text.contains("={key}&in={currency}\n") && outline.text.contains("\nkey_env: MINE_API_KEY "))
    #expect(try problems(outline) == [])
  }

  @Test(arguments: [
    ("X-Api-Key: CG-canary", "X-Api-Key: \"{key}\""),
    ("Authorization: Bearer a1B2canary3C4", "Authorization: \"Bearer {key}\""),
  ])
  func `A key in a header is not in the file, and its place is`(line: String, written: String) throws {
    let body = #"{"price":96841.32,"you":"\#(line.split(separator: " ").last ?? "")"}"#
    let outline = try outline(body, headers: [line, "Accept-Language: en"])
    #expect(!outline.text.contains("canary") && outline.text.contains("REDACTED"))
    #expect(outline.text.contains("headers:\n  Accept-Language: \"en\"\n  \(written)\n"))
    #expect(try problems(outline) == [])
    #expect(throws: BitpalError.self) { _ = try self.outline(body, headers: [line, "X-Token: b"]) }
  }

  @Test func `A key in the path is redacted, and an address of a contract is not a key`() throws {
    let key = "a1B2c3D4e5F6g7H8i9J0kLmN"
    let body = #"{"price":96841.32,"echo":"\#(key)"}"#
    let outline = try outline(body, "https://moonbase.example/v2/\(key)/bitcoin/usd")
    #expect(!outline.text.contains(key) && outline.text.contains("get: TODO   # /v2/REDACTED/{id}/{currency}: "))
    let contract = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
    #expect(try self.outline(body, "https://moonbase.example/token/\(contract)").text.contains(contract))
  }

  @Test(arguments: [
    ("<html>", "the answer is neither JSON nor CSV nor XML; it starts with <html>"),
    ("", "the answer is neither JSON nor CSV nor XML; it starts with "),
    (#"{"ok":true,"name":"x"}"#, #"the answer has no number above zero: {"ok":true,"name":"x"}"#),
    ("[]", "the answer has no number above zero: []"),
  ])
  func `An answer without a number is refused`(body: String, message: String) {
    #expect { _ = try self.outline(body) } throws: { ($0 as? BitpalError)?.message == message }
  }

  @Test(arguments: ["Accept", ": x", "A b: c", "Accept:", "Accept: \u{7}"])
  func `A header without a name or a value is refused`(line: String) {
    #expect(throws: BitpalError.self) { _ = try self.outline(#"{"price":1}"#, headers: [line]) }
  }

  @Test func `The outline of a very large answer has no certain field`() throws {
    let many = (0..<11_000).map { "\"k\($0)\":{\"a\":\($0)}" }.joined(separator: ",")
    let outline = try outline(#"{"price":5,"other":{\#(many)}}"#)
    #expect(outline.fields.isEmpty && outline.text.contains("#   … and more\n"))
    #expect(outline.text.utf8.count < 20_000)
  }
}
