import BitpalModel
import BitpalNetwork
import FoundationEssentials
import ProviderFiles
import Testing

@testable import BitpalProviders

@Suite struct `A declared source whose answers have odd rows` {
  private static let batch = """
    quotes:
      get: /x?ids={ids}
      batch: 9
      time: seconds
      each: $
      fields: { id: $.i, price: $.p, time: $.t, change_24h: "percent_change(row.value->'$.o', row.value->'$.p')" }
    """

  private func quotes(_ body: String, _ text: String = batch) throws -> Read<Quotes> {
    try Declared(text).dialect().quotes(
      ["bitcoin", "odd", "ethereum"], currency: "usd", from: HTTPResponse(status: 200, body: Array(body.utf8)))
  }

  @Test(arguments: [
    (#""p":true"#, "price should be a number, but it is true"), (#""p":{}"#, "price should be a number, but it is {}"),
    (#""p":1e400"#, "price should be a number, but it is 1e400"),
    (#""p":"1,5""#, #"price should be a number, but it is "1,5""#),
    (#""p":1,"t":"soon""#, #"time should be seconds since 1970, but it is "soon""#),
    (#""p":1},{"i":"odd","p":2"#, "two rows are of odd"),
  ])
  func `One odd row of a batch is the failure of its coin, and the others stand`(members: String, reason: String) throws
  {
    let answer = try quotes(#"[{"i":"bitcoin","p":"12"},{"i":"odd",\#(members)},{"i":"ethereum","p":2}]"#)
    #expect(answer.value.coins.mapValues(\.currentPrice) == ["bitcoin": 12, "ethereum": 2])
    let failure = answer.value.failures["odd"]?.message ?? ""
    #expect(failure.hasPrefix("mine sent an answer that cannot be read: \(reason) ("), "\(failure)")
    #expect(answer.value.failures.count == 1 && answer.warnings.isEmpty)
  }

  @Test func `A time before 1970 is a time`() throws {
    let text = "line:\n  get: /x/{id}\n  time: seconds\n  each: $\n  fields: { time: \"$[0]\", price: \"$[1]\" }\n"
    let window = TimeWindow(start: Date(milliseconds: -157_852_800_000), end: Date(milliseconds: -157_593_600_000))
    let query = ProviderQuery.line(coin: "bitcoin", currency: "usd", window: window)
    let response = HTTPResponse(status: 200, body: Array("[[-157766400,35.1],[-157680000,35.2]]".utf8))
    let line = try #require(
      try Declared(text).dialect().answer(to: query, from: response).values(LineSeries.self)["bitcoin"])
    #expect(line.points.map(\.timestamp.iso8601) == ["1965-01-01T00:00:00Z", "1965-01-02T00:00:00Z"])
    #expect(line.points.map(\.price.plainText) == ["35.1", "35.2"])
    let quoted = try quotes(#"[{"i":"bitcoin","p":35.1,"t":-157766400}]"#)
    #expect(quoted.value.coins["bitcoin"]?.lastUpdated == Date(milliseconds: -157_766_400_000))
  }

  @Test func `A row that was not requested is ignored, and one without an id is counted`() throws {
    let answer = try quotes(
      #"[{"i":"bitcoin","p":1},"text","[",{"i":"x","p":{},"t":"x"},{"p":1},{"i":"odd","p":1},{"i":"ethereum","p":1}]"#)
    #expect(answer.value.coins.count == 3 && answer.value.failures.isEmpty)
    #expect(answer.warnings == [.droppedRows(count: 3, reason: "they have no id")])
  }

  @Test func `A figure that a function cannot work with is left out, and the price stands`() throws {
    let answer = try quotes(#"[{"i":"bitcoin","p":1,"o":"n/a"},{"i":"odd","p":3,"o":2},{"i":"ethereum","p":3,"o":{}}]"#)
    #expect(answer.value.coins.count == 3 && answer.value.failures.isEmpty)
    #expect(
      answer.value.coins["odd"]?.priceChangePercentage24h == 50
        && answer.value.coins["bitcoin"]?.priceChangePercentage24h == nil)
    #expect(
      answer.warnings == [
        .leftOutFigure(
          "24 h change", coin: "bitcoin", reason: #"percent_change was given n/a, which is not a number"#),
        .leftOutFigure("24 h change", coin: "ethereum", reason: "percent_change was given {}, which is not a number"),
      ])
  }

  @Test func `Digits beyond the 38th are rounded half-even, and the answer says so`() throws {
    let answer = try quotes(
      #"[{"i":"bitcoin","p":42652.12345678901234567890123456789012345678901234},{"i":"odd","p":"3"}]"#)
    #expect(answer.value.coins["bitcoin"]?.currentPrice.plainText == "42652.123456789012345678901234567890123")
    #expect(answer.warnings == [.roundedNumbers])
  }

  @Test func `A detail of another coin is not taken for the one asked, and one odd figure does not cost it`() throws {
    let dialect = try Declared(
      "ids: { bitcoin: btc-bitcoin }\ndetail:\n  get: /x/{id}\n"
        + "  fields: { id: $.i, price: $.p, market_cap: $.c, total_volume: $.v, image: $.m }\n"
    ).dialect()
    func detail(_ body: String) throws -> Read<CoinDetail> {
      try dialect.detail("bitcoin", currency: "usd", from: HTTPResponse(status: 200, body: Array(body.utf8)))
    }
    let answer = try detail(#"{"i":"btc-bitcoin","p":2,"c":{},"v":-1,"m":"https://x.example/y.png"}"#)
    #expect(answer.value.coin.currentPrice == 2 && answer.value.marketCap == nil && answer.value.totalVolume == nil)
    #expect(
      answer.warnings == [
        .leftOutFigure("market cap", coin: "bitcoin", reason: "market_cap should be a number, but it is {}"),
        .leftOutFigure("total volume", coin: "bitcoin", reason: "it is negative (-1)"),
      ])
    let error = #expect(throws: BitpalError.self) { try detail(#"{"i":"ark","p":1.25}"#) }
    let rich = try Declared(
      "detail:\n  get: /x/{id}\n  time: seconds\n  fields: { price: $.p, rank: $.r, change_7d: $.w, change_1y: $.y, "
        + "max_supply: $.m, ath: $.h, ath_date: $.d, atl: $.l }\n"
    ).dialect().detail(
      "bitcoin", currency: "usd",
      from: HTTPResponse(status: 200, body: Array(#"{"p":2,"r":7,"w":-1.5,"m":21,"h":9,"d":1736937000,"l":null}"#.utf8))
    )
    #expect(rich.value.rank == 7 && rich.value.maximumSupply == 21 && rich.value.changes.year == nil)
    #expect(rich.value.changes.week?.plainText == "-1.5" && rich.value.allTimeLow == nil)
    #expect(rich.value.allTimeHigh == PriceExtreme(price: 9, date: Date(milliseconds: 1_736_937_000_000)))
    #expect(error?.message.contains(#"it is about "ark", not "bitcoin""#) == true)
  }

  @Test(
    arguments: [
      ("/x/{id}", "id: $.i", #"{"i":"ark","p":1}"#, #"it is about "ark", not "bitcoin""#),
      ("/x/{SYMBOL}", "symbol: $.s", #"{"s":"ARK","p":1}"#, #"it is about "ARK", not "bitcoin""#),
      // Who was asked by id may call the coin as it likes.
      ("/x/{id}", "symbol: $.s", #"{"s":"ARK","p":1}"#, nil),
      ("/x/{SYMBOL}", "symbol: $.s", #"{"s":"btc","p":1}"#, nil),
    ] as [(String, String, String, String?)])
  func `A quote of another coin is not taken for the one asked`(
    get: String, field: String, body: String, reason: String?
  ) throws {
    let dialect = try Declared("quotes:\n  get: \(get)\n  fields: { \(field), price: $.p }\n")
      .dialect(tickers: ["bitcoin": "btc"])
    let response = HTTPResponse(status: 200, body: Array(body.utf8))
    guard let reason else {
      #expect(try dialect.quotes(["bitcoin"], currency: "usd", from: response).value.coins["bitcoin"] != nil)
      return
    }
    let error = #expect(throws: BitpalError.self) {
      try dialect.quotes(["bitcoin"], currency: "usd", from: response)
    }
    #expect(error?.message.contains(reason) == true)
  }

  @Test func `Odd rows of a series and of a coin list are left out and counted`() throws {
    let file = try Declared(
      """
      line:
        get: /l/{id}
        time: seconds
        each: $
        fields: { time: "$[0]", price: "$[1]" }
      coin_list:
        get: /c
        each: $
        fields: { id: $.i, symbol: $.s, name: $.n }
      """)
    func response(_ body: String) -> HTTPResponse { HTTPResponse(status: 200, body: Array(body.utf8)) }
    let line = try file.dialect().line(
      "bitcoin", currency: "usd", window: Declared.window(.seconds(3600)),
      from: response(#"[[1736937000,1],[1736937001,{}],["soon",3],"text",[1736937002,null],[1736937003,5]]"#))
    #expect(line.value.points.map(\.price) == [1, 5])
    #expect(
      line.warnings == [
        .droppedRows(count: 2, reason: "the price is null"),
        .droppedRows(count: 2, reason: "of the first, price should be a number, but it is {}"),
      ])
    let list = try file.dialect().coinList(
      from: response(#"["text",{"i":"a","s":"A","n":"N"},{"i":{},"s":[],"n":"null"},7,{"i":"b","s":"B","n":"M"}]"#))
    #expect(list.value.map(\.id) == ["a", "b"])
    #expect(list.warnings == [.droppedRows(count: 3, reason: "they lack an id, a symbol or a name")])
  }

  @Test(arguments: [
    (":key", " key"), ("':key' || :key", "':key' ||  key"), (":keys + \":key\"", ":keys + \":key\""),
    ("1 -- it's :key\n + :key", "1 -- it's :key\n +  key"), ("/* ' :key */ :key", "/* ' :key */  key"),
  ])
  func `The key of a row is a column outside of quotes and comments`(sql: String, written: String) {
    #expect(OperationCompiler.withRowKey(sql) == written)
  }
}
