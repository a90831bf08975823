import Bitpal
import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Values are read again as they were written` {
  private static let seeds = Array<UInt64>(1...40)

  /// Returns every shape with rows, with values of a generator.
  private func shapes(_ seed: UInt64) throws -> [ShapeCase] {
    var draw = Draw(seed)
    let quotes = try draw.list(0...4) { draw in
      let coin = try draw.coin()
      return try draw.sourced(coin, of: coin.id)
    }
    let failures = draw.list(0...3) { $0.failure() }
    let prices = QuotesAnswer(quotes: quotes, failures: failures)
    let watched = try draw.list(0...4) { draw in
      let id = draw.text()
      return (
        item: WatchlistItem(coinId: id, dateAdded: draw.instant()),
        quote: try draw.some { draw in try draw.sourced(try draw.coin(id), of: id) }
      )
    }
    let details = try draw.list(0...3) { draw in try draw.sourced(try draw.detail()) }
    let isProvisional = draw.isTrue()
    let (days, whole) = (try draw.points(), try draw.candles())
    let closes = days.map {
      Resampling.DailyClose(day: $0.timestamp.startOfDay, price: $0.price, isProvisional: isProvisional)
    }
    let wholeDays = whole.map {
      Resampling.DailyClose(day: $0.timestamp.startOfDay, price: $0.close, candle: $0)
    }
    let question = ChartQuestion(
      type: .line, range: ChartTimeRange.standard[3], currency: "usd", now: Draw.now, descriptors: [])
    let line = try draw.sourced(LineSeries(points: try draw.points(0...12)), of: draw.text())
    let candles = try draw.sourced(CandleSeries(width: .seconds(3600), candles: try draw.candles()), of: draw.text())
    let found = try draw.list(0...3) { draw in
      try CoinListItem(validating: draw.text(), symbol: draw.text(), name: draw.text())
    }
    let history = HistoryAnswer(closes: try draw.sourced(closes, of: draw.text()), missing: [])
    let trades = try transactions(&draw)
    return [
      ShapeCase("prices", PricesOutput(prices, provider: draw.some { $0.text() }, currency: "eur")),
      ShapeCase("a watchlist", WatchlistOutput(watched, failures: failures, provider: nil, currency: "usd")),
      ShapeCase("coins", CoinsOutput(details, failures: failures, provider: "test", currency: "usd")),
      ShapeCase("closes", HistoryOutput(history, currency: "usd", provider: "test")),
      ShapeCase(
        "histories",
        HistoriesOutput(
          [CoinHistory(try draw.sourced(wholeDays, of: draw.text()), name: draw.text())], failures: failures,
          currency: "usd", provider: "test")),
      ShapeCase("a line", ChartOutput(.line(line), question, atMost: draw.some { $0.number(1...9) })),
      ShapeCase("candles", ChartOutput(.candles(candles), question)),
      ShapeCase(
        "a comparison",
        ComparisonOutput(([ComparedSeries(coin: draw.text(), line: line)], failures), question, atMost: 3)),
      ShapeCase(
        "a search",
        SearchOutput(SearchAnswer(text: draw.text(), coins: try draw.sourced(found)), currency: "usd")),
      ShapeCase("transactions", TransactionsOutput(trades, of: .main, currency: "usd")),
      ShapeCase(
        "gains",
        try GainsOutput(Gains(trades, by: .fifo), of: .main, currency: "usd", days: .all, zone: .utc)),
      ShapeCase(
        "lots", LotsOutput(try Gains(trades, by: .hifo).lots, by: .hifo, of: .main, currency: "usd")),
      ShapeCase("an error", ErrorOutput(draw.failure().error, coin: draw.text())),
      ShapeCase("a notice", NoticeOutput(.warning, draw.text())),
      ShapeCase(
        "done", DoneOutput(draw.text(), about: draw.text(), ["text": draw.text(), "count": draw.number(0...9)])),
    ]
  }

  /// Returns purchases and sales of one coin, of which never more is sold than was bought.
  private func transactions(_ draw: inout Draw) throws -> [Transaction] {
    let (coin, start) = (draw.text(), draw.instant())
    return try (0..<draw.number(0...6)).map { number in
      try Transaction(
        validating: UUID(), coinId: coin, type: number.isMultiple(of: 3) ? .buy : .sell,
        amount: number.isMultiple(of: 3) ? 3 : 1, pricePerCoin: Decimal(draw.number(0...100_000)) / 100,
        fee: Decimal(draw.number(0...100)) / 100, date: start.adding(.seconds(number)),
        notes: draw.some { $0.text() })
    }
  }

  /// The text of a value in a field of a table; nil for an object.
  private func plain(_ value: JSONValue) -> String? {
    switch value {
    case .null: ""
    case .bool(let value): "\(value)"
    case .integer(let value): "\(value)"
    case .number(let digits): digits
    case .string(let text): text.printable()
    case .array(let values):
      values.reduce(into: String?("")) { all, value in
        all = all.flatMap { all in plain(value).map { all.isEmpty ? $0 : "\(all) \($0)" } }
      }
    case .object: nil
    }
  }

  @Test(arguments: seeds)
  func `JSON over several lines, in one line and in lines of rows are the same values`(seed: UInt64) throws {
    for shape in try shapes(seed) {
      let output = shape.output
      let whole = try JSONReader.read(output.jsonText)
      #expect(whole == JSONValue.object(output.json).read, "\(shape.testDescription)")
      #expect(try JSONReader.read(output.jsonLine) == whole)
      #expect(output.jsonLine.utf8.count { $0 == 10 } == 1)
      let lines = output.jsonLines.split(separator: "\n").map(String.init)
      #expect(try lines.map(JSONReader.read) == output.rows.map { JSONValue.object($0).read })
    }
  }

  @Test(arguments: seeds)
  func `A field of CSV has the value of the row under its column`(seed: UInt64) throws {
    for shape in try shapes(seed) {
      let (output, records) = (shape.output, CSVReading.records(shape.output.csv))
      #expect(records.first == output.columns)
      #expect(records.count == output.rows.count + 1)
      for (record, row) in zip(records.dropFirst(), output.rows) {
        #expect(record.count == output.columns.count)
        for (field, column) in zip(record, output.columns) {
          guard let value = plain(row[column] ?? .null) else { continue }
          #expect(CSVField.unguarded(field) == value, "\(shape.testDescription): \(column)")
        }
      }
    }
  }

  @Test(arguments: seeds)
  func `No text controls a terminal, and no field is a formula`(seed: UInt64) throws {
    for shape in try shapes(seed) {
      let output = shape.output
      for text in [output.jsonText, output.jsonLine, output.jsonLines, output.csv] {
        let control = text.unicodeScalars.first { scalar in
          scalar != "\n"
            && (scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || (0x202A...0x202E).contains(scalar.value))
        }
        #expect(control == nil, "\(shape.testDescription)")
      }
      for field in CSVReading.records(output.csv).joined() {
        guard let first = field.unicodeScalars.first, "=+-@".unicodeScalars.contains(first) else { continue }
        #expect((try? Decimal(strict: field)) != nil, "\(shape.testDescription): \(field)")
      }
    }
  }

  @Test(arguments: seeds)
  func `Money, times and marks of a price are those of the answer, to the last digit`(seed: UInt64) throws {
    var draw = Draw(seed)
    let quotes = try draw.list(1...6) { draw in try draw.sourced(try draw.coin()) }
    let output = PricesOutput(QuotesAnswer(quotes: quotes, failures: []), provider: nil, currency: "usd")
    for (quote, row) in zip(quotes, try JSONReader.read(output.jsonText)["prices"]?.elements ?? []) {
      let coin = quote.value
      #expect(try row["price"]?.text.map { try Decimal(strict: $0) } == coin.currentPrice)
      #expect(try row["change_24h"]?.text.map { try Decimal(strict: $0) } == coin.priceChangePercentage24h)
      #expect(row["last_updated"]?.text.flatMap { Date(utcText: $0)?.milliseconds } == coin.lastUpdated?.milliseconds)
      #expect(row["fetched_at"]?.text.flatMap { Date(utcText: $0)?.milliseconds } == quote.fetchedAt.milliseconds)
      #expect(row["stale"] == .bool(quote.freshness.isStale))
      #expect((row["stale_reason"] == .null) == !quote.freshness.isStale)
      #expect(
        row["name"]?.text == coin.name && row["symbol"]?.text == coin.symbol && row["source"]?.text == quote.source)
      #expect((row["converted"] == .null) == (quote.conversion == nil))
      if let conversion = quote.conversion {
        #expect(try row["converted"]?["rate"]?.text.map { try Decimal(strict: $0) } == conversion.rate)
        #expect((row["converted"]?["price"] == .null) == (conversion.price == nil))
      }
    }
  }

  @Test(arguments: seeds.prefix(10))
  func `The schema of a shape notices a key that is missing or foreign`(seed: UInt64) throws {
    for shape in try shapes(seed) {
      let output = shape.output
      let check = try JSONSchemaCheck(Data(output.schema.text.utf8), isClosed: true)
      let members = output.json.members
      #expect(check.fault(in: output.jsonText) == nil, "\(shape.testDescription)")
      for index in members.indices {
        let rest = members.enumerated().filter { $0.offset != index }.map { ($0.element.key, $0.element.value) }
        let text = JSONValue.object(JSONObject(rest)).compact()
        #expect(check.fault(in: text) != nil, "\(shape.testDescription) without \(members[index].key)")
      }
      let foreign = JSONValue.object(output.json + ["foreign": 1]).compact()
      #expect(check.fault(in: foreign) != nil, "\(shape.testDescription)")
    }
  }

  @Test func `A value that is missing is null in JSON and empty in CSV, and its key stays`() throws {
    let bare = try Coin(validating: "x", symbol: "x", name: "X", currentPrice: 1)
    let quote = Sourced(
      bare, about: AnswerKey(provider: "test", kind: .quote, coin: "x"), source: "test", fetchedAt: Draw.now,
      freshness: .fresh)
    let output = PricesOutput(QuotesAnswer(quotes: [quote], failures: []), provider: nil, currency: "usd")
    let row = try #require(output.rows.first)
    let fields = CSVReading.records(output.csv)
    for key in ["change_24h", "last_updated", "stale_reason", "converted", "place"] {
      #expect(row[key] == .null)
      let index = try #require(output.columns.firstIndex(of: key))
      #expect(fields[1][index].isEmpty)
    }
  }
}
