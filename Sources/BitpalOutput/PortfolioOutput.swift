package import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalService

/// `bitpal.portfolio/1`: a portfolio at the latest prices; its rows are those of one part of it.
package struct PortfolioOutput: OutputShape {
  /// What of it the rows are.
  package enum Part: Sendable {
    case summary
    case holdings
    case closed
  }

  package let portfolio: Portfolio
  package let part: Part

  /// Lower case.
  package let currency: String
  private let name: PortfolioName
  private let sources: [String: String]
  private let failures: [CoinFailure]

  /// - Parameter answer: The prices that it was valued at, and the coins without one.
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

  package let schema = "bitpal.portfolio/1"

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

  /// The whole portfolio, whichever part the rows are: one object is one truth about it.
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
      "id": .string(holding.id), "symbol": JSONValue(holding.coin?.symbol), "name": JSONValue(holding.coin?.name),
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
      "id": .string(closed.coinId), "quantity": JSONValue(closed.totalQuantity),
      "average_cost": JSONValue(closed.avgCostPrice), "average_sell_price": JSONValue(closed.avgSellPrice),
      "realized": JSONValue(closed.realizedPnL), "realized_percent": JSONValue(closed.realizedPnLPercentage),
      "opened": JSONValue(closed.openedDate), "closed": JSONValue(closed.closedDate),
      "currency": .string(currency),
    ]
  }
}
