public import BitpalModel

/// What a provider can be asked so that it has an answer.
public struct ConformanceSample: Sendable {
  /// Coins that have a price.
  public var coins: [String]

  /// The currency of the prices.
  public var currency: String

  /// Prices with all their digits, by coin, as far as they are known.
  public var prices: [String: String]

  /// A coin and a window for which there is a line.
  public var line: (coin: String, window: TimeWindow)?

  /// A coin, a window and a width for which there are candles.
  public var candles: (coin: String, window: TimeWindow, width: Duration)?

  /// Creates a sample.
  public init(
    coins: [String], currency: String, prices: [String: String] = [:], line: (coin: String, window: TimeWindow)? = nil,
    candles: (coin: String, window: TimeWindow, width: Duration)? = nil
  ) {
    self.coins = coins
    self.currency = currency
    self.prices = prices
    self.line = line
    self.candles = candles
  }
}
