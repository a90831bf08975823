/// The two kinds of chart.
public enum ChartType: String, CaseIterable, Hashable, Sendable {
  /// A price at each point in time.
  case line

  /// Open, high, low and close of each interval.
  case candle
}
