public import BitpalModel
import FoundationEssentials

/// What is to be drawn, and what is to be written above it.
public struct Chart: Hashable, Sendable {
  /// The series of a chart.
  public enum Content: Hashable, Sendable {
    /// Prices by time.
    case line([ChartDataPoint])

    /// Candles; the last one is marked when its interval has not ended.
    case candles(CandleSeries, isLastOpen: Bool)

    /// The change in percent of several lines since the beginning of each.
    case comparison([ComparedLine])

    /// Several lines on one scale of amounts, such as a value and what it cost.
    case amounts([ComparedLine])
  }

  /// The series.
  public let content: Content

  /// The first line: coin, range, type, currency.
  public let title: String

  /// The second line: source and time.
  public let subtitle: String

  /// What must not be overlooked, such as `stale, 3h 5m old`.
  public let warning: String?

  /// The time that the chart is about; nil for as much as there is data.
  public let window: TimeWindow?

  /// By whose clocks the time scale is labelled.
  public let zone: ClockZone

  /// Creates a chart.
  public init(
    _ content: Content, title: String, subtitle: String = "", warning: String? = nil, window: TimeWindow? = nil,
    zone: ClockZone = .utc
  ) {
    self.content = content
    self.title = title
    self.subtitle = subtitle
    self.warning = warning
    self.window = window
    self.zone = zone
  }

  /// Open, high, low and close of what is drawn; nil for several lines and when there is nothing.
  public var statistics: ChartStatistics? {
    switch content {
    case .line(let points): ChartStatistics(line: points)
    case .candles(let series, _): ChartStatistics(candles: series.candles)
    case .comparison, .amounts: nil
    }
  }

  /// The lines that share a scale, and what that is in; nil for one series.
  var lines: (lines: [ComparedLine], unit: PriceAxis.Unit)? {
    switch content {
    case .line, .candles: nil
    case .comparison(let lines): (lines, .percent)
    case .amounts(let lines): (lines, .price)
    }
  }
}

/// One of several lines that are compared.
public struct ComparedLine: Hashable, Sendable {
  /// What it is called in the legend.
  public let name: String

  /// Prices by time.
  public let points: [ChartDataPoint]

  /// Creates a line.
  public init(name: String, points: [ChartDataPoint]) {
    self.name = name
    self.points = points
  }

  /// What is drawn of some of the points: their prices, or the change in percent since the first of all, which is nothing
  /// when that is zero.
  func values(of points: [ChartDataPoint], in unit: PriceAxis.Unit) -> [ChartDataPoint] {
    guard unit == .percent else { return points }
    guard let start = self.points.first?.price else { return [] }
    return points.compactMap { point in
      point.price.percentChange(since: start).map { ChartDataPoint(timestamp: point.timestamp, price: $0) }
    }
  }

  /// The last of what is drawn; nil without points.
  func last(in unit: PriceAxis.Unit) -> Decimal? {
    points.last.flatMap { values(of: [$0], in: unit).last?.price }
  }
}

extension PriceAxis.Unit {
  /// A value as it is written beside a line's end and in a legend.
  func label(_ value: Decimal, digits: Int?) -> String {
    switch self {
    case .price: digits.map { NumberFormat.price(value, digits: $0) } ?? NumberFormat.amount(value)
    case .percent: NumberFormat.percent(value)
    }
  }
}

/// A line's runs as they are drawn: reduced, and in percent when lines are compared.
struct DrawnLine {
  /// What it is called in the legend; empty for the only one.
  let name: String

  /// Between two runs the source has a gap.
  let runs: [[ChartDataPoint]]

  /// The last value before reduction.
  let last: Decimal?

  /// The lowest and the highest value, whatever was left out in between.
  let extremes: (low: Decimal, high: Decimal)?

  /// - Parameter count: How many points there is room for.
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

/// Several lines as they are drawn, and the values between which all of them lie.
struct DrawnLines {
  /// The lines in the order of the chart.
  let lines: [DrawnLine]

  /// What their scale is in.
  let unit: PriceAxis.Unit

  /// The lowest value of all.
  let low: Decimal

  /// The highest value of all.
  let high: Decimal

  /// - Parameter count: How many points of each there is room for.
  /// - Returns: nil for one series, and when none of several has anything to be drawn.
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
