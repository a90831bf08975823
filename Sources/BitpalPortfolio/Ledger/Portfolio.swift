public import BitpalModel
public import FoundationEssentials

/// Holdings, closed positions and the sums over them, at given prices.
public struct Portfolio: Equatable, Sendable {
  /// The holdings: by value, highest first, then those without a price by coin id.
  public let holdings: [Holding]

  /// The closed cycles, in the order in which they were closed.
  public let closed: [ClosedPosition]

  /// The sums.
  public let summary: PortfolioSummary

  /// Values a ledger.
  ///
  /// - Parameters:
  ///   - ledger: The ledger of the transactions.
  ///   - quotes: Prices by coin id, in the portfolio's currency; a coin without one stays without a value.
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum is beyond 10²⁰ or so.
  public init(_ ledger: PortfolioLedger, quotes: [String: Sourced<Coin>]) throws(PortfolioError) {
    var valuation = Valuation()
    var valued: [Valuation.Line] = []
    for position in ledger.positions { valued.append(try valuation.add(position, quote: quotes[position.coinId])) }
    for position in ledger.closed { try valuation.add(position) }
    let summary = try valuation.summary()
    var holdings: [Holding] = []
    for line in valued { holdings.append(try line.holding(of: summary.totalValue)) }
    self.holdings = holdings.sorted { left, right in
      switch (left.currentValue, right.currentValue) {
      case (let first?, let second?): first == second ? left.id < right.id : first > second
      case (nil, nil): left.id < right.id
      case (let first, _): first != nil
      }
    }
    closed = ledger.closed
    self.summary = summary
  }
}

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

  /// The change of the value in 24 hours; nil when no holding's change is known.
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
