import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import Testing

/// Bodies of our own making that show, one by one, what the source has been seen to send.
@Suite struct `Answers of CoinGecko` {
  private let dialect = CoinGeckoDialect()
  private let window = TimeWindow(ending: Date(milliseconds: 1_736_937_000_000), length: .seconds(86_400))

  private func ok(_ body: String) -> HTTPResponse { HTTPResponse(status: 200, body: Array(body.utf8)) }

  private func row(_ id: String, _ price: String, more: String = "") -> String {
    #"{"id":"\#(id)","symbol":"SYM","name":"Name of \#(id)","current_price":\#(price)\#(more)}"#
  }

  @Test func `Quotes are found by id in whatever order, and keep their digits`() throws {
    let body =
      "["
      + row(
        "b", "1.895e-05", more: #","price_change_percentage_24h":-0.78878,"last_updated":"2024-01-15T08:54:30.919Z""#)
      + "," + row("never asked", "1") + "," + row("a", "12345678901234567.25") + "," + row("1move token", "20.0") + "]"
    let answer = try dialect.quotes(["a", "b", "1move token"], currency: "usd", from: ok(body))
    #expect(
      answer.value.coins.mapValues(\.currentPrice.plainText) == [
        "a": "12345678901234567.25", "b": "0.00001895", "1move token": "20",
      ])
    #expect(answer.value.coins["b"]?.priceChangePercentage24h?.plainText == "-0.78878")
    #expect(answer.value.coins["b"]?.lastUpdated?.iso8601 == "2024-01-15T08:54:30.919Z")
    #expect(answer.value.coins["a"]?.priceChangePercentage24h == nil && answer.value.coins["a"]?.symbol == "sym")
    #expect(answer.value.failures.isEmpty && answer.warnings.isEmpty)
  }

  private static let figures =
    #","last_updated":"2024-01-15T08:54:11.000Z","image":"https://i/1.png","market_cap":837025489900,"market_cap_rank":1,"#
    + #""total_volume":20645890250,"circulating_supply":19599200.0,"total_supply":4.2e+17,"max_supply":null,"ath":69045,"#
    + #""ath_date":"2021-11-10T14:24:11.849Z","atl":67.81,"atl_date":"2013-07-06T00:00:00.000Z","#
    + #""price_change_percentage_24h":-0.78864,"price_change_percentage_7d_in_currency":-3.25,"#
    + #""price_change_percentage_30d_in_currency":null,"price_change_percentage_1y_in_currency":103.5"#

  @Test func `Figures and the week come with a quote, each price an hour before the next`() throws {
    let week = #","sparkline_in_7d":{"price":[41000.123456789012,null,42000,42652.5]}"#
    let body = "[" + row("a", "42652.75", more: Self.figures + week) + "]"
    let batch = try dialect.quotes(["a"], currency: "usd", from: ok(body)).value
    let detail = try #require(batch.details["a"])
    #expect(detail.coin == batch.coins["a"] && detail.coin.currentPrice.plainText == "42652.75")
    #expect(detail.marketCap == 837_025_489_900 && detail.rank == 1 && detail.totalVolume == 20_645_890_250)
    #expect(detail.circulatingSupply == 19_599_200 && detail.totalSupply?.plainText == "420000000000000000")
    #expect(detail.maximumSupply == nil && detail.image == "https://i/1.png")
    #expect(detail.changes == PeriodChanges(week: try Decimal(strict: "-3.25"), year: try Decimal(strict: "103.5")))
    #expect(detail.allTimeHigh?.price == 69045 && detail.allTimeHigh?.date?.iso8601 == "2021-11-10T14:24:11.849Z")
    #expect(detail.allTimeLow?.price.plainText == "67.81")
    let points = try #require(batch.weeks["a"]).points
    #expect(points.map(\.price.plainText) == ["41000.123456789012", "42000", "42652.5"])
    #expect(
      points.map(\.timestamp.iso8601) == ["2024-01-15T05:00:00Z", "2024-01-15T07:00:00Z", "2024-01-15T08:00:00Z"])
  }

  @Test func `A coin without a week beside one with a week has an empty one`() throws {
    let week = #","last_updated":"2024-01-15T08:54:11.000Z","sparkline_in_7d":{"price":[1]}"#
    let rows = [row("a", "1", more: week), row("b", "2", more: #","sparkline_in_7d":null"#), row("c", "null")]
    let batch = try dialect.quotes(["a", "b", "c"], currency: "usd", from: ok("[\(rows.joined(separator: ","))]")).value
    #expect(batch.weeks.mapValues(\.points.count) == ["a": 1, "b": 0])
    #expect(batch.details.keys.sorted() == ["a", "b"])
  }

  @Test func `A page without weeks carries no figures`() throws {
    let batch = try dialect.quotes(["a"], currency: "usd", from: ok("[" + row("a", "1", more: Self.figures) + "]"))
      .value
    #expect(batch.coins.count == 1 && batch.details.isEmpty && batch.weeks.isEmpty)
  }

  @Test(arguments: ["[]", "[null]", "[1,\"x\"]", "{}", "null", "[0,-1]"])
  func `A week that cannot be used takes nothing from the price`(prices: String) throws {
    let body = "[" + row("a", "1", more: Self.figures + #","sparkline_in_7d":{"price":\#(prices)}"#) + "]"
    let answer = try dialect.quotes(["a"], currency: "usd", from: ok(body))
    #expect(answer.value.coins.count == 1 && answer.value.failures.isEmpty && answer.warnings.isEmpty)
    #expect(answer.value.weeks["a"]?.points.isEmpty ?? true)
  }

  @Test func `A figure that cannot be used is left out, with a warning for who asks for figures`() throws {
    let more = #","last_updated":"2024-01-15T08:54:11.000Z","market_cap":-5,"sparkline_in_7d":{"price":[1]}"#
    let body = ok("[" + row("a", "1", more: more) + "]")
    let quotes = try dialect.quotes(["a"], currency: "usd", from: body)
    #expect(quotes.warnings.isEmpty && quotes.value.details["a"]?.marketCap == nil)
    let detail = try dialect.detail("a", currency: "usd", from: body)
    #expect(detail.value == quotes.value.details["a"])
    #expect(detail.warnings == [.leftOutFigure("market cap", coin: "a", reason: "it is negative (-5)")])
  }

  @Test func `A detail out of a market is that of its coin, or a failure`() throws {
    let body = ok("[" + row("a", "1", more: Self.figures) + "," + row("nil", "null") + "]")
    #expect(try dialect.detail("a", currency: "usd", from: body).value.rank == 1)
    #expect(throws: BitpalError.notFound(coin: "b", provider: "coingecko")) {
      try dialect.detail("b", currency: "usd", from: body)
    }
    #expect(throws: BitpalError.noPrice(coin: "nil", provider: "coingecko")) {
      try dialect.detail("nil", currency: "usd", from: body)
    }
  }

  @Test func `A coin left out is not found, one without price has none, and neither is zero`() throws {
    let body = "[" + row("nil", "null") + "," + row("zero", "0.0") + "," + row("minus", "-1") + #",{"symbol":"x"}]"#
    let answer = try dialect.quotes(["gone", "nil", "zero", "minus"], currency: "usd", from: ok(body))
    #expect(answer.value.coins.isEmpty)
    #expect(
      answer.value.failures == [
        "gone": .notFound(coin: "gone", provider: "coingecko"), "nil": .noPrice(coin: "nil", provider: "coingecko"),
        "zero": .noPrice(coin: "zero", provider: "coingecko", reason: "the price of zero is 0, not above zero"),
        "minus": .noPrice(coin: "minus", provider: "coingecko", reason: "the price of minus is -1, not above zero"),
      ])
    #expect(answer.warnings == [.droppedRows(count: 1, reason: "they have no id")])
  }

  @Test(arguments: [
    (#""current_price":"12""#, #"current_price should be a number, but it is "12""#),
    (#""current_price":true"#, "current_price should be a number, but it is true"),
    (#""current_price":{}"#, "current_price should be a number, but it is {}"),
    (#""current_price":1e400"#, "current_price should be a number, but it is 1e400"),
    (#""current_price":1,"name":5"#, "name should be a string, but it is 5"),
    (#""current_price":1,"last_updated":"garbage""#, "last_updated should be an ISO 8601 time, but it is garbage"),
    (#""current_price":1},{"id":"odd","current_price":2"#, "two rows are of odd"),
  ])
  func `One odd row of a batch is the failure of its coin, and the others stand`(members: String, reason: String) throws
  {
    let body = "[" + row("a", "1") + #",{"id":"odd","symbol":"o",\#(members)},"# + row("z", "2") + "]"
    let answer = try dialect.quotes(["a", "odd", "z"], currency: "usd", from: ok(body))
    #expect(answer.value.coins.mapValues(\.currentPrice.plainText) == ["a": "1", "z": "2"])
    #expect(answer.value.failures == ["odd": .unreadable(provider: "coingecko", reason: reason)])
    #expect(answer.warnings.isEmpty)
  }

  @Test func `A row that was not requested is ignored, whatever it contains`() throws {
    let body =
      #"[{"id":5},"text",7,null,[],{"id":"x","current_price":{},"name":9},{"id":"y","current_price":1e999},"#
      + row("a", "1") + "]"
    let answer = try dialect.quotes(["a"], currency: "usd", from: ok(body))
    #expect(answer.value.coins.keys.sorted() == ["a"] && answer.value.failures.isEmpty)
    #expect(answer.warnings == [.droppedRows(count: 5, reason: "of the first, id should be a string, but it is 5")])
  }

  @Test func `Digits beyond the 38th are rounded half-even, and the answer says so`() throws {
    let long = "42652.123456789012345678901234567890123456789012345678901234567890"
    let quotes = try dialect.quotes(
      ["a", "b"], currency: "usd", from: ok("[" + row("a", long) + "," + row("b", "2") + "]"))
    #expect(quotes.value.coins["a"]?.currentPrice.plainText == "42652.123456789012345678901234567890123")
    #expect(quotes.warnings == [.roundedNumbers])
    let line = try dialect.line("x", currency: "usd", window: window, from: ok(#"{"prices":[[1,\#(long)],[2,3]]}"#))
    #expect(line.value.points.map(\.price.plainText) == ["42652.123456789012345678901234567890123", "3"])
    #expect(line.warnings == [.roundedNumbers])
  }

  @Test(arguments: [
    (#"[{"id":7,"current_price":1}]"#, "id should be a string, but it is 7"),
    (#"{"a":1}"#, #"it should be a JSON array, but it starts with {"a":1}"#),
    ("[1,2", "it is not JSON; it starts with [1,2"),
    ("", "it should be a JSON array, but it is empty"), ("[1,2,3]", "none of its rows has an id"),
  ])
  func `A body that is not what it should be names what is wrong`(body: String, reason: String) {
    #expect(throws: BitpalError.unreadable(provider: "coingecko", reason: reason)) {
      try dialect.quotes(["a"], currency: "usd", from: ok(body))
    }
  }

  @Test func `A list keeps odd ids and drops rows without id, symbol or name`() throws {
    let body =
      #"[{"id":"1move token","symbol":"1MT","name":"1Move"},{"id":"","symbol":"xcre","name":"x"},{"id":"_","symbol":"","name":"u"},{"id":"bitCNY","symbol":"bitcny","name":"ビット 🚀"}]"#
    let answer = try dialect.coinList(from: ok(body))
    #expect(answer.value.map(\.id) == ["1move token", "bitCNY"])
    #expect(answer.value.first?.symbol == "1mt")
    #expect(answer.warnings == [.droppedRows(count: 2, reason: "they lack an id, a symbol or a name")])
    #expect(throws: BitpalError.unreadable(provider: "coingecko", reason: "the coin list is empty")) {
      try dialect.coinList(from: ok("[]"))
    }
  }

  @Test func `An invalid rank or time does not cost the rest of a detail`() throws {
    let body = row("a", "1", more: #","market_cap_rank":1.5,"ath":2,"ath_date":"soon","atl":-1"#)
    let answer = try dialect.detail("a", currency: "usd", from: ok("[\(body)]"))
    #expect(answer.value.rank == nil && answer.value.allTimeLow == nil)
    #expect(answer.value.allTimeHigh == PriceExtreme(price: 2, date: nil))
    #expect(answer.warnings.count == 3)
  }

  @Test(arguments: [
    ("{}", BitpalError.unreadable(provider: "coingecko", reason: "it should be a JSON array, but it starts with {}")),
    (#"{"error":"coin not found"}"#, .notFound(coin: "bitcoin", provider: "coingecko")),
    (#"{"error":"the cat sleeps"}"#, .refused(provider: "coingecko", status: 200, reason: "the cat sleeps")),
    (
      #"{"status":{"error_code":10005,"error_message":"not in your plan"}}"#,
      .planLimit(provider: "coingecko", reason: "not in your plan")
    ),
  ])
  func `An error with status 200 is reported as an error`(body: String, error: BitpalError) {
    #expect(throws: error) { try dialect.detail("bitcoin", currency: "usd", from: ok(body)) }
  }

  @Test func `A complaint in an answer that says yes is heard for every question`() {
    let complaint = ok(#"{"error":"the cat sleeps"}"#)
    let error = BitpalError.refused(provider: "coingecko", status: 200, reason: "the cat sleeps")
    #expect(throws: error) { try dialect.quotes(["a"], currency: "usd", from: complaint) }
    #expect(throws: error) { try dialect.coinList(from: complaint) }
    #expect(throws: error) { try dialect.line("a", currency: "usd", window: window, from: complaint) }
    #expect(throws: error) {
      try dialect.candles("a", currency: "usd", window: window, width: .seconds(60), from: complaint)
    }
  }

  @Test func `One odd figure does not cost a detail`() throws {
    let body = row(
      "a", "2",
      more: #","image":7,"market_cap":{},"total_volume":-5,"price_change_percentage_24h":"up","#
        + #""circulating_supply":19599200.0"#)
    let answer = try dialect.detail("a", currency: "usd", from: ok("[\(body)]"))
    #expect(answer.value.coin.currentPrice == 2 && answer.value.circulatingSupply == 19_599_200)
    #expect(answer.value.marketCap == nil && answer.value.totalVolume == nil && answer.value.image == nil)
    #expect(
      answer.warnings.map(\.description) == [
        "left out the market cap of a: market_cap should be a number, but it is {}",
        "left out the total volume of a: it is negative (-5)",
        "left out the image of a: image should be a string, but it is 7",
        "left out the 24 h change of a: price_change_percentage_24h should be a number, but it is \"up\"",
      ])
  }

  @Test func `A line is sorted although its live point runs backwards, and null prices are counted`() throws {
    let body =
      #"{"prices":[[1736850600000,1.5e-05],[1736936999955,3],[1736936999000,2.00000000000000001],[1736900000000,null],[1736900000001,-4]],"market_caps":[],"total_volumes":[]}"#
    let answer = try dialect.line("x", currency: "usd", window: window, from: ok(body))
    #expect(
      answer.value.points.map(\.timestamp.milliseconds) == [1_736_850_600_000, 1_736_936_999_000, 1_736_936_999_955])
    #expect(answer.value.points.map(\.price.plainText) == ["0.000015", "2.00000000000000001", "3"])
    #expect(
      answer.warnings == [
        .droppedRows(count: 1, reason: "the price is null"),
        .droppedRows(count: 1, reason: "2025-01-15T00:13:20.001Z: -4 is not a price"),
      ])
  }

  @Test(
    arguments: [
      (#"{"prices":[[1736850600,1]]}"#, nil),
      (#"{"prices":[[-1,1]]}"#, "time should be milliseconds since 1970, but it is -1"),
      (
        #"{"prices":[[99999999999999999,1]]}"#,
        "time should be milliseconds since 1970, but it is 99999999999999999"
      ),
      (#"{"prices":[["a",1]]}"#, #"time should be a whole number, but it is "a""#),
      (#"{"price":[]}"#, "it has no prices"),
      (#"{"prices":{}}"#, "it has no prices"),
      (#"{"prices":[[1736850600000,{}]]}"#, "price should be a number, but it is {}"),
    ] as [(String, String?)])
  func `A line that is none says why`(body: String, reason: String?) throws {
    guard let reason else {
      #expect(try dialect.line("x", currency: "usd", window: window, from: ok(body)).value.points.count == 1)
      return
    }
    #expect(throws: BitpalError.unreadable(provider: "coingecko", reason: reason)) {
      try dialect.line("x", currency: "usd", window: window, from: ok(body))
    }
  }

  @Test func `Candles stamped at their close, the last in the future, are stamped at their opening`() throws {
    let body =
      "[[1736937000000,42992.0,43000.5,42992.0,43000],[1736938800000,1,2,0.5,1.5],[1736935200000,5,4,3,4],[1736933400000,1,null,1,1]]"
    let answer = try dialect.candles("x", currency: "usd", window: window, width: .seconds(60), from: ok(body))
    #expect(answer.value.width == .seconds(1800))
    #expect(answer.value.candles.map(\.timestamp.iso8601) == ["2025-01-15T10:00:00Z", "2025-01-15T10:30:00Z"])
    #expect(answer.value.candles.map(\.high.plainText) == ["43000.5", "2"])
    #expect(
      answer.warnings == [
        .droppedRows(count: 1, reason: "the price is null"),
        .droppedRows(count: 1, reason: "2025-01-15T09:30:00Z: the high 4 is below 5"),
      ])
  }

  @Test func `Odd rows of a series are left out and counted`() throws {
    let line = try dialect.line(
      "x", currency: "usd", window: window,
      from: ok(#"{"prices":[[1,1],[2,{}],["a",3],"text",[4,null],[5,1e400],[6,5]]}"#))
    #expect(line.value.points.map(\.price.plainText) == ["1", "5"])
    #expect(
      line.warnings == [
        .droppedRows(count: 2, reason: "the price is null"),
        .droppedRows(count: 3, reason: "of the first, price should be a number, but it is {}"),
      ])
    let candles = try dialect.candles(
      "x", currency: "usd", window: window, width: .seconds(60),
      from: ok(#"[[1736937000000,1,2,1,2],[1736938800000,1,"2",1,2],[1736940600000,1,2,1,2]]"#))
    #expect(candles.value.candles.count == 2)
    #expect(
      candles.warnings == [.droppedRows(count: 1, reason: #"high should be a number, but it is "2""#)])
  }

  @Test func `An empty line is missing data, not an error of the source`() {
    #expect(throws: BitpalError.noData(question: "the line of x", provider: "coingecko")) {
      try dialect.line("x", currency: "usd", window: window, from: ok(#"{"prices":[]}"#))
    }
    #expect(throws: BitpalError.noData(question: "candles of x", provider: "coingecko")) {
      try dialect.candles("x", currency: "usd", window: window, width: .seconds(60), from: ok("[]"))
    }
  }
}
