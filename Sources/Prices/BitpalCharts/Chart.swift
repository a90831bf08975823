public import BitpalModel
import FoundationEssentials

/// A chart to be drawn, with its titles.
public struct Chart: Hashable, Sendable {
  /// The series of a chart.
  public enum Content: Hashable, Sendable {
    /// Prices by time.
    case line([ChartDataPoint])

    /// Candles; the last one is marked when its interval has not ended.
    case candles(CandleSeries, isLastOpen: Bool)

    /// The change in percent of several lines since the first point of each.
    case comparison([ComparedLine])

    /// Several lines on one scale of amounts, such as a value and its cost.
    case amounts([ComparedLine])
  }

  /// The series.
  public let content: Content

  /// The first line: coin, range, type, currency.
  public let title: String

  /// The second line: source and time.
  public let subtitle: String

  /// The unit of prices, written at their scale: `USD`; empty for none.
  public let unit: String

  /// A warning that must be visible, such as `stale, 3h 5m old`; nil for none.
  public let warning: String?

  /// The window of the time scale; nil for the range of the data.
  public let window: TimeWindow?

  /// The time zone of the labels of the time scale.
  public let zone: ClockZone

  /// Whether each point is that of a day in UTC, so that a date names it.
  package var isOfDays = false

  /// Creates a chart.
  public init(
    _ content: Content, title: String, subtitle: String = "", unit: String = "", warning: String? = nil,
    window: TimeWindow? = nil, zone: ClockZone = .utc
  ) {
    self.content = content
    self.title = title
    self.subtitle = subtitle
    self.unit = unit
    self.warning = warning
    self.window = window
    self.zone = zone
  }

  /// The open, high, low and close of the series; nil for several lines and without data.
  public var statistics: ChartStatistics? {
    switch content {
    case .line(let points): ChartStatistics(line: points)
    case .candles(let series, _): ChartStatistics(candles: series.candles)
    case .comparison, .amounts: nil
    }
  }

  /// Returns the decimals of the figures of the chart, with which they differ as their places do.
  ///
  /// - Parameter asked: The decimals of prices asked for; nil for as many as distinguish them.
  /// - Returns: The decimals of prices, or of percentages in a comparison; nil for the usual format.
  package func digits(_ asked: Int?) -> Int? {
    switch content {
    case .amounts: return asked
    case .line, .candles:
      guard asked == nil, let statistics else { return asked }
      return NumberFormat.digits(
        tellingApart: [statistics.startPrice, statistics.periodHigh, statistics.periodLow, statistics.endPrice])
    case .comparison:
      guard let (low, high) = extremes, low < high else { return nil }
      return max(2, min(12, NumberFormat.spanScale(high - low)))
    }
  }

  /// The lowest and the highest value, in the unit of the scale; nil without data.
  var extremes: (low: Decimal, high: Decimal)? {
    guard let (lines, unit) = lines else { return statistics.map { ($0.periodLow, $0.periodHigh) } }
    let values = lines.flatMap { line -> [Decimal] in
      guard let numbers = ChartStatistics(line: line.points) else { return [] }
      let ends = [numbers.periodLow, numbers.periodHigh]
      return unit == .price ? ends : ends.compactMap { $0.percentChange(since: numbers.startPrice) }
    }
    return values.min().flatMap { low in values.max().map { (low, $0) } }
  }

  /// The lines that share a scale, and the unit of the scale; nil for one series.
  var lines: (lines: [ComparedLine], unit: PriceAxis.Unit)? {
    switch content {
    case .line, .candles: nil
    case .comparison(let lines): (lines, .percent)
    case .amounts(let lines): (lines, .price)
    }
  }
}

/// One line of several that are compared.
public struct ComparedLine: Hashable, Sendable {
  /// The name in the legend.
  public let name: String

  /// Prices by time.
  public let points: [ChartDataPoint]

  /// Creates a line.
  public init(name: String, points: [ChartDataPoint]) {
    self.name = name
    self.points = points
  }

  /// Returns the points as they are drawn: as prices, or as the change in percent since the line's first price.
  ///
  /// The change is empty when the first price is zero.
  func values(of points: [ChartDataPoint], in unit: PriceAxis.Unit) -> [ChartDataPoint] {
    guard unit == .percent else { return points }
    guard let start = self.points.first?.price else { return [] }
    return points.compactMap { point in
      point.price.percentChange(since: start).map { ChartDataPoint(timestamp: point.timestamp, price: $0) }
    }
  }

  /// Returns the last drawn value; nil without points.
  func last(in unit: PriceAxis.Unit) -> Decimal? {
    points.last.flatMap { values(of: [$0], in: unit).last?.price }
  }
}

extension PriceAxis.Unit {
  /// Returns the text of a value beside the end of a line and in a legend.
  ///
  /// - Parameter digits: The decimals by ``Chart/digits(_:)``.
  func label(_ value: Decimal, digits: Int?) -> String {
    switch self {
    case .price: digits.map { NumberFormat.price(value, digits: $0) } ?? NumberFormat.amount(value)
    case .percent: NumberFormat.finePercent(value, digits: digits ?? 2)
    }
  }
}

/// The runs of a line as they are drawn: reduced, and in percent when lines are compared.
struct DrawnLine {
  /// The name in the legend; empty for a single line.
  let name: String

  /// The runs; between two of them the source has a gap.
  let runs: [[ChartDataPoint]]

  /// The last value before reduction.
  let last: Decimal?

  /// The lowest and the highest drawn value; nil without points.
  let extremes: (low: Decimal, high: Decimal)?

  /// Reduces a line to its drawn points.
  ///
  /// - Parameter count: The number of points that fit.
  init(_ points: [ChartDataPoint], name: String = "", count: Int, values: ([ChartDataPoint]) -> [ChartDataPoint]) {
    self.name = name
    let runs = Resampling.runs(points)
    let drawn = runs.map { run in
      let share = runs.count == 1 ? count : max(4, count * run.count / max(1, points.count))
      return values(Resampling.reduce(Array(run), to: share))
    }
    self.runs = drawn
    last = drawn.last?.last?.price
    let prices = drawn.joined().map(\.price)
    extremes = prices.min().flatMap { low in prices.max().map { (low, $0) } }
  }
}

/// Several lines as they are drawn, with the range of their values.
struct DrawnLines {
  /// The lines in the order of the chart.
  let lines: [DrawnLine]

  /// The unit of their scale.
  let unit: PriceAxis.Unit

  /// The lowest drawn value of all lines.
  let low: Decimal

  /// The highest drawn value of all lines.
  let high: Decimal

  /// Reduces the lines of a chart; nil for one series, and when no line has anything to be drawn.
  ///
  /// - Parameter count: The number of points of each line that fit.
  init?(_ chart: Chart, count: Int) {
    guard let (compared, unit) = chart.lines else { return nil }
    lines = compared.map { line in
      DrawnLine(line.points, name: line.name, count: count) { line.values(of: $0, in: unit) }
    }
    let extremes = lines.compactMap(\.extremes)
    guard let low = extremes.map(\.low).min(), let high = extremes.map(\.high).max() else { return nil }
    (self.unit, self.low, self.high) = (unit, low, high)
  }
}
