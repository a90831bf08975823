public import BitpalModel
public import FoundationEssentials

/// The holding of one coin and its current value.
public struct Holding: Identifiable, Equatable, Sendable {
  /// The quantity and cost of the holding.
  public let position: OpenPosition

  /// The coin with its price; nil without a price.
  public let coin: Coin?

  /// The value, quantity × price; nil without a price.
  ///
  /// It is exact where 38 digits hold it, and otherwise rounded half-even at 18 digits after the point.
  public let currentValue: Decimal?

  /// The value less the cost; nil without a price.
  public let profitLoss: Decimal?

  /// The gain in percent of the cost; nil without a price, and for coins that cost nothing.
  public let profitLossPercentage: Decimal?

  /// The value in percent of the portfolio's value; nil without a price, and for a portfolio worth zero.
  public let share: Decimal?

  /// Whether the price is past its time to live.
  public let isStale: Bool

  /// The coin's id.
  public var id: String { position.coinId }

  /// The number of coins held.
  public var totalAmount: Decimal { position.totalAmount }

  /// The cost of the coins held.
  public var totalCost: Decimal { position.totalCost }

  /// The average cost of one coin.
  public var avgCost: Decimal { position.avgCost }
}

/// The holding of one coin without its value.
public struct OpenPosition: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// The number of coins held; above zero.
  public let totalAmount: Decimal

  /// The cost of the coins held, at the moving average.
  public let totalCost: Decimal

  /// The average cost of one coin, at 18 digits after the point.
  public let avgCost: Decimal

  /// The proceeds less the cost removed of the disposals since the position was opened, without fees.
  public let realizedPnL: Decimal

  /// The cost removed by these disposals.
  public let removedCost: Decimal

  /// The cost of the coins sent without a value since, which are neither a gain nor a loss.
  public let sentCost: Decimal

  /// The fees since the position was opened.
  public let fees: Decimal

  /// The time at which the first coin came in.
  public let openedDate: Date

  /// The coin's id.
  public var id: String { coinId }
}

/// A closed cycle of one coin, from the first piece that came in to the last that went out.
public struct ClosedPosition: Identifiable, Hashable, Sendable {
  /// The id of the transaction that closed it.
  public let id: UUID

  /// The coin's id.
  public let coinId: String

  /// The number of coins that came in, which equals the number that went out.
  public let totalQuantity: Decimal

  /// The cost of all coins that came in.
  public let totalCost: Decimal

  /// The part of the cost whose coins were sold or sent at a value.
  public let removedCost: Decimal

  /// The average cost of one coin, at 18 digits after the point.
  public let avgCostPrice: Decimal

  /// The average proceeds of one coin, at 18 digits after the point; nil when none was sold or sent at a value.
  public let avgSellPrice: Decimal?

  /// The proceeds less ``removedCost``, exactly; without fees.
  public let realizedPnL: Decimal

  /// The realized gain in percent of ``removedCost``; nil when that is zero.
  public let realizedPnLPercentage: Decimal?

  /// The fees of the cycle.
  public let fees: Decimal

  /// The time at which the first coin came in.
  public let openedDate: Date

  /// The time at which the last coin went out.
  public let closedDate: Date
}
