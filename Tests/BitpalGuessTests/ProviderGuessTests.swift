import BitpalConfig
import BitpalModel
import BitpalProviders
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalGuess

@Suite struct `A provider file guessed from one answer` {
  /// An answer in the shape of a source, and what must be found in it.
  struct Shape: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let url: String
    let body: String
    var base = "https://api.example.com"
    let get: String
    let findings: [String]
  }

  static let shapes = [
    Shape(
      testDescription: "an object by pair, figures in lists",
      url: "https://api.example.com/0/public/Ticker?pair=XBTUSD",
      body: """
        {"error":[],"result":{"XXBTZUSD":{"a":["96841.40","1","1.000"],"b":["96841.30","2","2.000"],"c":["96841.32","0.01"],
        "v":["100.1","200.2"],"p":["96500.0","96400.0"],"t":[1000,2000],"l":["95900.0","95900.0"],"h":["97300.0","97300.0"],
        "o":"96000.00"}}}
        """,
      base: "https://api.example.com/0/public", get: "/Ticker?pair={SYMBOL}{CURRENCY}",
      findings: ["price $.c[0] certain", "open_24h $.o guess"]),
    Shape(
      testDescription: "one flat object", url: "https://api.example.com/products/BTC-USD/stats",
      body:
        #"{"open":"96000","high":"97300","low":"95900","last":"96841.32","volume":"171.02","volume_30day":"6154.99"}"#,
      get: "/products/{SYMBOL}-{CURRENCY}/stats", findings: ["price $.last certain", "open_24h $.open guess"]),
    Shape(
      testDescription: "a long flat object, times in milliseconds",
      url: "https://api.example.com/api/v3/ticker/24hr?symbol=BTCUSDT",
      body: """
        {"symbol":"BTCUSDT","priceChange":"841.32000000","priceChangePercent":"0.876","weightedAvgPrice":"96500.1",
        "prevClosePrice":"96000.00000000","lastPrice":"96841.32000000","lastQty":"0.486","bidPrice":"96841.31",
        "askPrice":"96841.33","openPrice":"96000.00000000","highPrice":"97300.0","lowPrice":"95900.0","volume":"26482.1",
        "openTime":1736850600000,"closeTime":1736937000000,"firstId":1,"lastId":195468,"count":195468}
        """,
      base: "https://api.example.com/api/v3", get: "/ticker/24hr?symbol={SYMBOL}{CURRENCY}",
      findings: [
        "price $.lastPrice certain", "change_24h $.priceChangePercent certain", "time $.closeTime certain",
      ]),
    Shape(
      testDescription: "quotes by currency below the coin",
      url: "https://api.example.com/v1/tickers/btc-bitcoin?quotes=USD",
      body: """
        {"id":"btc-bitcoin","name":"Bitcoin","symbol":"BTC","rank":1,"total_supply":19810000,"beta_value":0.9,
        "first_data_at":"2010-07-17T00:00:00Z","last_updated":"2025-01-15T10:29:22Z","quotes":{"USD":{
        "price":96512.57931641128,"volume_24h":35357658696.99645,"market_cap":1911911911911,"market_cap_change_24h":-0.2,
        "percent_change_1h":0.01,"percent_change_24h":-0.15,"ath_price":108135,"ath_date":"2024-12-17T16:51:15Z"}}}
        """,
      base: "https://api.example.com/v1", get: "/tickers/{id}?quotes={CURRENCY}",
      findings: [
        "price $.quotes.{CURRENCY}.price certain", "change_24h $.quotes.{CURRENCY}.percent_change_24h certain",
        "time $.last_updated certain",
      ]),
    Shape(
      testDescription: "a list of coins",
      url: "https://api.example.com/api/v3/coins/markets?vs_currency=usd&ids=bitcoin,ethereum",
      body: """
        [{"id":"bitcoin","symbol":"btc","name":"Bitcoin","current_price":96841.32,"market_cap":1911911911911,
        "high_24h":97300,"low_24h":95900,"price_change_24h":841.32,"price_change_percentage_24h":0.87637,
        "ath":108135,"ath_date":"2024-12-17T15:02:41.429Z","last_updated":"2025-01-15T10:30:00.123Z"},
        {"id":"ethereum","symbol":"eth","name":"Ethereum","current_price":3225.1,"market_cap":388388388388,
        "high_24h":3300,"low_24h":3100,"price_change_24h":25.1,"price_change_percentage_24h":0.784,
        "ath":4878.26,"ath_date":"2021-11-10T14:24:19.604Z","last_updated":"2025-01-15T10:30:01.000Z"}]
        """,
      base: "https://api.example.com/api/v3", get: "/coins/markets?vs_currency={currency}&ids={ids}",
      findings: [
        "price $.current_price certain", "id $.id certain", "change_24h $.price_change_percentage_24h certain",
        "time $.last_updated certain",
      ]),
    Shape(
      testDescription: "prices by coin and currency",
      url: "https://api.example.com/api/v3/simple/price?ids=bitcoin&vs_currencies=usd&include_24hr_change=true",
      body: #"{"bitcoin":{"usd":96841.32,"usd_24h_change":0.87637,"last_updated_at":1736937000}}"#,
      base: "https://api.example.com/api/v3",
      get: "/simple/price?ids={ids}&vs_currencies={currency}&include_24hr_change=true",
      findings: [
        "price $.{currency} certain", "id :key certain", "change_24h $.{currency}_24h_change certain",
        "time $.last_updated_at certain",
      ]),
    Shape(
      testDescription: "a shape of nobody's", url: "https://moonbase.example/now?coin=bitcoin&in=usd",
      body: #"{"market":{"bitcoin":{"seen":"2025-01-15T10:30:00Z","usd":{"last":"96841.32","day_ago":"96000"}}}}"#,
      base: "https://moonbase.example", get: "/now?coin={id}&in={currency}",
      findings: [
        "price $.market.{id}.{currency}.last certain", "open_24h $.market.{id}.{currency}.day_ago likely",
        "time $.market.{id}.seen certain",
      ]),
    Shape(
      testDescription: "candles in lists, low before high, newest first",
      url: "https://api.example.com/products/BTC-USD/candles?granularity=60&start=2025-01-15T10:00:00Z",
      body: """
        [[1736937060,96520.4,96560,96530.5,96550.2,1.5],[1736937000,96500.12,96540,96510.01,96530.5,2.85107455],
        [1736936940,96480.5,96515,96490,96510.01,4.7],[1736936880,96470,96495,96475.5,96490,3.1]]
        """,
      get: "/products/{SYMBOL}-{CURRENCY}/candles?granularity={interval}&start={from_iso}",
      findings: [
        "time $[0] certain", "open $[3] guess", "high $[2] guess", "low $[1] guess", "close $[4] guess",
      ]),
    Shape(
      testDescription: "candles with a mean among them, below a pair",
      url: "https://api.example.com/0/public/OHLC?pair=XBTUSD&interval=1",
      body: """
        {"error":[],"result":{"XXBTZUSD":[[1736936880,"96475.5","96495.0","96470.0","96490.0","96481.2","3.1",30],
        [1736936940,"96490.0","96515.0","96480.5","96510.0","96500.7","4.7",37],
        [1736937000,"96510.0","96540.0","96500.1","96530.5","96522.9","2.8",12]],"last":1736936940}}
        """,
      base: "https://api.example.com/0/public", get: "/OHLC?pair={SYMBOL}{CURRENCY}&interval={interval}",
      findings: [
        "time $[0] certain", "open $[1] guess", "high $[2] guess", "low $[3] guess", "close $[4] guess",
      ]),
    Shape(
      testDescription: "candles in rows of texts, with closing times",
      url: "https://api.example.com/api/v3/klines?symbol=BTCUSDT&interval=1m&startTime=1736936880000&limit=1000",
      body: """
        [[1736936940000,"96490.00","96515.00","96480.50","96510.01","0.419",1736936999999,"40478.87",37,"0.41","39944.8","0"],
        [1736937000000,"96510.01","96540.00","96500.12","96530.50","0.110",1736937059999,"10618.35",12,"0.05","4826.5","0"]]
        """,
      base: "https://api.example.com/api/v3",
      get: "/klines?symbol={SYMBOL}{CURRENCY}&interval={interval}&startTime={from_ms}&limit=1000",
      findings: [
        "time $[0] certain", "open $[1] guess", "high $[2] guess", "low $[3] guess", "close $[4] guess",
      ]),
    Shape(
      testDescription: "candles with names",
      url: "https://api.example.com/v1/coins/btc-bitcoin/ohlcv/historical?start=1736764200&quote=usd",
      body: """
        [{"time_open":"2025-01-14T00:00:00Z","time_close":"2025-01-14T23:59:59Z","open":94510.578,"high":97300.12,
        "low":94300.95,"close":96560.05,"volume":48671235118,"market_cap":1912274693426}]
        """,
      base: "https://api.example.com/v1", get: "/coins/{id}/ohlcv/historical?start={from}&quote={currency}",
      findings: [
        "time $.time_open certain", "open $.open certain", "high $.high certain", "low $.low certain",
        "close $.close certain",
      ]),
    Shape(
      testDescription: "candles in a list below each day", url: "https://moonbase.example/days/bitcoin/usd",
      body:
        #"{"days":{"2025-01-15":{"ohlc":["40","46","38","45"]},"2025-01-14":{"ohlc":["35","42","34","40"]},"2025-01-13":{"ohlc":["36","37","33","35"]}}}"#,
      base: "https://moonbase.example", get: "/days/{id}/{currency}",
      findings: [
        "time :key certain", "open $.ohlc[0] guess", "high $.ohlc[1] guess", "low $.ohlc[2] guess",
        "close $.ohlc[3] guess",
      ]),
    Shape(
      testDescription: "a line beside others",
      url: "https://api.example.com/api/v3/coins/bitcoin/market_chart?vs_currency=usd&days=1",
      body: """
        {"market_caps":[[1736936700000,1911911911911.1],[1736937000000,1911911911912.2]],
        "prices":[[1736936700000,96500.123456789],[1736937000000,96512.58]],
        "total_volumes":[[1736936700000,4867.1],[1736937000000,4868.2]]}
        """,
      base: "https://api.example.com/api/v3", get: "/coins/{id}/market_chart?vs_currency={currency}&days={days}",
      findings: ["time $[0] certain", "price $[1] certain"]),
    Shape(
      testDescription: "a price that says it is a day old, beside one of midnight",
      url: "https://moonbase.example/now/bitcoin",
      body: #"{"last":"96841.32","open":"95000","price_24h_ago":"96000","change_percent":"1.94"}"#,
      base: "https://moonbase.example", get: "/now/{id}",
      findings: ["price $.last likely", "open_24h $.price_24h_ago likely"]),
  ]

  @Test(arguments: [
    #"{"t":["mon","tue","wed","thu"],"close":[94488.4,94516.5,96534.0,96841.3]}"#,
    #"{"chart":{"timestamp":[1736899200],"close":[96841.32]}}"#,
  ])
  func `The oldest price of a series is never taken for the latest`(body: String) {
    #expect {
      _ = try ProviderGuess(SampleAnswer(body: Array(body.utf8)), id: "mine", asking: .quotes)
    } throws: { ($0 as? BitpalError)?.message == "nothing in the sample looks like a price" }
  }

  @Test func `One answer can be taken for what is wanted of it`() throws {
    let sample = SampleAnswer(
      body: Array(#"{"price":3,"days":[["2025-01-14",1,4,1,2],["2025-01-15",2,4,1,3]]}"#.utf8))
    for kind in [Capability.candles, .line, .quotes] {
      #expect(try ProviderGuess(sample, id: "mine", asking: kind).capability == kind)
    }
    #expect(throws: BitpalError.self) {
      try ProviderGuess(SampleAnswer(body: Array(#"{"price":1}"#.utf8)), id: "mine", asking: .candles)
    }
  }

  @Test func `What is not certain has the others beside it, the likeliest first`() throws {
    let body = #"{"data":{"bid":2.4,"ask":2.5,"value":2.45,"rate":2.44}}"#
    let guess = try ProviderGuess(SampleAnswer(body: Array(body.utf8)), id: "mine")
    #expect(guess.columns.map(\.source) == ["$.data.rate"] && guess.columns.map(\.confidence) == [.likely])
    #expect(guess.candidates.map(\.source) == ["$.data.value", "$.data.bid", "$.data.ask"])
    #expect(guess.candidates.map(\.why) == ["it is called value", "it is called bid", "it is called ask"])
  }

  @Test(arguments: [
    ("X-Api-Key: CG-canary", "X-Api-Key: \"{key}\""),
    ("Authorization: Bearer a1B2canary3C4", "Authorization: \"Bearer {key}\""),
    ("X-Who: a1B2c3D4e5canaryF6g7", "X-Who: \"{key}\""),
  ])
  func `A key in a header stands nowhere, its place does`(line: String, written: String) throws {
    let body = #"{"price":96841.32,"you":"\#(line.split(separator: " ").last ?? "")"}"#
    let guess = try ProviderGuess(
      SampleAnswer(
        body: Array(body.utf8), url: "https://moonbase.example/now/bitcoin",
        headers: [try SampleHeader(line), try SampleHeader("Accept-Language: en")]), id: "mine")
    #expect(!guess.text.contains("canary") && guess.text.contains("REDACTED"))
    #expect(guess.text.contains("headers: { \(written), Accept-Language: \"en\" }\n"))
    #expect(guess.text.contains("\nkey_env: MINE_API_KEY ") && guess.text.contains("\nkey_hosts: [moonbase.example]\n"))
    let folder = try TemporaryFolder()
    try folder.write(guess.text, to: "mine.yaml")
    let specification = try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: "mine")
    #expect(specification.keyEnvironment == "MINE_API_KEY")
  }

  @Test(arguments: ["Accept", ": x", "A b: c", "Accept:", "Accept: \u{7}"])
  func `What is no header is refused`(line: String) {
    #expect(throws: BitpalError.self) { try SampleHeader(line) }
  }

  @Test(arguments: shapes)
  func `Columns are found, and the file passes its check as it is`(shape: Shape) throws {
    let guess = try ProviderGuess(SampleAnswer(body: Array(shape.body.utf8), url: shape.url), id: "mine")
    #expect(
      guess.columns.map { "\($0.field) \($0.source) \($0.confidence.rawValue)" } == shape.findings, "\(guess.text)")
    let folder = try TemporaryFolder()
    try folder.write(guess.text, to: "mine.yaml")
    let specification: ProviderSpecification
    do {
      specification = try ProviderCatalog(settings: Settings(providersDirs: [folder.path])).specification(for: "mine")
      #expect(specification.baseURL == shape.base)
      #expect(specification.declared?.operations[guess.capability]?.get.text == shape.get)
      let outcomes = try ExampleCheck(specification).run()
      #expect(outcomes.count == 1)
      for outcome in outcomes {
        #expect(outcome.problem == nil, "\(guess.text)")
        #expect(outcome.rows > 0)
      }
    } catch {
      Issue.record("\(error)\n\(guess.text)")
    }
  }

  @Test func `Every line says how sure it is`() throws {
    let body = #"{"market":{"bitcoin":{"seen":"2025-01-15T10:30:00Z","usd":{"last":"96841.32","day_ago":"96000"}}}}"#
    let url = "https://moonbase.example/now?coin=bitcoin&in=usd&api_key=CG-canary"
    let guess = try ProviderGuess(SampleAnswer(body: Array(body.utf8), url: url), id: "moon-base")
    #expect(
      guess.text == """
        # Guessed from one answer by `bitpal providers new`. What is not certain says so; docs/providers.md explains the rest.
        id: moon-base
        name: Moon Base
        kind: http
        base_url: https://moonbase.example
        rate_limit: 30/1m            # a guess: see what the source allows
        # The URL had a key (api_key), which is no part of this file. Where the source takes it in a header:
        # key_env: MOON_BASE_API_KEY
        # headers: { X-Api-Key: "{key}" }

        quotes:
          get: /now?coin={id}&in={currency}
          time: iso8601
          fields:
            price: $.market.{id}.{currency}.last   # certain: it is called last
            open_24h: $.market.{id}.{currency}.day_ago   # likely: it is called day_ago, and is of the price's size
            time: $.market.{id}.seen   # certain: it reads as ISO 8601 and is called seen

        # Made of the sample; `bitpal providers check moon-base` runs it.
        examples:
          - ask: quotes
            coin: bitcoin
            url: /now?coin=bitcoin&in=usd
            body: |
              {"market":{"bitcoin":{"seen":"2025-01-15T10:30:00Z","usd":{"last":"96841.32","day_ago":"96000"}}}}
            rows:
              - { time: 2025-01-15T10:30:00Z, price: 96841.32, change_24h: 0.876375 }

        """)
    #expect(
      guess.notes == [
        "api_key was left out of the URL: a key belongs into headers:, see docs/providers.md"
      ])
  }

  @Test(arguments: [
    "X-CMC_PRO_API_KEY=CG-canary-4711", "x_api_key=CG-canary-4711", "password=CG-canary-4711",
    "client_secret=CG-canary-4711", "sig=CG-canary-4711", "session=CG-canary-4711", "accessToken=CG%2Dcanary%2D4711",
  ])
  func `No key of the URL stands in the file or its example`(parameter: String) throws {
    let url = "https://moonbase.example/now?coin=bitcoin&\(parameter)&in=usd"
    let filler = String(repeating: " ", count: 40_000)
    let body =
      #"{"bitcoin":{"usd":96841.32},"you":"CG-canary-4711","hex":"43472d63616e6172792d34373131","x":"\#(filler)"}"#
    let guess = try ProviderGuess(SampleAnswer(body: Array(body.utf8), url: url), id: "mine")
    let example = String(decoding: guess.bodyFile?.bytes ?? [], as: UTF8.self)
    #expect(!guess.text.contains("canary") && !example.contains("canary") && !example.contains("43472d"))
    #expect(example.contains("REDACTED") && guess.text.contains("get: /now?coin={id}&in={currency}\n"))
    #expect(guess.notes.contains { $0.contains("was left out of the URL") })
  }

  @Test func `A key in the path of the URL is told and stands nowhere, and an address of a contract is none`() throws {
    let key = "a1B2c3D4e5F6g7H8i9J0kLmN"
    let body = Array(#"{"bitcoin":{"usd":96841.32},"echo":"\#(key)"}"#.utf8)
    let guess = try ProviderGuess(
      SampleAnswer(body: body, url: "https://moonbase.example/v2/\(key)/price/bitcoin-2025-01-15-usd"), id: "mine")
    #expect(!guess.text.contains(key) && guess.text.contains("  get: /REDACTED/price/bitcoin-2025-01-15-usd\n"))
    #expect(guess.notes.contains { $0.hasPrefix("a part of the URL's path looks like a key and is REDACTED") })
    let contract = "0x2260fac5e5542a773aa44fbcfedf7c193bc2c599"
    let other = try ProviderGuess(
      SampleAnswer(body: body, url: "https://moonbase.example/token/\(contract)"), id: "mine")
    #expect(other.text.contains(contract))
  }

  @Test func `A sample of a million values is cut with a word, and takes no longer for it`() throws {
    func nested(_ depth: Int) -> String {
      depth == 0 ? "1.5" : "{" + (0..<8).map { "\"k\($0)\":" + nested(depth - 1) }.joined(separator: ",") + "}"
    }
    let wide =
      "["
      + Array(repeating: "{" + (0..<200).map { "\"c\($0)\":\($0).5" }.joined(separator: ",") + "}", count: 200)
      .joined(separator: ",") + "]"
    for sample in [nested(5), wide, "[\(nested(4)),\(wide)]"] {
      var isCut = false
      let tree = try SampleNode(Array(sample.utf8), isCut: &isCut)
      #expect(isCut == (sample != wide))
      #expect(tree.leaves().count <= SampleNode.most)
    }
    let error = #expect(throws: BitpalError.self) {
      _ = try ProviderGuess(SampleAnswer(body: Array(nested(5).utf8)), id: "mine")
    }
    #expect(error?.message == "nothing in the first 5000 values of the sample looks like a price")
    // What stands after a large list is looked at all the same.
    let body = Array(#"{"history":\#(nested(5)),"price":96841.32}"#.utf8)
    let guess = try ProviderGuess(SampleAnswer(body: body), id: "mine")
    #expect(guess.columns.map(\.source) == ["$.price"])
    #expect(guess.notes.contains { $0.hasPrefix("the sample has more than 5000 values") })
  }

  @Test(
    arguments: [
      ("<html>", "the sample is not JSON; it starts with <html>"),
      ("", "the sample is not JSON; it starts with nothing"),
      (#"{"ok":true,"name":"x"}"#, "nothing in the sample looks like a price"),
      ("[]", "nothing in the sample looks like a price"),
    ])
  func `What cannot be a price is refused`(body: String, message: String) {
    #expect {
      _ = try ProviderGuess(SampleAnswer(body: Array(body.utf8)), id: "mine")
    } throws: { ($0 as? BitpalError)?.message == message }
  }
}
