import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials
import ProviderFiles
import TestSupport
import Testing

@Suite struct `Numbers of a source and what they become` {
  private func quote(_ operation: String, _ body: String) throws -> Read<Quotes> {
    try Declared("quotes:\n  get: /q/{id}\n  \(operation.replacing("\n", with: "\n  "))")
      .dialect().quotes(["x"], currency: "gbp", from: HTTPResponse(status: 200, body: Array(body.utf8)))
  }

  private func failure(_ operation: String, _ body: String) throws -> String {
    try quote(operation, body).value.failures["x"]?.message ?? "none"
  }

  @Test func `Numbers are read in the marks that the file declares`() throws {
    let file = "body: csv\ndelimiter: \";\"\nnumber: \"1.234,56\"\nfields: { price: $.Kurs, open_24h: $.Vortag }"
    let coin = try #require(try quote(file, "Kurs;Vortag\n1.100,50;1000\n").value.coins["x"])
    #expect(coin.currentPrice.plainText == "1100.5" && coin.priceChangePercentage24h?.plainText == "10.05")
    #expect(
      try failure(file, "Kurs;Vortag\n1,100.50;1000\n").contains(
        #"price should be a number like 1.234,56, but it is "1,100.50""#))
  }

  @Test func `Numbers of JSON are numbers already`() throws {
    let file = "number: \"1.234,56\"\nfields: { price: $.p, open_24h: $.o }"
    let coin = try #require(try quote(file, #"{"p":1.125,"o":"1,00"}"#).value.coins["x"])
    #expect(coin.currentPrice.plainText == "1.125" && coin.priceChangePercentage24h?.plainText == "12.5")
    #expect(try quote(file, #"{"p":null}"#).value.failures["x"] == .noPrice(coin: "x", provider: "mine"))
  }

  @Test func `An expression reads them by number, and one that forgets to is refused`() throws {
    let file =
      "number: \"1.234,56\"\nfields: { price: \"decimal_add(number(row.value->'$.p'), number(row.value->>'$.q'))\" }"
    #expect(
      try quote(file, #"{"p":"1.000,5","q":"1.234"}"#).value.coins["x"]?.currentPrice.plainText == "2234.5")
    for rows in ["fields: { price: \"row.value->'$.p'\" }", "select: SELECT :body->'$.p' AS price"] {
      #expect(
        try Declared("quotes:\n  get: /q/{id}\n  number: \"1.234,56\"\n  \(rows)").complaint.contains(
          "with number:, the texts of numbers are read by number(…)"))
    }
  }

  @Test func `A factor multiplies every price exactly`() throws {
    let file = "factor: 0.01\nfields: { price: $.p, open_24h: $.o }"
    let coin = try #require(try quote(file, #"{"p":"12345.678901234567890123","o":12000}"#).value.coins["x"])
    #expect(coin.currentPrice.plainText == "123.45678901234567890123")
    #expect(coin.priceChangePercentage24h?.plainText == "2.880657510288065751")
    let long = "factor: 1.234567890123456789\nfields: { price: $.p }"
    #expect(
      try failure(long, #"{"p":1.2345678901234567890123456789}"#).contains(
        "price times the factor 1.234567890123456789 has more than 38 digits"))
  }

  @Test func `An inverted price is one divided by it, and its change is of the inverse`() throws {
    let file = "invert: true\nfields: { price: $.p, open_24h: $.o }"
    let coin = try #require(try quote(file, #"{"p":3,"o":"4"}"#).value.coins["x"])
    #expect(coin.currentPrice.plainText == "0.333333333333333333")
    #expect(coin.priceChangePercentage24h?.plainText == "33.3333333333333332")
    #expect(try quote("factor: 0.5\n" + file, #"{"p":4}"#).value.coins["x"]?.currentPrice == 0.5)
    #expect(try failure(file, #"{"p":0}"#).contains("price is 0, which has no inverse"))
    #expect(
      try Declared("quotes:\n  get: /q/{id}\n  invert: true\n  fields: { price: $.p, change_24h: $.c }").complaint
        .contains(
          "with invert, change_24h would be the change of the price that is not inverted; give open_24h instead"))
  }

  @Test func `High and low of inverted candles change places`() throws {
    let dialect = try Declared(
      """
      candles:
        get: /c/{id}
        body: csv
        header: [t, o, h, l, c]
        time: dd.MM.yyyy
        intervals: { 1d: d }
        invert: true
        fields: { time: $.t, open: $.o, high: $.h, low: $.l, close: $.c }
      """
    ).dialect()
    let answer = try dialect.candles(
      "x", currency: "usd", window: Declared.window(.seconds(3 * 86_400)), width: .seconds(86_400),
      from: HTTPResponse(status: 200, body: Array("14.01.2025,2,4,1,2\n15.01.2025,2,4,0,2\n2025-01-15,2,4,1,2\n".utf8)))
    let candle = try #require(answer.value.candles.first)
    #expect(answer.value.candles.count == 1)
    #expect(candle.high == 1 && candle.low == 0.25 && candle.open == 0.5 && candle.timestamp.dayText == "2025-01-14")
    #expect(
      answer.warnings == [.droppedRows(count: 2, reason: "of the first, low is 0, which has no inverse")])
  }

  @Test func `The highest price ever of an inverse is the inverse of the lowest`() throws {
    let dialect = try Declared(
      "detail:\n  get: /d/{id}\n  invert: true\n  time: yyyy/MM/dd\n"
        + "  fields: { price: $.p, ath: $.h, ath_date: $.d, atl: $.l, market_cap: $.m }"
    ).dialect()
    let body = #"{"p":2,"h":4,"d":"2025\/01\/15","l":1,"m":7}"#
    let detail = try dialect.detail("x", currency: "usd", from: HTTPResponse(status: 200, body: Array(body.utf8))).value
    #expect(detail.coin.currentPrice == 0.5 && detail.marketCap == 7)
    #expect(detail.allTimeHigh == PriceExtreme(price: 1, date: nil))
    #expect(detail.allTimeLow?.price == 0.25 && detail.allTimeLow?.date?.dayText == "2025-01-15")
  }

  @Test(
    arguments: [
      ("time: dd.mm.yyyy", "mine.yaml:7:9: a time needs year, month and day, and this has no M"),
      ("time: dd.MM.yyyy VV", "mine.yaml:7:20: VV has no meaning in a time"),
      ("time: second", #"mine.yaml:7:9: quotes.time must be one of seconds, milliseconds, iso8601 or a pattern"#),
      ("number: \"1.234\"", "mine.yaml:7:11: quotes.number must be a number as the source writes it, with both marks"),
      ("factor: -1", #"mine.yaml:7:11: quotes.factor must be a number above zero like 0.01, not "-1""#),
      ("invert: yes", #"mine.yaml:7:11: quotes.invert must be true or false, not "yes""#),
      ("facto: 1", #"mine.yaml:7:3: unknown key "facto" (did you mean "factor"?)"#),
      ("body: html", #"mine.yaml:7:9: quotes.body must be one of json, csv, xml, not "html""#),
      ("delimiter: \";\"", "mine.yaml:7:3: delimiter is only for body: csv"),
      ("body: csv\n  delimiter: ab", "mine.yaml:8:14: quotes.delimiter must be one ASCII character"),
      ("body: csv\n  header: maybe", #"mine.yaml:8:11: quotes.header must be true or false, not "maybe""#),
      ("body: csv\n  header: [a, b, a]", #"mine.yaml:8:18: two columns are called "a""#),
    ] as [(String, String)])
  func `A mistake in an operation is reported with its place`(line: String, complaint: String) throws {
    let found = try Declared("quotes:\n  get: /q/{id}\n  \(line)\n  fields: { price: $.p }").complaint
    #expect(found.contains(complaint), "\(found)")
  }
}
