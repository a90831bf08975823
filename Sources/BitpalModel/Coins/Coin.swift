public import FoundationEssentials

/// A cryptocurrency with its latest price: one quote.
public struct Coin: Identifiable, Hashable, Sendable {
  /// The source-independent id, which is CoinGecko's (`bitcoin`).
  public let id: String

  /// The ticker, lower case (`btc`); not unique among coins.
  public let symbol: String

  /// The name people use (`Bitcoin`).
  public let name: String

  /// The price of one coin in the currency that was asked for; always above zero.
  public let currentPrice: Decimal

  /// The change over the last 24 hours in percent (2.5 is +2.5 %), where the source knows it.
  public let priceChange24h: Decimal?

  /// When the source last updated the price, by the source's own clock, where it says so.
  public let lastUpdated: Date?

  /// Creates a quote, or says which rule it breaks.
  ///
  /// - Throws: ``ValidationError`` when id, symbol or name is empty, or the price is not above zero.
  public init(
    validating id: String, symbol: String, name: String, currentPrice: Decimal, priceChange24h: Decimal? = nil,
    lastUpdated: Date? = nil
  ) throws(ValidationError) {
    try ValidationError.checkIdentity(id: id, symbol: symbol, name: name)
    guard currentPrice > 0 else { throw .priceNotPositive(coin: id, price: currentPrice.plainText) }
    self.id = id
    self.symbol = symbol
    self.name = name
    self.currentPrice = currentPrice
    self.priceChange24h = priceChange24h
    self.lastUpdated = lastUpdated
  }
}
