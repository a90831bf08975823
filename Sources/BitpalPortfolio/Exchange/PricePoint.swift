public import FoundationEssentials

/// What one coin cost on a day.
public struct PricePoint: Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// The day, in UTC.
  public let date: Date

  /// The price of one coin.
  public let price: Decimal

  /// Creates a price.
  public init(coinId: String, date: Date, price: Decimal) {
    self.coinId = coinId
    self.date = date
    self.price = price
  }
}
