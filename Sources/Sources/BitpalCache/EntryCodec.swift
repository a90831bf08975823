import BitpalFiles
import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A codec that converts entries to JSON and back with SQLite's own JSON functions, every number as a string of its
/// digits.
enum EntryCodec {
  /// Returns the payload of an entry.
  ///
  /// - Throws: The error of SQLite.
  static func payload(of value: Answer, _ connection: SQLiteConnection) throws -> String {
    switch value {
    case .missing:
      return "null"
    case .coinList(let items):
      return "[" + (try items.map { try array([$0.id, $0.symbol, $0.name], connection) }).joined(separator: ",") + "]"
    case .quote(let coin):
      return try array(fields(of: coin) + [coin.place] + volume(of: coin), connection)
    case .detail(let detail):
      return try array(
        fields(of: detail.coin) + [
          detail.marketCap?.plainText, detail.totalVolume?.plainText, detail.circulatingSupply?.plainText, detail.image,
          detail.totalSupply?.plainText, detail.maximumSupply?.plainText, detail.rank.map(String.init),
          detail.changes.week?.plainText, detail.changes.month?.plainText, detail.changes.year?.plainText,
          detail.allTimeHigh?.price.plainText, detail.allTimeHigh?.date?.iso8601, detail.allTimeLow?.price.plainText,
          detail.allTimeLow?.date?.iso8601, detail.changes.hour?.plainText,
        ] + volume(of: detail.coin), connection)
    case .line(let series):
      // Digits, points and minus signs only: nothing to escape.
      let points = series.points.map { "[\($0.timestamp.milliseconds),\"\($0.price.plainText)\"]" }
      let settles = series.settles.map { ["[null,\"\($0.milliseconds)\"]"] } ?? []
      return "[" + ((series.isDaily ? [dayMark] : []) + settles + points).joined(separator: ",") + "]"
    case .candles(let series):
      let rows = series.candles.map { candle in
        "[\(candle.timestamp.milliseconds),\"\(candle.open.plainText)\",\"\(candle.high.plainText)\","
          + "\"\(candle.low.plainText)\",\"\(candle.close.plainText)\""
          + (candle.volume.map { ",\"\($0.plainText)\"" } ?? "") + "]"
      }
      let settles = series.settles.map { ",\"settles\":\($0.milliseconds)" } ?? ""
      return "{\"width\":\(series.width.milliseconds)\(settles),\"candles\":[" + rows.joined(separator: ",") + "]}"
    }
  }

  /// Returns the entry of `key`; nil when there is none, or when this version did not write it.
  ///
  /// - Throws: The error of SQLite.
  static func read(_ key: AnswerKey, _ connection: SQLiteConnection) throws -> Sourced<Answer>? {
    switch key.kind {
    case .missing, .quote, .detail:
      let row = try bound(entrySQL, key, connection)
      defer { row.reset() }
      guard try row.step(), let value = scalar(key, row) else { return nil }
      return KeptSource.answer(
        value, about: key, source: row.text(1) ?? "", fetchedAt: Date(milliseconds: row.integer(0)))
    case .line, .candles:
      return try series(key, connection)
    case .coinList:
      return nil
    }
  }

  /// Returns the items of a coin list's payload, without the invalid ones.
  ///
  /// - Throws: The error of SQLite.
  static func coinList(_ payload: String, _ connection: SQLiteConnection) throws -> [CoinListItem] {
    let rows = try connection.cached("SELECT value->>0, value->>1, value->>2 FROM json_each(?1) WHERE type = 'array'")
    return try SQLiteTier.items(rows, payload)
  }

  /// Stores an entry in the table, with its checksum.
  ///
  /// - Throws: The error of SQLite.
  static func write(
    _ key: AnswerKey, _ fetchedAt: Date, source: String, payload: String, _ connection: SQLiteConnection
  ) throws {
    let statement = try connection.cached(
      "INSERT OR REPLACE INTO entry VALUES (\(parameters), bitpal_checksum(\(parameters)))")
    try bind(key, to: statement)
    try statement.bind(6, fetchedAt.milliseconds)
    try statement.bind(7, source)
    try statement.bind(8, Int64(payload.utf8.count))
    try statement.bind(9, payload)
    try statement.run()
  }

  private static let parameters = "?1,?2,?3,?4,?5,?6,?7,?8,?9"

  /// The mark before the points of a line whose points are prices of whole days.
  private static let dayMark = "[null,\"day\"]"

  private static let keySQL = "provider = ?1 AND operation = ?2 AND coin = ?3 AND currency = ?4 AND range = ?5"

  /// The condition for a row with the key and a correct checksum.
  private static let soundKeySQL =
    keySQL + """
       AND checksum = bitpal_checksum(
        provider, operation, coin, currency, range, fetched_at, source, bytes, payload)
      """

  private static let entrySQL = "SELECT fetched_at, source, payload FROM entry WHERE \(soundKeySQL)"

  private static let seriesHeadSQL =
    "SELECT fetched_at, source, payload->>'$.width', payload->>'$.settles' FROM entry WHERE \(soundKeySQL)"

  private static let lineSQL = """
    SELECT point.value->>0, point.value->>1 FROM entry, json_each(entry.payload) AS point
    WHERE \(keySQL) AND point.type = 'array'
    """

  private static let candlesSQL = """
    SELECT c.value->>0, c.value->>1, c.value->>2, c.value->>3, c.value->>4,
      c.value->>5
    FROM entry, json_each(entry.payload, '$.candles') AS c WHERE \(keySQL) AND c.type = 'array'
    """

  private static func bound(
    _ sql: String, _ key: AnswerKey, _ connection: SQLiteConnection
  ) throws -> SQLiteStatement {
    let statement = try connection.cached(sql)
    try bind(key, to: statement)
    return statement
  }

  /// Binds a key to the first five parameters.
  private static func bind(_ key: AnswerKey, to statement: SQLiteStatement) throws {
    try statement.bind(1, key.provider)
    try statement.bind(2, key.kind.rawValue)
    try statement.bind(3, key.coin)
    try statement.bind(4, key.currency)
    try statement.bind(5, key.range)
  }

  private static func scalar(_ key: AnswerKey, _ row: SQLiteStatement) -> Answer? {
    if key.kind == .missing { return .missing }
    guard let fields = row.withUTF8(2, { $0.flatMap { StrictJSON.texts($0) } }) else { return nil }
    // An older version did not write all of them.
    func text(_ place: Int) -> String? { fields.indices.contains(place) ? fields[place] : nil }
    func decimal(_ place: Int) -> Decimal? { text(place).flatMap { try? Decimal(strict: $0) } }
    func date(_ place: Int) -> Date? { text(place).flatMap { Date(utcText: $0) } }
    func extreme(_ place: Int) -> PriceExtreme? {
      decimal(place).map { PriceExtreme(price: $0, date: date(place + 1)) }
    }
    let isQuote = key.kind == .quote
    guard let symbol = text(0), let name = text(1), let price = decimal(2),
      let coin = try? Coin(
        validating: key.coin, symbol: symbol, name: name, currentPrice: price, priceChangePercentage24h: decimal(3),
        lastUpdated: date(4), place: isQuote ? text(5) : nil
      ).with(volume: decimal(isQuote ? 6 : 20))
    else { return nil }
    if isQuote { return .quote(coin) }
    let detail = try? CoinDetail(
      validating: coin, marketCap: decimal(5), totalVolume: decimal(6), circulatingSupply: decimal(7),
      totalSupply: decimal(9), maximumSupply: decimal(10), rank: text(11).flatMap { Int($0) },
      changes: PeriodChanges(hour: decimal(19), week: decimal(12), month: decimal(13), year: decimal(14)),
      allTimeHigh: extreme(15), allTimeLow: extreme(17), image: text(8))
    return detail.map { .detail($0) }
  }

  private static func series(_ key: AnswerKey, _ connection: SQLiteConnection) throws -> Sourced<Answer>? {
    let head = try bound(seriesHeadSQL, key, connection)
    defer { head.reset() }
    guard try head.step() else { return nil }
    let fetchedAt = Date(milliseconds: head.integer(0))
    let source = head.text(1) ?? ""
    let isLine = key.kind == .line
    let rows = try bound(isLine ? lineSQL : candlesSQL, key, connection)
    defer { rows.reset() }
    var points: [ChartDataPoint] = []
    var candles: [CandleDataPoint] = []
    var isDaily = false
    var settles = isLine || head.text(3) == nil ? nil : Date(milliseconds: head.integer(3))
    while try rows.step() {
      if isLine, points.isEmpty, rows.text(0) == nil {
        if let instant = rows.text(1).flatMap({ Int64($0) }) {
          settles = Date(milliseconds: instant)
        } else {
          isDaily = true
        }
        continue
      }
      let timestamp = Date(milliseconds: rows.integer(0))
      guard let first = decimal(rows, 1) else { return nil }
      if isLine {
        points.append(ChartDataPoint(timestamp: timestamp, price: first))
      } else {
        guard let high = decimal(rows, 2), let low = decimal(rows, 3), let close = decimal(rows, 4) else { return nil }
        candles.append(
          CandleDataPoint(
            timestamp: timestamp, open: first, high: high, low: low, close: close, volume: decimal(rows, 5)))
      }
    }
    let value: Answer =
      isLine
      ? .line(LineSeries(points: points, isDaily: isDaily, settles: settles))
      : .candles(CandleSeries(width: .milliseconds(head.integer(2)), candles: candles, settles: settles))
    return KeptSource.answer(value, about: key, source: source, fetchedAt: fetchedAt)
  }

  private static func decimal(_ row: SQLiteStatement, _ column: Int) -> Decimal? {
    row.withUTF8(column) { bytes in bytes.flatMap { try? Decimal(strictUTF8: $0) } }
  }

  private static func fields(of coin: Coin) -> [String?] {
    [
      coin.symbol, coin.name, coin.currentPrice.plainText, coin.priceChangePercentage24h?.plainText,
      coin.lastUpdated?.iso8601,
    ]
  }

  /// Returns the last field of a coin, which is not there without a volume.
  private static func volume(of coin: Coin) -> [String?] { coin.volume.map { [$0.plainText] } ?? [] }

  private static func array(_ fields: [String?], _ connection: SQLiteConnection) throws -> String {
    let places = fields.indices.map { "?\($0 + 1)" }.joined(separator: ",")
    let statement = try connection.cached("SELECT json_array(\(places))")
    defer { statement.reset() }
    for (index, field) in fields.enumerated() { try statement.bind(index + 1, field) }
    return try statement.step() ? statement.text(0) ?? "null" : "null"
  }
}
