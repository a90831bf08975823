public import FoundationEssentials

/// High, low, start, end and change of a chart.
public struct ChartStatistics: Hashable, Sendable {
  /// The highest price of the period.
  public let periodHigh: Decimal

  /// The lowest price of the period.
  public let periodLow: Decimal

  /// The first price of the period (of candles: the first open).
  public let startPrice: Decimal

  /// The last price of the period (of candles: the last close).
  public let endPrice: Decimal

  /// The end less the start.
  public var priceChange: Decimal { endPrice - startPrice }

  /// The change in percent of the start; nil when the start is zero.
  public var percentageChange: Decimal? { endPrice.percentChange(since: startPrice) }

  /// Whether the price did not fall.
  public var isPositive: Bool { priceChange >= 0 }

  /// Calculates the statistics of a line; nil when it has no points.
  public init?(line: [ChartDataPoint]) {
    guard let first = line.first, let last = line.last else { return nil }
    startPrice = first.price
    endPrice = last.price
    periodHigh = line.reduce(first.price) { max($0, $1.price) }
    periodLow = line.reduce(first.price) { min($0, $1.price) }
  }

  /// Calculates the statistics of candles; nil for an empty array.
  public init?(candles: [CandleDataPoint]) {
    guard let first = candles.first, let last = candles.last else { return nil }
    startPrice = first.open
    endPrice = last.close
    periodHigh = candles.reduce(first.high) { max($0, $1.high) }
    periodLow = candles.reduce(first.low) { min($0, $1.low) }
  }
}
