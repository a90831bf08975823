public import FoundationEssentials

/// Candles of one width, in order of time.
public struct CandleSeries: Hashable, Sendable {
  /// How long each candle's interval is.
  public let width: Duration

  /// The candles, by opening time, each once.
  public let candles: [CandleDataPoint]

  /// Creates a series from cleaned candles; see ``SeriesRules``.
  public init(width: Duration, candles: [CandleDataPoint]) {
    self.width = width
    self.candles = candles
  }

  /// Whether the last candle's interval has not ended at `now`, so that its numbers may still change.
  public func isLastOpen(at now: Date) -> Bool {
    candles.last.map { $0.timestamp.adding(width) > now } ?? false
  }
}
