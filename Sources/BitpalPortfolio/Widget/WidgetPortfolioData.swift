import BitpalModel
public import FoundationEssentials

/// The portfolio as a widget shows it: the sums and the few largest holdings.
public struct WidgetPortfolioData: Hashable, Sendable {
  /// The most holdings a widget shows.
  static let mostHoldings = 5

  /// The value of all holdings that have a price.
  public let totalValue: Decimal

  /// Their value less their cost.
  public let unrealizedPnL: Decimal

  /// The proceeds of sales above their cost.
  public let realizedPnL: Decimal

  /// Unrealised and realised together.
  public let totalPnL: Decimal

  /// The largest by value, at most five.
  public let holdings: [WidgetHolding]

  /// The time at which the data was made; for stale prices, the time at which the oldest of them was fetched.
  public let lastUpdated: Date

  /// The currency of the amounts; nil when the file does not say.
  public let currency: String?

  /// Whether a holding without a price is missing from the sums.
  public let isIncomplete: Bool

  /// Whether a price in it was old when the data was made: it could not be asked for again, or its source stood still.
  public let hasStalePrices: Bool

  /// True when nothing is held.
  public var isEmpty: Bool { holdings.isEmpty && totalValue == 0 }

  /// Creates the data; holdings beyond the fifth are left out.
  public init(
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

  /// The data of a portfolio; nil when there are holdings and none has a price, which says nothing.
  ///
  /// - Parameters:
  ///   - portfolio: The valued portfolio.
  ///   - currency: The currency of its amounts, lower case.
  ///   - lastUpdated: Now, or for stale prices when the oldest was fetched.
  ///   - hasStalePrices: Whether one of the prices is old.
  public init?(_ portfolio: Portfolio, currency: String, lastUpdated: Date, hasStalePrices: Bool = false) {
    let summary = portfolio.summary
    guard let value = summary.totalValue, let unrealized = summary.unrealizedPnL, let total = summary.totalPnL else {
      return nil
    }
    var holdings: [WidgetHolding] = []
    for holding in portfolio.holdings.prefix(Self.mostHoldings) {
      guard let coin = holding.coin, let value = holding.currentValue, let gain = holding.profitLoss,
        let percent = holding.profitLossPercentage
      else { continue }
      holdings.append(
        WidgetHolding(
          id: coin.id, symbol: coin.symbol.uppercased(), name: coin.name, currentValue: value, pnlAmount: gain,
          pnlPercentage: percent))
    }
    self.init(
      totalValue: value, unrealizedPnL: unrealized, realizedPnL: summary.realizedPnL, totalPnL: total,
      holdings: holdings, lastUpdated: lastUpdated, currency: currency, isIncomplete: !summary.isComplete,
      hasStalePrices: hasStalePrices)
  }
}

/// One holding, as a widget shows it.
public struct WidgetHolding: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let id: String

  /// The ticker in capitals.
  public let symbol: String

  /// The coin's name.
  public let name: String

  /// The present value.
  public let currentValue: Decimal

  /// Value less cost.
  public let pnlAmount: Decimal

  /// The same in percent of the cost.
  public let pnlPercentage: Decimal

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
