import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// A line out of the rows of the SELECT, in whatever order they come.
  func line(
    _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries> {
    guard let time = operation.column("time"), let price = operation.column("price") else {
      throw missing("time", operation, query, response)
    }
    // Where the file names a close, the price of a day or more is that, and is of the whole of it.
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

  /// Candles out of the rows of the SELECT; they are as wide as the source was asked for, which it does not say itself.
  ///
  /// - Parameter width: The width asked for.
  func candles(
    _ width: Duration, _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
    // What is the most for one is the least of the inverse.
    let extremes = operation.declared.numbers.isInverted ? ["low", "high"] : ["high", "low"]
    let columns = (["time", "open"] + extremes + ["close"]).compactMap { operation.column($0) }
    guard columns.count == 5, let native = operation.declared.interval(for: width)?.width
    else { throw missing("time", operation, query, response) }
    let (time, open, high, low, close) = (columns[0], columns[1], columns[2], columns[3], columns[4])
    // An inverse counts another coin's trade.
    let volume = operation.declared.numbers.isInverted ? nil : operation.column("volume")
    let (rows, isRounded) = try series(of: operation, answering: query, in: response) {
      (row, values) -> CandleDataPoint? in
      guard let instant = try values.instant(row, time), let opening = try values.decimal(row, open),
        let highest = try values.decimal(row, high), let lowest = try values.decimal(row, low),
        let closing = try values.decimal(row, close)
      else { return nil }
      // One that cannot be read is not known, and no reason to do without the prices.
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

  /// Reads the values of rows, and remembers which column was not there.
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
  /// - Throws: `BitpalError` with the reason when there are none.
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
