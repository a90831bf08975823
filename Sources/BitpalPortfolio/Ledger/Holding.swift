public import BitpalModel
public import FoundationEssentials

/// What is held of one coin and what it is worth now.
public struct Holding: Identifiable, Equatable, Sendable {
  /// Quantity and cost.
  public let position: OpenPosition

  /// The coin with its price; nil when there is no price, which is not zero.
  public let coin: Coin?

  /// Quantity × price: exact where 38 digits hold it, else rounded half-even at 18 digits after the point.
  public let currentValue: Decimal?

  /// Value less cost.
  public let profitLoss: Decimal?

  /// The same in percent of the cost.
  public let profitLossPercentage: Decimal?

  /// The value in percent of the whole portfolio's.
  public let share: Decimal?

  /// Whether the price is past its time to live.
  public let isStale: Bool

  /// The coin's id.
  public var id: String { position.coinId }

  /// Coins held.
  public var totalAmount: Decimal { position.totalAmount }

  /// Their cost.
  public var totalCost: Decimal { position.totalCost }

  /// What one of them cost on average.
  public var avgCost: Decimal { position.avgCost }
}
