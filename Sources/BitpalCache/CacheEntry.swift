public import BitpalModel
public import FoundationEssentials

/// A cached answer and when it was fetched.
public struct CacheEntry: Hashable, Sendable {
  /// What can be cached.
  public enum Value: Hashable, Sendable {
    /// A quote.
    case quote(Coin)

    /// A detail.
    case detail(CoinDetail)

    /// A line, as the source gave it, not cut to any window.
    case line(LineSeries)

    /// Candles, as the source gave them.
    case candles(CandleSeries)

    /// The source does not have the coin.
    case missing
  }

  /// The answer.
  public let value: Value

  /// When it was fetched from the source, by our clock.
  public let fetchedAt: Date

  /// The id of the provider that gave it.
  public let source: String

  /// Creates an entry.
  public init(_ value: Value, fetchedAt: Date, source: String) {
    self.value = value
    self.fetchedAt = fetchedAt
    self.source = source
  }

  /// Roughly what the entry takes in memory, for the bound of the memory tier.
  var byteCount: Int {
    switch value {
    case .quote, .missing: 256
    case .detail: 512
    case .line(let series): 128 + series.points.count * MemoryLayout<ChartDataPoint>.stride
    case .candles(let series): 128 + series.candles.count * MemoryLayout<CandleDataPoint>.stride
    }
  }
}
