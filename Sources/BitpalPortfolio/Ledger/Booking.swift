public import FoundationEssentials

/// What one transaction did to its coin: the state after it and, for a sale, what it took out.
public struct Booking: Equatable, Sendable {
  /// The transaction.
  public let transaction: Transaction

  /// Coins held after it.
  public let quantity: Decimal

  /// Cost of the coins held after it.
  public let cost: Decimal

  /// Cost of the coins that were sold; nil for a buy.
  public let costRemoved: Decimal?

  /// Proceeds less cost removed, fees left aside; nil for a buy.
  public let realized: Decimal?
}
