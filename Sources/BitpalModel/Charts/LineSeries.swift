/// A line: points in order of time.
public struct LineSeries: Hashable, Sendable {
  /// The points, by time, each instant once.
  public let points: [ChartDataPoint]

  /// Creates a series from cleaned points; see ``SeriesRules``.
  public init(points: [ChartDataPoint]) {
    self.points = points
  }
}
