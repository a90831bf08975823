public import BitpalModel
public import BitpalNetwork
import BitpalSQLite
import FoundationEssentials

extension DeclarativeDialect {
  /// Reads a line.
  public func line(
    _ coin: String, currency: String, window: TimeWindow, from response: HTTPResponse
  ) throws -> ProviderAnswer<LineSeries> {
    let query = ProviderQuery.line(coin: coin, currency: currency, window: window)
    let operation = try operation(.line)
    guard let time = operation.column("time"), let price = operation.column("price") else {
      throw missing("time", operation, query, response)
    }
    var points: [ChartDataPoint] = []
    var gaps = Gaps()
    try forEachRow(of: operation, answering: query, in: response) { row in
      guard let instant = try instant(row, time, operation) else { return gaps.count(row, time) }
      guard let value = try row.decimal(price) else { return gaps.count(row, price) }
      points.append(ChartDataPoint(timestamp: instant, price: value))
    }
    try check(gaps, found: points.count, operation, query, response)
    let cleaned = SeriesRules.clean(points)
    return ProviderAnswer(
      LineSeries(points: cleaned.points), warnings: gaps.warnings(invalid: cleaned.dropped))
  }

  /// Reads candles.
  public func candles(
    _ coin: String, currency: String, window: TimeWindow, width: Duration, from response: HTTPResponse
  ) throws -> ProviderAnswer<CandleSeries> {
    let query = ProviderQuery.candles(coin: coin, currency: currency, window: window, width: width)
    let operation = try operation(.candles)
    let columns = ["time", "open", "high", "low", "close"].compactMap { operation.column($0) }
    guard columns.count == 5, let native = NativeInterval.choose(width, among: operation.declared.intervals)?.width
    else { throw missing("time", operation, query, response) }
    let (time, open, high, low, close) = (columns[0], columns[1], columns[2], columns[3], columns[4])
    var candles: [CandleDataPoint] = []
    var gaps = Gaps()
    try forEachRow(of: operation, answering: query, in: response) { row in
      guard let instant = try instant(row, time, operation) else { return gaps.count(row, time) }
      guard let opening = try row.decimal(open) else { return gaps.count(row, open) }
      guard let highest = try row.decimal(high) else { return gaps.count(row, high) }
      guard let lowest = try row.decimal(low) else { return gaps.count(row, low) }
      guard let closing = try row.decimal(close) else { return gaps.count(row, close) }
      candles.append(
        CandleDataPoint(timestamp: instant, open: opening, high: highest, low: lowest, close: closing))
    }
    try check(gaps, found: candles.count, operation, query, response)
    let cleaned = SeriesRules.clean(candles)
    return ProviderAnswer(
      CandleSeries(width: native, candles: cleaned.points), warnings: gaps.warnings(invalid: cleaned.dropped))
  }

  /// Rows without a value that they should have.
  private struct Gaps {
    var nulls = 0
    var missingColumn: Int?

    mutating func count(_ row: SandboxRow, _ column: Int) {
      nulls += 1
      if row.isMissing(column) { missingColumn = missingColumn ?? column }
    }

    func warnings(invalid: Int) -> [AnswerWarning] {
      var warnings: [AnswerWarning] = []
      if nulls > 0 { warnings.append(.droppedRows(count: nulls, reason: "the price is null")) }
      if invalid > 0 {
        warnings.append(.droppedRows(count: invalid, reason: "negative prices, or a high or low that is not one"))
      }
      return warnings
    }
  }

  private func check(
    _ gaps: Gaps, found: Int, _ operation: CompiledOperation, _ query: ProviderQuery, _ response: HTTPResponse
  ) throws {
    guard found == 0 else { return }
    guard gaps.nulls > 0 else { throw nothing(operation, query, response) }
    guard let column = gaps.missingColumn, operation.columns.indices.contains(column) else { throw noData(query) }
    throw missing(operation.columns[column], operation, query, response)
  }
}
