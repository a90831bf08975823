public import FoundationEssentials

/// One holding, as a widget shows it.
public struct WidgetHolding: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let id: String

  /// The ticker in capitals.
  public let symbol: String

  /// The coin's name.
  public let name: String

  /// What it is worth.
  public let currentValue: Decimal

  /// Value less cost.
  public let pnlAmount: Decimal

  /// The same in percent of the cost.
  public let pnlPercentage: Decimal

  /// True if nothing was lost.
  public var isProfit: Bool { pnlAmount >= 0 }

  /// Creates a holding.
  public init(
    id: String, symbol: String, name: String, currentValue: Decimal, pnlAmount: Decimal, pnlPercentage: Decimal
  ) {
    self.id = id
    self.symbol = symbol
    self.name = name
    self.currentValue = currentValue
    self.pnlAmount = pnlAmount
    self.pnlPercentage = pnlPercentage
  }
}
