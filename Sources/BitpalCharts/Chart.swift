public import BitpalModel

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

  /// Creates a chart.
  public init(
    _ content: Content, title: String, subtitle: String = "", warning: String? = nil, window: TimeWindow? = nil
  ) {
    self.content = content
    self.title = title
    self.subtitle = subtitle
    self.warning = warning
    self.window = window
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
