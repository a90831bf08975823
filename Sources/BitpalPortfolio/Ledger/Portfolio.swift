public import BitpalModel

/// Holdings, closed positions and the sums over them, at given prices.
public struct Portfolio: Equatable, Sendable {
  /// What is held: by value, highest first, then what has no price by coin id.
  public let holdings: [Holding]

  /// The closed cycles, in the order in which they were closed.
  public let closed: [ClosedPosition]

  /// The sums.
  public let summary: PortfolioSummary

  /// Values a ledger.
  ///
  /// - Parameters:
  ///   - ledger: What was bought and sold.
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
