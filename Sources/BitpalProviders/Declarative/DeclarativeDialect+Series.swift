import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// Returns the line in the rows of the SELECT, which may be in any order.
  ///
  /// - Throws: The source's own error, `.noData` for an empty answer, `.unreadable` when no row can be read.
  func line(
    _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries> {
    guard let time = operation.column("time"), let price = operation.column("price") else {
      throw missing("time", operation, query, response)
    }
    // A file with a close column gives the close as the price of a day or more, at the start of the day.
    let close = operation.spacing(of: query).flatMap { $0 >= .seconds(86_400) ? operation.column("close") : nil }
    var isDaily = true
    let (rows, isRounded) = try series(of: operation, answering: query, in: response) {
      (row, values) -> ChartDataPoint? in
      guard let instant = try values.instant(row, time), let value = try values.decimal(row, close ?? price)
      else { return nil }
      isDaily = isDaily && (close != nil || isDay(row, time, operation))
      return ChartDataPoint(timestamp: close == nil ? instant : instant.startOfDay, price: value)
    }
    let cleaned = SeriesRules.clean(rows.points)
    return ProviderAnswer(
      LineSeries(points: cleaned.points, isDaily: isDaily),
      warnings: rows.warnings(invalid: cleaned.dropped, isRounded: isRounded))
  }

  /// Returns the candles in the rows of the SELECT, with the width of the request, because rows do not state one.
  ///
  /// - Parameters:
  ///   - width: The width of the query, from which the width of the request follows.
  ///   - query: The query.
  ///   - operation: The operation for candles.
  ///   - response: The response.
  /// - Throws: The source's own error, `.noData` for an empty answer, `.unreadable` when no row can be read.
  func candles(
    _ width: Duration, _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
    // The inverse of the highest price is the lowest inverse price.
    let extremes = operation.declared.numbers.isInverted ? ["low", "high"] : ["high", "low"]
    let columns = (["time", "open"] + extremes + ["close"]).compactMap { operation.column($0) }
    guard columns.count == 5, let native = operation.declared.interval(for: width)?.width
    else { throw missing("time", operation, query, response) }
    let (time, open, high, low, close) = (columns[0], columns[1], columns[2], columns[3], columns[4])
    // The volume of an inverted pair counts the other coin.
    let volume = operation.declared.numbers.isInverted ? nil : operation.column("volume")
    let (rows, isRounded) = try series(of: operation, answering: query, in: response) {
      (row, values) -> CandleDataPoint? in
      guard let instant = try values.instant(row, time), let opening = try values.decimal(row, open),
        let highest = try values.decimal(row, high), let lowest = try values.decimal(row, low),
        let closing = try values.decimal(row, close)
      else { return nil }
      // An unreadable volume is left out, because the prices are usable without it.
      let traded = volume.flatMap { (try? row.decimal($0)) ?? nil }
      return CandleDataPoint(
        timestamp: instant, open: opening, high: highest, low: lowest, close: closing,
        volume: traded.flatMap { $0 < 0 ? nil : $0 })
    }
    let cleaned = SeriesRules.clean(rows.points)
    return ProviderAnswer(
      CandleSeries(width: native, candles: cleaned.points),
      warnings: rows.warnings(invalid: cleaned.dropped, isRounded: isRounded))
  }

  /// A reader of the values of rows, which keeps the first missing column.
  private struct Values {
    let dialect: DeclarativeDialect
    let operation: CompiledOperation
    private(set) var missing: Int?

    init(_ dialect: DeclarativeDialect, _ operation: CompiledOperation) {
      self.dialect = dialect
      self.operation = operation
    }

    mutating func instant(_ row: SandboxRow, _ column: Int) throws -> Date? {
      noting(row, column, try dialect.instant(row, column, operation))
    }

    mutating func decimal(_ row: SandboxRow, _ column: Int) throws -> Decimal? {
      noting(row, column, try operation.price(row, column))
    }

    private mutating func noting<Value>(_ row: SandboxRow, _ column: Int, _ value: Value?) -> Value? {
      if value == nil, row.isMissing(column) { missing = missing ?? column }
      return value
    }
  }

  /// Returns the rows of a series, and whether one of their numbers was rounded.
  ///
  /// - Throws: `BitpalError` with the reason when no row gives a point.
  private func series<Point>(
    of operation: CompiledOperation, answering query: ProviderQuery, in response: HTTPResponse,
    _ read: (SandboxRow, inout Values) throws -> Point?
  ) throws -> (rows: SeriesRows<Point>, isRounded: Bool) {
    var rows = SeriesRows<Point>()
    var values = Values(self, operation)
    var isRounded = false
    try forEachRow(of: operation, answering: query, in: response) { row in
      try rows.add { try read(row, &values) }
      isRounded = row.hasRounded
    }
    guard rows.points.isEmpty else { return (rows, isRounded) }
    if let problem = rows.problem { throw unreadable(problem.description, operation, query, response) }
    guard !rows.isEmpty else { throw nothing(operation, query, response) }
    guard let column = values.missing, operation.columns.indices.contains(column) else { throw noData(query) }
    throw missing(operation.columns[column], operation, query, response)
  }
}
