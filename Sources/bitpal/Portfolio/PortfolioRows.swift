import BitpalJSON
import BitpalModel
import BitpalPortfolio

/// The parts of a portfolio as rows of machine-readable output.
enum PortfolioRows {
  static let summaryColumns = [
    "value", "unrealized", "realized", "total", "total_percent", "open_cost", "closed_cost", "fees", "complete",
  ]
  static let holdingColumns = [
    "id", "symbol", "name", "quantity", "average_cost", "cost", "price", "value", "profit_loss",
    "profit_loss_percent", "stale",
  ]
  static let closedColumns = [
    "id", "quantity", "average_cost", "average_sell_price", "realized", "realized_percent", "opened", "closed",
  ]

  static func json(_ summary: PortfolioSummary) -> JSONObject {
    [
      "value": JSONValue(summary.totalValue), "unrealized": JSONValue(summary.unrealizedPnL),
      "realized": JSONValue(summary.realizedPnL), "total": JSONValue(summary.totalPnL),
      "total_percent": JSONValue(summary.totalPnLPercentage), "open_cost": JSONValue(summary.totalOpenCost),
      "closed_cost": JSONValue(summary.totalClosedCost), "fees": JSONValue(summary.fees),
      "complete": .bool(summary.isComplete),
    ]
  }

  static func json(_ holding: Holding) -> JSONObject {
    [
      "id": .string(holding.id), "symbol": JSONValue(holding.coin?.symbol), "name": JSONValue(holding.coin?.name),
      "quantity": JSONValue(holding.totalAmount), "average_cost": JSONValue(holding.avgCost),
      "cost": JSONValue(holding.totalCost), "price": JSONValue(holding.coin?.currentPrice),
      "value": JSONValue(holding.currentValue), "profit_loss": JSONValue(holding.profitLoss),
      "profit_loss_percent": JSONValue(holding.profitLossPercentage), "stale": .bool(holding.isStale),
    ]
  }

  static func json(_ closed: ClosedPosition) -> JSONObject {
    [
      "id": .string(closed.coinId), "quantity": JSONValue(closed.totalQuantity),
      "average_cost": JSONValue(closed.avgCostPrice), "average_sell_price": JSONValue(closed.avgSellPrice),
      "realized": JSONValue(closed.realizedPnL), "realized_percent": JSONValue(closed.realizedPnLPercentage),
      "opened": JSONValue(closed.openedDate), "closed": JSONValue(closed.closedDate),
    ]
  }
}
