public import FoundationEssentials

/// The last known prices of coins that share a symbol; they distinguish the well-known coin from its copies.
public struct CandidatePrices: Hashable, Sendable {
  /// The currency, lower case.
  public let currency: String

  /// The prices that are known, by coin id.
  public let prices: [String: Decimal]

  /// Creates prices.
  public init(currency: String, prices: [String: Decimal]) {
    self.currency = currency
    self.prices = prices
  }
}
