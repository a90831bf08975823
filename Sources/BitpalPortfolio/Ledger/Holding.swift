public import BitpalModel
public import FoundationEssentials

/// The holding of one coin and its present value.
public struct Holding: Identifiable, Equatable, Sendable {
  /// Quantity and cost.
  public let position: OpenPosition

  /// The coin with its price; nil when there is no price, which is not zero.
  public let coin: Coin?

  /// Quantity × price: exact where 38 digits hold it, else rounded half-even at 18 digits after the point.
  public let currentValue: Decimal?

  /// Value less cost.
  public let profitLoss: Decimal?

  /// The same in percent of the cost; nil for coins that cost nothing.
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

  /// The average cost of one coin.
  public var avgCost: Decimal { position.avgCost }
}

/// The holding of one coin without its value.
public struct OpenPosition: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// Coins held; above zero.
  public let totalAmount: Decimal

  /// Their cost, exactly.
  public let totalCost: Decimal

  /// The average cost of one coin, at 18 digits after the point.
  public let avgCost: Decimal

  /// Proceeds less cost removed of the sales since the position was opened.
  public let realizedPnL: Decimal

  /// The cost removed by those sales.
  public let removedCost: Decimal

  /// The cost of what was sent without a value since, which is no gain and no loss.
  public let sentCost: Decimal

  /// The fees since the position was opened.
  public let fees: Decimal

  /// The time at which the first coin came in.
  public let openedDate: Date

  /// The coin's id.
  public var id: String { coinId }
}

/// A coin that came in and went out again to the last piece: one cycle from nothing to nothing.
public struct ClosedPosition: Identifiable, Hashable, Sendable {
  /// The id of the transaction that closed it.
  public let id: UUID

  /// The coin's id.
  public let coinId: String

  /// All that came in, which is all that went out.
  public let totalQuantity: Decimal

  /// The total cost.
  public let totalCost: Decimal

  /// The part of the cost whose coins were sold, or sent at a value.
  public let removedCost: Decimal

  /// The average cost of one coin, at 18 digits after the point.
  public let avgCostPrice: Decimal

  /// The average proceeds of one coin, at 18 digits after the point; nil when none was sold.
  public let avgSellPrice: Decimal?

  /// Proceeds less the cost of what was sold, exactly; fees left aside.
  public let realizedPnL: Decimal

  /// The same in percent of that cost; nil when it is zero.
  public let realizedPnLPercentage: Decimal?

  /// The fees of the cycle.
  public let fees: Decimal

  /// The time at which the first coin came in.
  public let openedDate: Date

  /// The time at which the last coin went out.
  public let closedDate: Date
}
