public import FoundationEssentials

/// A coin bought and sold again to the last piece: one cycle from nothing to nothing.
public struct ClosedPosition: Identifiable, Hashable, Sendable {
  /// The id of the sale that closed it.
  public let id: UUID

  /// The coin's id.
  public let coinId: String

  /// All that was bought, which is all that was sold.
  public let totalQuantity: Decimal

  /// What was paid for it.
  public let totalCost: Decimal

  /// What one coin cost on average, at 18 digits after the point.
  public let avgCostPrice: Decimal

  /// What one coin sold for on average, at 18 digits after the point.
  public let avgSellPrice: Decimal

  /// Proceeds less cost, exactly; fees left aside.
  public let realizedPnL: Decimal

  /// The same in percent of the cost.
  public let realizedPnLPercentage: Decimal

  /// The fees of the cycle.
  public let fees: Decimal

  /// When the first coin was bought.
  public let openedDate: Date

  /// When the last coin was sold.
  public let closedDate: Date
}
