import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalNetwork
import FoundationEssentials

extension DeclarativeDialect {
  /// Returns the line in the rows of the SELECT, which may be in any order.
  ///
  /// - Parameter readsCloses: Whether the column `close` counts in an operation that names no intervals: where its rows are days.
  /// - Throws: The source's own error, `.noData` for an empty answer, `.unreadable` when no row can be read.
  func line(
    of coin: String, _ query: ProviderQuery, _ operation: CompiledOperation, from response: HTTPResponse,
    readsCloses: Bool = true
  ) throws -> ProviderAnswer {
    guard let time = operation.column("time"), let price = operation.column("price") else {
      throw missing("time", operation, query, response)
    }
    let spacing = operation.spacing(of: query)
    let isWide = spacing.map { $0 >= .seconds(86_400) } ?? (readsCloses ? nil : false)
    // A file with a close column gives the close as the price of a day or more; else `days` makes days of its rows.
    let close = isWide != false ? operation.column("close") : nil
    // Within a day a point is an opening, and the close of the row that is still open is the latest price.
    let latest = operation.column("latest") ?? (isWide == false ? operation.column("close") : nil)
    var open: ChartDataPoint?
    var (dayRows, closings, dates) = (0, 0, 0)
    let (rows, isRounded) = try series(of: operation, answering: query, in: response) {
      (row, values) -> ChartDataPoint? in
      // Where nothing says how far apart rows are, as in a plugin, those without a close have their price.
      let closing = isWide == nil ? close.flatMap { (try? values.decimal(row, $0)) ?? nil } : nil
      guard let instant = try values.instant(row, time),
        let value = try closing ?? values.decimal(row, isWide == nil ? price : close ?? price)
      else { return nil }
      // Where a market pauses, a row at midnight is that of the day, not the price with which it begins.
      let isDate = isDay(row, time, operation)
      if isDate { dates += 1 }
      let isMidnight = isWide != false && descriptor.hasPauses(of: coin) && instant == instant.startOfDay
      if isWide == true && close != nil || closing != nil || isMidnight || isDate { dayRows += 1 }
      if closing != nil { closings += 1 }
      if let latest, instant >= open?.timestamp ?? instant, let price = try? operation.price(row, latest) {
        open = ChartDataPoint(timestamp: instant, price: price)
      }
      return ChartDataPoint(timestamp: instant, price: value)
    }
    let hasCloses = isWide == nil ? closings > 0 : close != nil
    if isWide == nil, hasCloses, rows.points.count > 1, !Resampling.areOfDays(rows.points.map(\.timestamp).sorted()) {
      return try line(of: coin, query, operation, from: response, readsCloses: false)
    }
    let isDaily = dayRows == rows.points.count || isWide != false && dayRows * 2 > rows.points.count
    let isMixed = isDaily && !hasCloses && dayRows < rows.points.count
    let all = Self.points(rows.points, of: coin, areMixed: isMixed, query) + endOfOpen(open, query, spacing)
    let cleaned = SeriesRules.clean(all)
    let points = try cleaned.usable(of: "the line of \(coin)", provider: descriptor.id)
    let warnings = rows.warnings(of: cleaned, isRounded: isRounded)
    guard isWide ?? true, hasCloses || operation.declared.days != nil else {
      return ProviderAnswer(.line(LineSeries(points: points, isDaily: isDaily)), about: coin, warnings: warnings)
    }
    let days = try days(
      of: points.map(\.timestamp), areDates: dates == rows.points.count, operation, query, response)
    let closes = zip(days.starts, points).map { ChartDataPoint(timestamp: $0, price: $1.price) }
    let areDays = days.starts.allSatisfy { $0 == $0.startOfDay }
    let series = LineSeries(
      points: SeriesRules.clean(closes).points, isDaily: areDays,
      settles: days.end(ofLast: spacing ?? .seconds(86_400)))
    return ProviderAnswer(.line(series), about: coin, warnings: warnings)
  }

  /// Returns the points without those of before a currency began, which are of the one that it has replaced; a row with a
  /// time of day among days, such as the trade of now, is of its day.
  private static func points(
    _ points: [ChartDataPoint], of coin: String, areMixed: Bool, _ query: ProviderQuery
  ) -> [ChartDataPoint] {
    let begin = CurrencyCoin.beginning(of: coin, in: query.currency)
    let points = points.filter { $0.timestamp >= begin ?? .distantPast }
    return areMixed ? points.map { ChartDataPoint(timestamp: $0.timestamp.startOfDay, price: $0.price) } : points
  }

  /// Returns the latest price of the interval that is still open, at the end of a window that ends now; none for another
  /// window.
  ///
  /// The last interval of a source that stands still is not over where it ends, so its close is the price of no known instant.
  private func endOfOpen(_ open: ChartDataPoint?, _ query: ProviderQuery, _ spacing: Duration?) -> [ChartDataPoint] {
    guard let open, let spacing, case .line(_, _, let window) = query, !window.isPast, !window.goesOn,
      open.timestamp < window.end, window.end.since(open.timestamp) < spacing
    else { return [] }
    return [ChartDataPoint(timestamp: window.end, price: open.price)]
  }

  /// Returns the candles in the rows of the SELECT, with the width of the request, because rows do not state one.
  ///
  /// - Parameters:
  ///   - coin: The coin of the query.
  ///   - width: The width of the query, from which the width of the request follows.
  ///   - query: The query.
  ///   - operation: The operation for candles.
  ///   - response: The response.
  /// - Throws: The source's own error, `.noData` for an empty answer, `.unreadable` when no row can be read.
  func candles(
    of coin: String, _ width: Duration, _ query: ProviderQuery, _ operation: CompiledOperation,
    from response: HTTPResponse
  ) throws -> ProviderAnswer {
    // The inverse of the highest price is the lowest inverse price.
    let extremes = operation.declared.numbers.isInverted ? ["low", "high"] : ["high", "low"]
    let columns = (["time", "open"] + extremes + ["close"]).compactMap { operation.column($0) }
    guard columns.count == 5, let native = operation.declared.interval(for: width)?.width
    else { throw missing("time", operation, query, response) }
    let (time, open, high, low, close) = (columns[0], columns[1], columns[2], columns[3], columns[4])
    // The volume of an inverted pair counts the other coin.
    let volume = operation.declared.numbers.isInverted ? nil : operation.column("volume")
    var dates = 0
    let (rows, isRounded) = try series(of: operation, answering: query, in: response) {
      (row, values) -> CandleDataPoint? in
      guard let instant = try values.instant(row, time), let opening = try values.decimal(row, open),
        let highest = try values.decimal(row, high), let lowest = try values.decimal(row, low),
        let closing = try values.decimal(row, close)
      else { return nil }
      if operation.declared.days != nil, isDay(row, time, operation) { dates += 1 }
      // An unreadable volume is left out, because the prices are usable without it.
      let traded = volume.flatMap { (try? row.decimal($0)) ?? nil }
      return CandleDataPoint(
        timestamp: instant, open: opening, high: highest, low: lowest, close: closing,
        volume: traded.flatMap { $0 < 0 ? nil : $0 })
    }
    let cleaned = SeriesRules.clean(rows.points)
    let points = try cleaned.usable(of: "candles of \(coin)", provider: descriptor.id)
    let warnings = rows.warnings(of: cleaned, isRounded: isRounded)
    if points.count > 3, let spacing = Resampling.usualSpacing(points.map(\.timestamp)), spacing * 2 <= native {
      throw unreadable(
        "its candles are \(spacing.unitText) apart, and not \(native.unitText) as asked for", operation, query, response
      )
    }
    guard native >= .seconds(86_400) else {
      let candles = SeriesRules.merged(points, width: native)
      return ProviderAnswer(.candles(CandleSeries(width: native, candles: candles)), about: coin, warnings: warnings)
    }
    let days = try days(
      of: points.map(\.timestamp), areDates: dates == rows.points.count, operation, query, response)
    let candles = zip(days.starts, points).map { $1.opening(at: $0) }
    let series = CandleSeries(
      width: native, candles: SeriesRules.merged(candles, width: native), settles: days.end(ofLast: native))
    return ProviderAnswer(.candles(series), about: coin, warnings: warnings)
  }

  /// The days of the rows of a series.
  private struct Days {
    /// The midnight in UTC of each row's day, in the order of the rows; the row's own instant where no zone says its day.
    let starts: [Date]

    /// The zone whose days they are; nil where none is declared.
    let zone: ClockZone?

    /// Returns the instant at which the last row's interval ends; nil where its day is one of UTC.
    func end(ofLast width: Duration) -> Date? {
      zone.flatMap { zone in starts.last.map { zone.midnight(ofDay: $0.adding(width)) } }
    }
  }

  /// Returns the days of the instants of rows, by the zone that the file or the answer names.
  ///
  /// A row that begins at midnight in UTC needs no zone.
  ///
  /// - Parameter areDates: Whether each instant was written as a date without a time, which is its day in every zone.
  /// - Throws: `.unreadable` for other rows where the zone is unknown here or the answer does not name it.
  private func days(
    of instants: [Date], areDates: Bool, _ operation: CompiledOperation, _ query: ProviderQuery,
    _ response: HTTPResponse
  ) throws -> Days {
    guard let days = operation.declared.days else { return Days(starts: instants, zone: nil) }
    var name: String? = days.text.text
    if let sql = operation.daysSQL {
      try sandboxes.forEach(sql, in: response.body, values: parameters(for: query, operation)) { name = $0.text(0) }
    }
    var problem = "\(days.text.text) matches nothing"
    if let name {
      do throws(ZoneFiles.Problem) {
        let zone = try ZoneFiles.system.zone(name)
        return Days(starts: areDates ? instants : instants.map { zone.day(at: $0) }, zone: zone)
      } catch {
        problem = error.description
      }
    }
    if let first = instants.first(where: { $0 != $0.startOfDay }) {
      throw unreadable("whose day \(first.iso8601) belongs to is unknown: \(problem)", operation, query, response)
    }
    return Days(starts: instants, zone: nil)
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

extension CandleDataPoint {
  /// Returns the candle with another opening time.
  fileprivate func opening(at instant: Date) -> CandleDataPoint {
    CandleDataPoint(timestamp: instant, open: open, high: high, low: low, close: close, volume: volume)
  }
}
