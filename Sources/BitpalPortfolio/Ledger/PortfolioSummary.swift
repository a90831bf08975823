public import FoundationEssentials

/// The whole portfolio in a few numbers.
///
/// Where a price is missing the totals are those of the other holdings and ``isComplete`` is false.
public struct PortfolioSummary: Equatable, Sendable {
  /// The value of all holdings that have a price; nil when there are holdings and none has one.
  public let totalValue: Decimal?

  /// Their value less their cost.
  public let unrealizedPnL: Decimal?

  /// Proceeds less cost removed of all sales, partial ones too; fees left aside.
  public let realizedPnL: Decimal

  /// Unrealised and realised together.
  public let totalPnL: Decimal?

  /// The same in percent of the cost of what has a price and of what was sold; nil when that cost is zero.
  public let totalPnLPercentage: Decimal?

  /// The cost of all that is held, with or without a price.
  public let totalOpenCost: Decimal

  /// The part of it whose coins have no price.
  public let unpricedCost: Decimal

  /// The cost of all that was sold.
  public let totalClosedCost: Decimal

  /// All fees, which are in none of the other numbers.
  public let fees: Decimal

  /// By how much the value changed in 24 hours; nil when no holding's change is known.
  public let change24h: Decimal?

  /// The same in percent of the value 24 hours ago.
  public let change24hPercentage: Decimal?

  /// Whether every holding has a price.
  public let isComplete: Bool

  /// Whether the 24 h change is that of every holding.
  public let isChangeComplete: Bool

  /// Whether any price is past its time to live.
  public let isStale: Bool
}
