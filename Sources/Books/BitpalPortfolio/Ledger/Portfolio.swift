public import BitpalModel
public import FoundationEssentials

/// A portfolio at given prices: its holdings, closed positions and the sums over them.
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
  /// - Throws: ``PortfolioError/tooManyDigits(coinId:what:)`` when a sum is larger than about 10²⁰.
  public init(_ ledger: PortfolioLedger, quotes: [String: Sourced<Coin>]) throws(PortfolioError) {
    try self.init(ledger, quotes: quotes, moved: [])
  }

  /// Values a ledger some of whose transactions are of the last 24 hours.
  ///
  /// - Parameter moved: These transactions, in the order in which they are booked.
  package init(
    _ ledger: PortfolioLedger, quotes: [String: Sourced<Coin>], moved: [Transaction]
  ) throws(PortfolioError) {
    var valuation = Valuation(moved)
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

/// The sums of a whole portfolio.
///
/// Where a price is missing, the totals cover the other holdings and ``isComplete`` is false.
public struct PortfolioSummary: Equatable, Sendable {
  /// The value of all holdings that have a price; nil when there are holdings and none has one.
  public let totalValue: Decimal?

  /// The value less the cost of the holdings that have a price; nil as ``totalValue``.
  public let unrealizedPnL: Decimal?

  /// The proceeds less the cost removed of all disposals, partial ones included; without fees.
  public let realizedPnL: Decimal

  /// The sum of the unrealized and the realized gain; nil as ``totalValue``.
  public let totalPnL: Decimal?

  /// The total gain in percent of the cost of the coins with a price and of those disposed of; nil when that is zero.
  public let totalPnLPercentage: Decimal?

  /// The cost of all holdings, with or without a price.
  public let totalOpenCost: Decimal

  /// The part of the open cost whose coins have no price.
  public let unpricedCost: Decimal

  /// The cost of all coins that were sold, or sent at a value.
  public let totalClosedCost: Decimal

  /// All fees, which no other number includes.
  public let fees: Decimal

  /// The change of the value of what is held, in 24 hours, without what was paid for it or had of it within them; nil when no
  /// holding's change is known.
  public let change24h: Decimal?

  /// The change in percent of the value 24 hours ago and of what was paid since; nil when that is zero or unknown.
  public let change24hPercentage: Decimal?

  /// Whether every holding has a price.
  public let isComplete: Bool

  /// Whether the 24 h change of every holding is known.
  public let isChangeComplete: Bool

  /// Whether the price of any holding is past its time to live.
  public let isStale: Bool
}

extension PortfolioSummary {
  /// The unrealized gain in percent of the cost of the coins that have a price; nil without one.
  ///
  /// Coins without a price have a cost and no gain: included, their cost would lower the percentage.
  package var unrealizedPnLPercentage: Decimal? {
    unrealizedPnL.flatMap { $0.percent(of: totalOpenCost - unpricedCost) }
  }

  /// The realized gain in percent of the cost of what was disposed of; nil where that is zero.
  package var realizedPnLPercentage: Decimal? { realizedPnL.percent(of: totalClosedCost) }
}

extension Decimal {
  /// Returns the value in percent of `whole`; nil when that is zero.
  fileprivate func percent(of whole: Decimal) -> Decimal? { (try? divided(by: whole)).map { $0 * 100 } }
}
