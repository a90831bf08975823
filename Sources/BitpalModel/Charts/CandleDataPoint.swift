public import FoundationEssentials

/// Open, high, low and close of one interval.
public struct CandleDataPoint: Identifiable, Hashable, Sendable {
  /// When the interval **opens**.
  ///
  /// Sources that stamp the close are converted on the way in.
  public let timestamp: Date

  /// The first price of the interval.
  public let open: Decimal

  /// The highest price of the interval.
  public let high: Decimal

  /// The lowest price of the interval.
  public let low: Decimal

  /// The last price of the interval; the latest one while the interval is still open.
  public let close: Decimal

  /// The opening instant, which is unique within a series.
  public var id: Date { timestamp }

  /// Creates a candle; ``SeriesRules`` checks it.
  public init(timestamp: Date, open: Decimal, high: Decimal, low: Decimal, close: Decimal) {
    self.timestamp = timestamp
    self.open = open
    self.high = high
    self.low = low
    self.close = close
  }

  /// True when the price did not fall.
  public var isGreen: Bool { close >= open }

  /// True when the price fell.
  public var isRed: Bool { close < open }

  /// The close less the open.
  public var priceChange: Decimal { close - open }

  /// The change in percent of the open; nil when the open is zero.
  public var percentageChange: Decimal? { close.percentChange(since: open) }
}
