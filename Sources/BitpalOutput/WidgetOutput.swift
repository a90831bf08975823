package import BitpalJSON
package import BitpalPortfolio

/// The shape `bitpal.widget/1`: the contents of a widget, from the stored snapshot.
package struct WidgetOutput: OutputShape {
  package let entry: PortfolioEntry

  package init(_ entry: PortfolioEntry) {
    self.entry = entry
  }

  package let schema = OutputSchema.widget

  package var columns: [String] { ["id", "symbol", "name", "current_value", "profit_loss", "profit_loss_percent"] }

  package var rows: [JSONObject] {
    (entry.data?.holdings ?? []).map { holding in
      [
        "id": .coin(holding.id), "symbol": .string(holding.symbol), "name": .string(holding.name),
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
      // A placeholder has no figures, so it is not complete either.
      "total": JSONValue(entry.data?.totalPnL), "complete": .bool(entry.data?.isIncomplete == false),
      "last_updated": JSONValue(entry.data?.lastUpdated), "holdings": rowsValue,
    ]
  }
}

extension FactsOutput {
  /// Returns the shape `bitpal.widget_write/1`: the path of the written snapshot.
  package static func snapshotWritten(to file: String) -> FactsOutput {
    FactsOutput(.widgetWrite, ["file": .string(file)])
  }
}

extension OutputSchema {
  static let widget = OutputSchema(
    "bitpal.widget/1", "The content of a widget, from the last snapshot.",
    [
      "placeholder": .flag("Whether there is no snapshot: all figures are then null."),
      "stale": .flag("Whether it is older than an hour, or made of stale prices."),
      "currency": .text("The currency of all money in it.").orNull,
      "value": .decimal("The value of the holdings.").orNull,
      "unrealized": .decimal("The unrealized gain.").orNull,
      "realized": .decimal("The realized gain.").orNull, "total": .decimal("Both gains.").orNull,
      "complete": .flag("Whether every holding had a price."),
      "last_updated": .instant("The time at which it was made.").orNull,
      "holdings": .list(
        .object([
          "id": .text("The id of the coin."), "symbol": .text("Its ticker, in capitals."), "name": .text("Its name."),
          "current_value": .decimal("The value."), "profit_loss": .decimal("The gain."),
          "profit_loss_percent": .decimal("The same in percent of the cost."),
        ]), "The most valuable, at most five."),
    ])

  static let widgetWrite = OutputSchema(
    "bitpal.widget_write/1", "That the snapshot was written.", ["file": .text("The path.")])

  /// The schema of the file, whose keys are those of the programs that have read it from the beginning.
  static let widgetFile = OutputSchema(
    "bitpal.widget_file/1", "The snapshot of a portfolio that bars and widgets read, replaced whole.",
    [
      "totalValue": .decimal("The value of the holdings."),
      "unrealizedPnL": .decimal("The unrealized gain."),
      "realizedPnL": .decimal("The realized gain."), "totalPnL": .decimal("Both gains."),
      "holdings": .list(
        .object([
          "id": .text("The id of the coin."), "symbol": .text("Its ticker, in capitals."), "name": .text("Its name."),
          "currentValue": .decimal("The value."), "pnlAmount": .decimal("The gain."),
          "pnlPercentage": .decimal("The same in percent of the cost."),
        ]), "The most valuable, at most five."),
      "lastUpdated": .instant("The time at which it was made."),
      "currency": .text("The currency of all money in it.").orNull,
      "complete": .flag("Whether every holding had a price."),
      "stale": .flag("Whether a price was old when it was made."),
    ], hasErrors: false)
}
