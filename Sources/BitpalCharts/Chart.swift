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

  /// Open, high, low and close of what is drawn; nil for comparisons and when there is nothing.
  public var statistics: ChartStatistics? {
    switch content {
    case .line(let points): ChartStatistics(line: points)
    case .candles(let series, _): ChartStatistics(candles: series.candles)
    case .comparison: nil
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

  /// The change in percent since the first point, at each point; empty when the first price is zero.
  func changes(of points: [ChartDataPoint]) -> [ChartDataPoint] {
    guard let start = self.points.first?.price else { return [] }
    return points.compactMap { point in
      point.price.percentChange(since: start).map { ChartDataPoint(timestamp: point.timestamp, price: $0) }
    }
  }

  /// The change in percent from the first to the last point; nil without points or when the first price is zero.
  var change: Decimal? {
    points.last.flatMap { last in points.first.flatMap { last.price.percentChange(since: $0.price) } }
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
