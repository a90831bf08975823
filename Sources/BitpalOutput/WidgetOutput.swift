package import BitpalJSON
package import BitpalPortfolio

/// `bitpal.widget/1`: what a widget shows, from the snapshot that was kept.
package struct WidgetOutput: OutputShape {
  package let entry: PortfolioEntry

  package init(_ entry: PortfolioEntry) {
    self.entry = entry
  }

  package let schema = "bitpal.widget/1"

  package var columns: [String] { ["id", "symbol", "name", "current_value", "profit_loss", "profit_loss_percent"] }

  package var rows: [JSONObject] {
    (entry.data?.holdings ?? []).map { holding in
      [
        "id": .string(holding.id), "symbol": .string(holding.symbol), "name": .string(holding.name),
        "current_value": JSONValue(holding.currentValue), "profit_loss": JSONValue(holding.pnlAmount),
        "profit_loss_percent": JSONValue(holding.pnlPercentage),
      ]
    }
  }

  package var members: JSONObject {
    [
      "placeholder": .bool(entry.isPlaceholder), "stale": .bool(entry.isStale),
      "currency": JSONValue(entry.data?.currency), "value": JSONValue(entry.data?.totalValue),
      "unrealized": JSONValue(entry.data?.unrealizedPnL), "realized": JSONValue(entry.data?.realizedPnL),
      // A placeholder knows nothing, so it is not complete either.
      "total": JSONValue(entry.data?.totalPnL), "complete": .bool(entry.data?.isIncomplete == false),
      "last_updated": JSONValue(entry.data?.lastUpdated), "holdings": rowsValue,
    ]
  }
}

extension FactsOutput {
  /// `bitpal.widget_write/1`: where the snapshot was written.
  package static func snapshotWritten(to file: String) -> FactsOutput {
    FactsOutput("bitpal.widget_write/1", ["file": .string(file)])
  }
}
