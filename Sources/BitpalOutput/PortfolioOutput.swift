package import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalService

/// The shape `bitpal.portfolio/1`: a portfolio at the latest prices; its rows are those of one part of it.
package struct PortfolioOutput: OutputShape {
  /// The part of the portfolio that the rows show.
  package enum Part: Sendable {
    case summary
    case holdings
    case closed
  }

  package let portfolio: Portfolio
  package let part: Part

  /// The currency, lower case.
  package let currency: String
  private let name: PortfolioName
  private let sources: [String: String]
  private let failures: [CoinFailure]

  /// Creates the shape.
  ///
  /// - Parameter answer: The prices of the valuation, and the coins without one.
  package init(
    _ portfolio: Portfolio, _ part: Part, of name: PortfolioName, currency: String, prices answer: QuotesAnswer
  ) {
    self.portfolio = portfolio
    self.part = part
    self.name = name
    self.currency = currency
    sources = Dictionary(answer.quotes.map { ($0.value.id, $0.source) }) { first, _ in first }
    failures = answer.failures
  }

  package let schema = OutputSchema.portfolio

  package var columns: [String] {
    switch part {
    case .summary:
      [
        "value", "unrealized", "realized", "total", "total_percent", "open_cost", "closed_cost", "fees", "complete",
        "change_24h", "change_24h_percent", "currency",
      ]
    case .holdings:
      [
        "id", "symbol", "name", "quantity", "average_cost", "cost", "price", "value", "profit_loss",
        "profit_loss_percent", "stale", "share", "change_24h", "source", "currency",
      ]
    case .closed:
      [
        "id", "quantity", "average_cost", "average_sell_price", "realized", "realized_percent", "opened", "closed",
        "currency",
      ]
    }
  }

  package var rows: [JSONObject] {
    switch part {
    case .summary: [row(portfolio.summary)]
    case .holdings: portfolio.holdings.map(row)
    case .closed: portfolio.closed.map(row)
    }
  }

  /// The whole portfolio, whichever part the rows show, so that one object is complete.
  package var members: JSONObject {
    [
      "portfolio": .string(name.text), "currency": .string(currency),
      "summary": .object(row(portfolio.summary)),
      "holdings": .array(portfolio.holdings.map { .object(row($0)) }),
      "closed": .array(portfolio.closed.map { .object(row($0)) }),
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }

  private func row(_ summary: PortfolioSummary) -> JSONObject {
    [
      "value": JSONValue(summary.totalValue), "unrealized": JSONValue(summary.unrealizedPnL),
      "realized": JSONValue(summary.realizedPnL), "total": JSONValue(summary.totalPnL),
      "total_percent": JSONValue(summary.totalPnLPercentage), "open_cost": JSONValue(summary.totalOpenCost),
      "closed_cost": JSONValue(summary.totalClosedCost), "fees": JSONValue(summary.fees),
      "complete": .bool(summary.isComplete), "change_24h": JSONValue(summary.change24h),
      "change_24h_percent": JSONValue(summary.change24hPercentage), "currency": .string(currency),
    ]
  }

  private func row(_ holding: Holding) -> JSONObject {
    [
      "id": .coin(holding.id), "symbol": JSONValue(holding.coin?.symbol), "name": JSONValue(holding.coin?.name),
      "quantity": JSONValue(holding.totalAmount), "average_cost": JSONValue(holding.avgCost),
      "cost": JSONValue(holding.totalCost), "price": JSONValue(holding.coin?.currentPrice),
      "value": JSONValue(holding.currentValue), "profit_loss": JSONValue(holding.profitLoss),
      "profit_loss_percent": JSONValue(holding.profitLossPercentage), "stale": .bool(holding.isStale),
      "share": JSONValue(holding.share), "change_24h": JSONValue(holding.coin?.priceChange24h),
      "source": JSONValue(sources[holding.id]), "currency": .string(currency),
    ]
  }

  private func row(_ closed: ClosedPosition) -> JSONObject {
    [
      "id": .coin(closed.coinId), "quantity": JSONValue(closed.totalQuantity),
      "average_cost": JSONValue(closed.avgCostPrice), "average_sell_price": JSONValue(closed.avgSellPrice),
      "realized": JSONValue(closed.realizedPnL), "realized_percent": JSONValue(closed.realizedPnLPercentage),
      "opened": JSONValue(closed.openedDate), "closed": JSONValue(closed.closedDate),
      "currency": .string(currency),
    ]
  }
}

extension OutputSchema {
  static let portfolio = OutputSchema(
    "bitpal.portfolio/1", "A portfolio at the latest prices.",
    [
      "portfolio": .portfolioName, "currency": .currency,
      "summary": .object(
        [
          "value": .decimal("The value of the holdings."), "unrealized": .decimal("The unrealized gain."),
          "realized": .decimal("The realized gain."), "total": .decimal("Both gains."),
          "total_percent": .decimal("The same in percent of all that was spent.").orNull,
          "open_cost": .decimal("The cost of the holdings."),
          "closed_cost": .decimal("The cost of the coins that were sold."), "fees": .decimal("The fees paid."),
          "complete": .flag("Whether every holding has a price; one without is missing from the sums."),
          "change_24h": .decimal("The change of the value in 24 hours.").orNull,
          "change_24h_percent": .decimal("The same in percent.").orNull, "currency": .currency,
        ], "The sums."),
      "holdings": .list(
        .object([
          "id": .text("The id of the coin."), "symbol": .text("Its ticker.").orNull,
          "name": .text("Its name.").orNull, "quantity": .decimal("The number of coins."),
          "average_cost": .decimal("The average cost of one coin."), "cost": .decimal("The total cost."),
          "price": .decimal("The present price of one coin.").orNull, "value": .decimal("The present value.").orNull,
          "profit_loss": .decimal("The gain.").orNull,
          "profit_loss_percent": .decimal("The same in percent of the cost.").orNull,
          "stale": .flag("Whether the price is marked as old."),
          "share": .decimal("The value in percent of the whole.").orNull,
          "change_24h": .decimal("The change of the price over 24 hours in percent.").orNull,
          "source": .text("The provider of the price.").orNull, "currency": .currency,
        ]), "The holdings."),
      "closed": .list(
        .object([
          "id": .text("The id of the coin."), "quantity": .decimal("The number of coins that were bought and sold."),
          "average_cost": .decimal("The average cost of one coin."),
          "average_sell_price": .decimal("For what one was sold on average; null when none was.").orNull,
          "realized": .decimal("The gain."),
          "realized_percent": .decimal("The same in percent of the cost.").orNull,
          "opened": .instant("The time at which the first coin came in."),
          "closed": .instant("The time at which the last coin went out."),
          "currency": .currency,
        ]), "The closed positions."),
    ])
}

extension ValueSchema {
  static let portfolioName: ValueSchema = .text("The name of the portfolio.")
}
