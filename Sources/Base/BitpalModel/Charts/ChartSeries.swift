public import FoundationEssentials

/// A price at an instant: one point of a line.
public struct ChartDataPoint: Identifiable, Hashable, Sendable {
  /// The time at which the price was seen.
  public let timestamp: Date

  /// The price of one coin; zero or above.
  public let price: Decimal

  /// The instant, which is unique within a series.
  public var id: Date { timestamp }

  /// Creates a point; `SeriesRules` checks it.
  public init(timestamp: Date, price: Decimal) {
    self.timestamp = timestamp
    self.price = price
  }
}

/// A line: points in order of time.
public struct LineSeries: Hashable, Sendable {
  /// The points, by time, each instant once.
  public let points: [ChartDataPoint]

  /// Whether each point is the price of the whole day that it begins, as of central banks and price directives;
  /// otherwise it is the price at its instant.
  public let isDaily: Bool

  /// The instant from which the last price no longer changes: the end of its day in the zone of its market, or
  /// `distantFuture` where only a later price settles it.
  ///
  /// Nil where the price is settled, or where the day is one of UTC.
  package let settles: Date?

  /// Creates a series from cleaned points; see `SeriesRules`.
  public init(points: [ChartDataPoint], isDaily: Bool = false) {
    self.init(points: points, isDaily: isDaily, settles: nil)
  }

  /// Creates a series whose last price settles at an instant.
  package init(points: [ChartDataPoint], isDaily: Bool = false, settles: Date?) {
    self.points = points
    self.isDaily = isDaily
    self.settles = settles
  }

  /// Returns the same series with other points; the last one settles at the same instant.
  package func with(_ points: [ChartDataPoint]) -> LineSeries {
    LineSeries(points: points, isDaily: isDaily, settles: settles)
  }
}

/// Open, high, low and close of one interval.
public struct CandleDataPoint: Identifiable, Hashable, Sendable {
  /// The instant at which the interval **opens**.
  ///
  /// Timestamps of sources that state the close are converted when they are read.
  public let timestamp: Date

  /// The first price of the interval.
  public let open: Decimal

  /// The highest price of the interval.
  public let high: Decimal

  /// The lowest price of the interval.
  public let low: Decimal

  /// The last price of the interval; the latest one while the interval is still open.
  public let close: Decimal

  /// The number of coins traded in the interval; nil where the source does not say.
  public let volume: Decimal?

  /// The opening instant, which is unique within a series.
  public var id: Date { timestamp }

  /// Creates a candle; `SeriesRules` checks it.
  public init(
    timestamp: Date, open: Decimal, high: Decimal, low: Decimal, close: Decimal, volume: Decimal? = nil
  ) {
    self.timestamp = timestamp
    self.open = open
    self.high = high
    self.low = low
    self.close = close
    self.volume = volume
  }

  /// Whether the price did not fall.
  public var isGreen: Bool { close >= open }

  /// The close less the open.
  public var priceChange: Decimal { close - open }

  /// The change in percent of the open; nil when the open is zero.
  public var percentageChange: Decimal? { close.percentChange(since: open) }
}

/// Candles of one width, in order of time.
public struct CandleSeries: Hashable, Sendable {
  /// The length of each candle's interval.
  public let width: Duration

  /// The candles, by opening time, each once.
  public let candles: [CandleDataPoint]

  /// The instant at which the last candle's interval ends where days are those of a zone; nil where they are days of
  /// UTC.
  package let settles: Date?

  /// Creates a series from cleaned candles; see `SeriesRules`.
  public init(width: Duration, candles: [CandleDataPoint]) {
    self.init(width: width, candles: candles, settles: nil)
  }

  /// Creates a series whose last candle ends at an instant.
  package init(width: Duration, candles: [CandleDataPoint], settles: Date?) {
    self.width = width
    self.candles = candles
    self.settles = settles
  }

  /// Returns the same series with other candles; the last one ends at the same instant.
  package func with(_ candles: [CandleDataPoint]) -> CandleSeries {
    CandleSeries(width: width, candles: candles, settles: settles)
  }

  /// Returns whether the last candle's interval has not ended at `now`, so that its numbers may still change.
  public func isLastOpen(at now: Date) -> Bool {
    (settles ?? candles.last?.timestamp.adding(width)).map { $0 > now } ?? false
  }
}
