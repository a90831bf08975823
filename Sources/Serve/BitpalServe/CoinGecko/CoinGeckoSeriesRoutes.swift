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
    let currency = try request.vsCurrency()
    let text = try request.required("days")
    guard let length = try Self.length(text) else {
      return try await line(request, over: .ever) {
        try await market.line("id:\(id)", days: nil, currency: currency)
      }
    }
    let days = Self.wholeDays(length)
    guard length < .seconds(days * 86_400) else {
      return try await line(request, over: Market.range(days: days)) {
        try await market.line("id:\(id)", days: days, currency: currency)
      }
    }
    // A source is asked for whole days, of which a fraction is a part.
    let now = market.now
    let range = ChartTimeRange.lasting(length, now: now, name: "\(text)d")
    return try await line(request, over: range) {
      try await market.line("id:\(id)", days: days, currency: currency).map {
        SeriesRules.cut($0, to: range.timeWindow(at: now))
      }
    }
  }

  /// Answers `/coins/{id}/market_chart/range`, whose ends are seconds of Unix time, or days and instants of ISO 8601.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters, otherwise the error of the source.
  func range(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let currency = try request.vsCurrency()
    let start = try Self.instant("from", try request.required("from"))
    let end = try Self.instant("to", try request.required("to"))
    let now = market.now
    guard start < end else { throw BitpalError.usage("from is not before to") }
    guard start < now else { return WebResponse(CoinGeckoChart([], try CoinGeckoNumber()).text, as: .json) }
    let range = ChartTimeRange.between(
      start, end < now ? end : nil, now: now, name: "\(start.iso8601) to \(end.iso8601)")
    return try await line(request, over: range) {
      try await market.service.line("id:\(id)", range: range, currency: currency)
    }
  }

  /// Answers `/coins/{id}/ohlc`.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters, otherwise the error of the source.
  func candles(_ id: String, _ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = try request.vsCurrency()
    let text = try request.required("days")
    var range = ChartTimeRange.ever
    if let length = try Self.length(text) {
      let days = Self.wholeDays(length)
      guard length == .seconds(days * 86_400), Self.candleDays.contains(days) else {
        let all = Self.candleDays.map { "\($0)" }.joined(separator: ", ")
        throw BitpalError.usage("days: \"\(text)\" is none of \(all), max")
      }
      range = Market.range(days: days)
    }
    let interval = try ChartInterval(request)
    let number = try CoinGeckoNumber(precision: request["precision"])
    do {
      let series = try await market.service.candles(
        "id:\(id)", range: interval.map { range.with(candle: $0.width) } ?? range, currency: currency)
      if let interval, series.value.width != interval.width { throw interval.failure(series.value.width) }
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
    _ request: WebRequest, over range: ChartTimeRange, _ ask: () async throws -> Sourced<LineSeries>
  ) async throws -> WebResponse {
    let began = market.now
    let interval = try ChartInterval(request)
    let number = try CoinGeckoNumber(precision: request["precision"])
    do {
      let line = try await ask()
      let window = range.timeWindow(at: began)
      let prices = line.value.pricesAtInstants(
        until: window.isPast ? window.end : line.fetchedAt, isOver: window.isPast)
      let points = try interval?.thinned(prices) ?? prices
      return WebResponse(
        CoinGeckoChart(points, number).text, as: .json,
        headers: ProvenanceHeaders([line]).headers(
          market, began: began,
          incomplete: market.incomplete(.line(line), over: range)))
    } catch BitpalError.noData {
      return WebResponse(CoinGeckoChart([], number).text, as: .json)
    }
  }

  /// Reads a length in days, which may have a fraction; nil for `max`.
  private static func length(_ text: String) throws(BitpalError) -> Duration? {
    if text == "max" { return nil }
    guard (try? Decimal(strict: text)) != nil, let days = Double(text), days > 0, days <= 36_500 else {
      throw .usage("days: \"\(text)\" is neither a number of days nor max")
    }
    return .milliseconds(Int64((days * 86_400_000).rounded(.up)))
  }

  /// Returns the number of whole days that cover a length.
  private static func wholeDays(_ length: Duration) -> Int { Int((length.milliseconds + 86_399_999) / 86_400_000) }

  private static func instant(_ name: String, _ text: String) throws(BitpalError) -> Date {
    // Python's clients send the seconds with a fraction.
    if (try? Decimal(strict: text)) != nil, let seconds = Double(text), (0...253_402_300_799).contains(seconds) {
      return Date(milliseconds: Int64((seconds * 1000).rounded()))
    }
    guard let instant = Date(utcText: text) else {
      throw .usage("\(name): \"\(text)\" is neither seconds of Unix time nor a day like 2024-12-30")
    }
    return instant
  }
}

extension LineSeries {
  /// Returns the points as CoinGecko has them, each the price at its instant: the close of a day is that of its end, and so
  /// is that of a week.
  ///
  /// - Parameter isOver: Whether a day that is not over at `end` has a later close; otherwise it has the price of then.
  fileprivate func pricesAtInstants(until end: Date, isOver: Bool) -> [ChartDataPoint] {
    guard isDaily else { return points }
    let times = points.map(\.timestamp)
    // The close of a week or a month, which stands at its first day, is that of the day before the next one.
    let usual = Resampling.usualSpacing(times) ?? .zero
    let areWeeks = (Duration.seconds(4 * 86_400)...Duration.seconds(31 * 86_400)).contains(usual)
    let width = areWeeks ? usual : .seconds(86_400)
    let ends = zip(times, times.dropFirst() + [.distantFuture]).map { min($0.adding(width), $1) }
    var prices: [ChartDataPoint] = []
    for (point, next) in zip(points, ends) {
      let close = point.timestamp == point.timestamp.startOfDay ? next : point.timestamp
      if isOver, close > end { continue }
      let instant = min(close, end)
      if prices.last?.timestamp == instant { prices.removeLast() }
      prices.append(ChartDataPoint(timestamp: instant, price: point.price))
    }
    return prices
  }
}

/// The distance between the prices of a chart, or the width of its candles, as `interval` names it.
private enum ChartInterval: String {
  case fiveMinutes = "5m"
  case hourly
  case daily

  /// Reads the value of `interval`; nil when it is missing.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown value.
  init?(_ request: WebRequest) throws(BitpalError) {
    guard let text = request["interval"] else { return nil }
    guard let interval = ChartInterval(rawValue: text.lowercased()) else {
      throw .usage("interval: unknown value \"\(text.printable(limit: 80))\"; there are: 5m, hourly, daily")
    }
    self = interval
  }

  var width: Duration {
    switch self {
    case .fiveMinutes: .seconds(300)
    case .hourly: .seconds(3600)
    case .daily: .seconds(86_400)
    }
  }

  /// Returns the failure of a chart whose prices are farther apart.
  func failure(_ width: Duration) -> BitpalError {
    .usage("interval: the prices of this length are not \(rawValue) but \(width.shortText) apart; leave interval out")
  }

  /// Returns the price nearest to each full interval in UTC, at most half of one away, and the last price of all, which is
  /// the present one.
  ///
  /// The nearest, because CoinGecko's own points of an hour lie up to a minute before or after it.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for points that are farther apart.
  func thinned(_ points: [ChartDataPoint]) throws(BitpalError) -> [ChartDataPoint] {
    guard let first = points.first, let last = points.last else { return [] }
    var kept: [ChartDataPoint] = []
    var place = 0
    func distance(_ place: Int, _ instant: Date) -> Duration {
      max(points[place].timestamp.since(instant), instant.since(points[place].timestamp))
    }
    // A line that begins shortly after a full interval has its price.
    var instant = first.timestamp.adding(width - width / 24).startOfInterval(width.milliseconds)
    while instant <= last.timestamp {
      while place + 1 < points.count, distance(place + 1, instant) < distance(place, instant) { place += 1 }
      if distance(place, instant) <= width / 2, kept.last != points[place] { kept.append(points[place]) }
      instant = instant.adding(width)
    }
    let narrowest = zip(kept, kept.dropFirst()).map { $1.timestamp.since($0.timestamp) }.min()
    if kept.count > 2, let narrowest, narrowest > width * 3 / 2 { throw failure(narrowest) }
    if last != kept.last { kept.append(last) }
    return kept
  }
}
