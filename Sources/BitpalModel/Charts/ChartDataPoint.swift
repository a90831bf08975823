public import FoundationEssentials

/// A price at an instant: one point of a line.
public struct ChartDataPoint: Identifiable, Hashable, Sendable {
  /// When the price was seen.
  public let timestamp: Date

  /// The price of one coin; zero or above.
  public let price: Decimal

  /// The instant, which is unique within a series.
  public var id: Date { timestamp }

  /// Creates a point; ``SeriesRules`` checks it.
  public init(timestamp: Date, price: Decimal) {
    self.timestamp = timestamp
    self.price = price
  }
}
