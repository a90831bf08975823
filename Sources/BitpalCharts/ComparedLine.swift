public import BitpalModel
import FoundationEssentials

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
