public import FoundationEssentials

/// What is held of one coin, before anybody asks what it is worth.
public struct OpenPosition: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// Coins held; above zero.
  public let totalAmount: Decimal

  /// Their cost, exactly.
  public let totalCost: Decimal

  /// What one of them cost on average, at 18 digits after the point.
  public let avgCost: Decimal

  /// Proceeds less cost removed of the sales since the position was opened.
  public let realizedPnL: Decimal

  /// The cost removed by those sales.
  public let removedCost: Decimal

  /// The fees since the position was opened.
  public let fees: Decimal

  /// When the first coin was bought.
  public let openedDate: Date

  /// The coin's id.
  public var id: String { coinId }
}
