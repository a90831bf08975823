import BitpalCharts
import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A chart: its statistics and its points, as a picture or as numbers.
struct ChartView: View {
  /// What the chart is of.
  struct Subject: Sendable {
    let coin: String
    let range: ChartTimeRange
    let currency: String
    let providers: [ProviderDescriptor]
    var window: TimeWindow?

    /// The words of the title, with what is drawn.
    func title(_ kind: String) -> [String] { [coin, range.name, kind, currency.uppercased()] }
  }

  private let subject: Subject
  private let origin: Origin
  private let type: ChartType
  private let width: Duration?
  private let statistics: ChartStatistics?
  private let lines: [ChartDataPoint]
  private let candles: [CandleDataPoint]
  private let isLastOpen: Bool
  private let canvas: ChartCanvas?

  /// The same as a picture.
  let chart: Chart

  /// A line.
  ///
  /// - Parameters:
  ///   - canvas: How a table is drawn; nil for one of rows.
  ///   - count: The most points that are given, drawn or listed; nil for all.
  init(line: Sourced<LineSeries>, _ subject: Subject, canvas: ChartCanvas? = nil, atMost count: Int? = nil) {
    self.subject = subject
    self.canvas = canvas
    origin = Origin(line)
    type = .line
    width = nil
    lines = count.map { Resampling.reduce(line.value.points, to: $0) } ?? line.value.points
    candles = []
    statistics = ChartStatistics(line: line.value.points)
    isLastOpen = false
    chart = ChartTitles(subject.title("line"), [origin], providers: subject.providers)
      .chart(.line(lines), window: subject.window)
  }

  /// Candles, put together until there are no more than `count`.
  init(candles: Sourced<CandleSeries>, _ subject: Subject, canvas: ChartCanvas? = nil, atMost count: Int? = nil) {
    self.subject = subject
    self.canvas = canvas
    origin = Origin(candles)
    type = .candle
    let series = count.map { candles.value.reduced(to: $0) } ?? candles.value
    width = series.width
    lines = []
    self.candles = series.candles
    statistics = ChartStatistics(candles: candles.value.candles)
    // Numbers of an interval that had not ended when they were fetched may have changed since.
    isLastOpen = series.isLastOpen(at: candles.fetchedAt)
    var kind = "candle \(series.width.unitText)"
    if count == nil, series.width != subject.range.candle { kind += " (\(subject.range.candle.unitText) wanted)" }
    chart = ChartTitles(subject.title(kind), [origin], providers: subject.providers)
      .chart(.candles(series, isLastOpen: isLastOpen), window: subject.window)
  }

  var columns: [String] {
    switch type {
    case .line: ["time", "price"]
    case .candle: ["time", "open", "high", "low", "close"]
    }
  }

  var rows: [JSONObject] {
    switch type {
    case .line:
      lines.map { ["time": JSONValue($0.timestamp), "price": JSONValue($0.price)] }
    case .candle:
      candles.map {
        [
          "time": JSONValue($0.timestamp), "open": JSONValue($0.open), "high": JSONValue($0.high),
          "low": JSONValue($0.low), "close": JSONValue($0.close),
        ]
      }
    }
  }

  var json: JSONObject {
    let statistics = statistics.map { statistics -> JSONValue in
      [
        "high": JSONValue(statistics.periodHigh), "low": JSONValue(statistics.periodLow),
        "start": JSONValue(statistics.startPrice), "end": JSONValue(statistics.endPrice),
        "change": JSONValue(statistics.priceChange), "change_percent": JSONValue(statistics.percentageChange),
      ]
    }
    let chart: JSONObject = [
      "schema": "bitpal.chart/1", "coin": .string(subject.coin), "type": .string(type.rawValue),
      "range": .string(subject.range.name), "currency": .string(subject.currency),
      "provider": JSONValue(subject.providers.first?.id), "candle": JSONValue(width?.unitText),
      "points": .array(rows.map(JSONValue.object)), "statistics": statistics ?? .null,
    ]
    return chart + origin.json + ["errors": []]
  }

  func table(style: Style) -> String {
    if let canvas { return canvas.text(chart, style: style) }
    let kind = type.rawValue + (width.map { " \($0.unitText)" } ?? "")
    let title = [subject.coin.printable(limit: 80), subject.range.name, kind, subject.currency.uppercased()]
    return style(title.joined(separator: " · "), .heading) + "\n"
      + Origin.line([origin], providers: subject.providers, style: style) + "\n\n"
      + statisticsTable(style: style) + "\n"
      + (type == .line ? lineTable(style: style) : candleTable(style: style))
  }

  private func statisticsTable(style: Style) -> String {
    var table = TextTable(["OPEN", "HIGH", "LOW", "CLOSE", "CHANGE", "CHANGE %"].map { .init($0, .right) })
    if let statistics {
      let change = statistics.priceChange
      table.add([
        .init(NumberFormat.price(statistics.startPrice)), .init(NumberFormat.price(statistics.periodHigh)),
        .init(NumberFormat.price(statistics.periodLow)), .init(NumberFormat.price(statistics.endPrice)),
        .init((change > 0 ? "+" : "") + NumberFormat.price(change), change > 0 ? .good : change < 0 ? .bad : nil),
        PriceRow.changeCell(statistics.percentageChange),
      ])
    }
    return table.text(style: style)
  }

  private func lineTable(style: Style) -> String {
    let shown = lines.evenlyPicked(atMost: subject.range.points)
    var table = TextTable([.init("TIME"), .init("PRICE \(subject.currency.uppercased())", .right)])
    for point in shown { table.add([.init(point.timestamp.utcText), .init(NumberFormat.price(point.price))]) }
    return table.text(style: style)
      + (shown.count < lines.count ? style("\(shown.count) of \(lines.count) points", .quiet) + "\n" : "")
  }

  private func candleTable(style: Style) -> String {
    var columns: [TextTable.Column] = [.init("TIME")]
    columns += ["OPEN", "HIGH", "LOW", "CLOSE"].map { .init($0, .right) }
    if isLastOpen { columns.append(.init("STATE")) }
    var table = TextTable(columns)
    for (index, candle) in candles.enumerated() {
      let role: Style.Role = candle.isGreen ? .good : .bad
      table.add([
        .init(candle.timestamp.utcText), .init(NumberFormat.price(candle.open)), .init(NumberFormat.price(candle.high)),
        .init(NumberFormat.price(candle.low)), .init(NumberFormat.price(candle.close), role),
        .init(isLastOpen && index == candles.count - 1 ? "open" : "", .quiet),
      ])
    }
    return table.text(style: style)
  }
}

extension CandleSeries {
  /// The candles put together to the next multiple of their width of which there are no more than `count`.
  fileprivate func reduced(to count: Int) -> CandleSeries {
    var series = self
    var factor = 1
    while series.candles.count > max(1, count) {
      factor = max(factor + 1, (candles.count + count - 1) / max(1, count))
      let wide = width * factor
      series = CandleSeries(width: wide, candles: Resampling.aggregate(candles, to: wide))
    }
    return series
  }
}
