public import BitpalModel
public import BitpalNetwork

/// What a provider can be asked so that it has an answer.
public struct ConformanceSample: Sendable {
  /// A question about a line that has an answer.
  public typealias Line = (coin: String, currency: String, window: TimeWindow)

  /// A question about candles that has an answer.
  public typealias Candles = (coin: String, currency: String, window: TimeWindow, width: Duration)

  /// Coins that have a price.
  public var coins: [String]

  /// The currency of the prices.
  public var currency: String

  /// Another currency with prices of its own, so that none can be the same as in ``currency``; nil when none is known.
  public var otherCurrency: String?

  /// Prices with all their digits, by coin, as far as they are known.
  public var prices: [String: String]

  /// For which coin and window there is a line.
  public var line: Line?

  /// For which coin, window and width there are candles.
  public var candles: Candles?

  /// What answers as the source does, so that its answers can be cut, changed and asked for at other times.
  ///
  /// Nil leaves out what can only be seen that way.
  public var source: (any Transport)?

  /// Whether it is made of the examples of a provider file, so that one can be added where something is missing.
  var isOfExamples = false

  /// Creates a sample.
  public init(
    coins: [String], currency: String, otherCurrency: String? = nil, prices: [String: String] = [:],
    line: Line? = nil, candles: Candles? = nil, source: (any Transport)? = nil
  ) {
    self.coins = coins
    self.currency = currency
    self.otherCurrency = otherCurrency
    self.prices = prices
    self.line = line
    self.candles = candles
    self.source = source
  }
}
