import BitpalModel
package import FoundationEssentials

/// The data of a portfolio for a widget: the sums and at most five of the largest holdings.
package struct WidgetPortfolioData: Hashable, Sendable {
  /// The most holdings that a widget shows.
  static let mostHoldings = 5

  /// The value of all holdings that have a price.
  package let totalValue: Decimal

  /// The value less the cost of the holdings that have a price.
  package let unrealizedPnL: Decimal

  /// The proceeds of sales above their cost.
  package let realizedPnL: Decimal

  /// Unrealised and realised together.
  package let totalPnL: Decimal

  /// The largest holdings by value, at most five.
  package let holdings: [WidgetHolding]

  /// The time at which the data was made, or at which the oldest of its stale prices was fetched.
  package let lastUpdated: Date

  /// The currency of the amounts; nil when the file does not state it.
  package let currency: String?

  /// Whether a holding without a price is missing from the sums.
  package let isIncomplete: Bool

  /// Whether a price was stale when the data was made: it could not be fetched again, or its source did not update it.
  package let hasStalePrices: Bool

  /// Whether nothing is held.
  package var isEmpty: Bool { holdings.isEmpty && totalValue == 0 }

  /// Creates the data; holdings beyond the fifth are left out.
  package init(
    totalValue: Decimal, unrealizedPnL: Decimal, realizedPnL: Decimal, totalPnL: Decimal, holdings: [WidgetHolding],
    lastUpdated: Date, currency: String? = nil, isIncomplete: Bool = false, hasStalePrices: Bool = false
  ) {
    self.totalValue = totalValue
    self.unrealizedPnL = unrealizedPnL
    self.realizedPnL = realizedPnL
    self.totalPnL = totalPnL
    self.holdings = Array(holdings.prefix(Self.mostHoldings))
    self.lastUpdated = Date(milliseconds: lastUpdated.milliseconds)
    self.currency = currency
    self.isIncomplete = isIncomplete
    self.hasStalePrices = hasStalePrices
  }

  /// Creates the data of a portfolio; nil when there are holdings and none has a price.
  ///
  /// Of the five largest holdings, the ones without a price or a cost are left out.
  ///
  /// - Parameters:
  ///   - portfolio: The valued portfolio.
  ///   - currency: The currency of its amounts, lower case.
  ///   - lastUpdated: The current time, or the time at which the oldest stale price was fetched.
  ///   - hasStalePrices: Whether one of the prices is stale.
  package init?(_ portfolio: Portfolio, currency: String, lastUpdated: Date, hasStalePrices: Bool = false) {
    let summary = portfolio.summary
    guard let value = summary.totalValue, let unrealized = summary.unrealizedPnL, let total = summary.totalPnL else {
      return nil
    }
    // A holding without a price or a cost, which has no percentage, gives its place to the next.
    let holdings = portfolio.holdings.lazy.compactMap { holding -> WidgetHolding? in
      guard let coin = holding.coin, let value = holding.currentValue, let gain = holding.profitLoss,
        let percent = holding.profitLossPercentage
      else { return nil }
      return WidgetHolding(
        id: coin.id, symbol: coin.symbol.uppercased(), name: coin.name, currentValue: value, pnlAmount: gain,
        pnlPercentage: percent)
    }.prefix(Self.mostHoldings)
    self.init(
      totalValue: value, unrealizedPnL: unrealized, realizedPnL: summary.realizedPnL, totalPnL: total,
      holdings: Array(holdings), lastUpdated: lastUpdated, currency: currency, isIncomplete: !summary.isComplete,
      hasStalePrices: hasStalePrices)
  }
}

/// The data of one holding for a widget.
package struct WidgetHolding: Identifiable, Hashable, Sendable {
  /// The coin's id.
  package let id: String

  /// The ticker in capitals.
  package let symbol: String

  /// The coin's name.
  package let name: String

  /// The current value.
  package let currentValue: Decimal

  /// Value less cost.
  package let pnlAmount: Decimal

  /// The gain in percent of the cost.
  package let pnlPercentage: Decimal

  /// Creates a holding.
  package init(
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
