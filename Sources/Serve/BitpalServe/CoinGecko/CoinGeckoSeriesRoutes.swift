import Bitpal
import BitpalModel
import BitpalOutput
import BitpalQueries
import FoundationEssentials

/// `/coins/{id}/market_chart`, its range, and `/coins/{id}/ohlc`.
struct CoinGeckoSeriesRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// Answers `/coins/{id}/market_chart`.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters, otherwise the error of the source.
  func chart(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let currency = try request.currency()
    let days = try Self.days(try request.required("days"))
    return try await line(id, request, over: days.map { Market.range(days: $0) } ?? .ever) {
      try await market.line("id:\(id)", days: days, currency: currency)
    }
  }

  /// Answers `/coins/{id}/market_chart/range`, whose ends are seconds of Unix time, or days and instants of ISO 8601.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters, otherwise the error of the source.
  func range(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let currency = try request.currency()
    let start = try Self.instant("from", try request.required("from"))
    let end = try Self.instant("to", try request.required("to"))
    let now = market.now
    guard start < end else { throw BitpalError.usage("from is not before to") }
    guard start < now else { return WebResponse(CoinGeckoChart([], try CoinGeckoNumber()).text, as: .json) }
    let range = ChartTimeRange.between(
      start, end < now ? end : nil, now: now, name: "\(start.iso8601) to \(end.iso8601)")
    return try await line(id, request, over: range) {
      try await market.service.line("id:\(id)", range: range, currency: currency)
    }
  }

  /// Answers `/coins/{id}/ohlc`.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters, otherwise the error of the source.
  func candles(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = try request.currency()
    let text = try request.required("days")
    let range: ChartTimeRange
    if let days = try Self.days(text) {
      guard Self.candleDays.contains(days) else {
        let all = Self.candleDays.map { "\($0)" }.joined(separator: ", ")
        throw BitpalError.usage("days: \"\(text)\" is none of \(all), max")
      }
      range = Market.range(days: days)
    } else {
      range = .ever
    }
    let number = try CoinGeckoNumber(precision: request["precision"])
    do {
      let series = try await market.service.candles("id:\(id)", range: range, currency: currency)
      return WebResponse(
        CoinGeckoCandles(series.value, number).text, as: .json,
        headers: ProvenanceHeaders([series]).headers(
          market, began: began,
          incomplete: market.incomplete(.candles(series), over: range)))
    } catch BitpalError.noData {
      return WebResponse("[]", as: .json)
    }
  }

  /// The values of `days` for candles, in addition to `max`.
  static let candleDays = [1, 7, 14, 30, 90, 180, 365]

  private func line(
    _ id: String, _ request: WebRequest, over range: ChartTimeRange, _ ask: () async throws -> Sourced<LineSeries>
  ) async throws -> WebResponse {
    let began = market.now
    let number = try CoinGeckoNumber(precision: request["precision"])
    do {
      let line = try await ask()
      let points = request["interval"] == "daily" ? Self.daily(line.value.points) : line.value.points
      return WebResponse(
        CoinGeckoChart(points, number).text, as: .json,
        headers: ProvenanceHeaders([line]).headers(
          market, began: began,
          incomplete: market.incomplete(.line(line), over: range)))
    } catch BitpalError.noData {
      return WebResponse(CoinGeckoChart([], number).text, as: .json)
    }
  }

  /// Reads a number of days, rounded up; nil for `max`.
  private static func days(_ text: String) throws(BitpalError) -> Int? {
    if text == "max" { return nil }
    guard let days = try? Decimal(strict: text), days > 0, days <= 36_500 else {
      throw .usage("days: \"\(text)\" is neither a number of days nor max")
    }
    return Int(text) ?? Int(text.prefix { $0 != "." }).map { $0 + 1 }
  }

  private static func instant(_ name: String, _ text: String) throws(BitpalError) -> Date {
    if let seconds = Int64(text), (0...253_402_300_799).contains(seconds) { return Date(milliseconds: seconds * 1000) }
    guard let instant = Date(utcText: text) else {
      throw .usage("\(name): \"\(text)\" is neither seconds of Unix time nor a day like 2024-12-30")
    }
    return instant
  }

  /// Returns the first price of each day in UTC that begins within the points, and the last price of all, which is the
  /// present one.
  private static func daily(_ points: [ChartDataPoint]) -> [ChartDataPoint] {
    var points = points[...]
    if let first = points.first?.timestamp, let next = points.dropFirst().first?.timestamp,
      first.since(first.startOfDay) >= next.since(first)
    {
      points = points.drop { $0.timestamp.startOfDay == first.startOfDay }
    }
    var days: [ChartDataPoint] = []
    for point in points where days.last?.timestamp.startOfDay != point.timestamp.startOfDay { days.append(point) }
    if let last = points.last, last != days.last { days.append(last) }
    return days
  }
}
