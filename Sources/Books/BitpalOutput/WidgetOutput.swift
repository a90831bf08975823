import BitpalJSON
package import BitpalPortfolio

/// The shape `bitpal.widget/1`: the contents of a widget, from the stored snapshot.
package struct WidgetOutput: FieldShape {
  package let entry: PortfolioEntry

  package init(_ entry: PortfolioEntry) {
    self.entry = entry
  }

  package static let shape = Shape<Self>(
    "bitpal.widget/1", "The content of a widget, from the last snapshot.",
    [
      Field("placeholder", .flag("Whether the snapshot is missing; all figures are then null.")) {
        $0.entry.isPlaceholder
      },
      Field("stale", .flag("Whether it is older than an hour, or made of stale prices.")) { $0.entry.isStale },
      Field("currency", .text("The currency of all money in it.")) { $0.entry.data?.currency },
      Field("value", .decimal("The value of the holdings.")) { $0.entry.data?.totalValue },
      Field("unrealized", .decimal("The unrealized gain.")) { $0.entry.data?.unrealizedPnL },
      Field("realized", .decimal("The realized gain.")) { $0.entry.data?.realizedPnL },
      Field("total", .decimal("Both gains.")) { $0.entry.data?.totalPnL },
      // A placeholder has no figures, so it is not complete either.
      Field("complete", .flag("Whether every holding had a price.")) { $0.entry.data?.isIncomplete == false },
      Field("last_updated", .instant("The time at which it was made.")) { $0.entry.data?.lastUpdated },
      .list("holdings", "The most valuable, at most five.", rowFields) { $0.rowSubjects },
    ])

  package static let rowFields: Fields<WidgetHolding> = [
    .coin("id", "The id of the coin.") { $0.id },
    Field("symbol", .text("Its ticker, in capitals.")) { $0.symbol },
    Field("name", .text("Its name.")) { $0.name },
    Field("current_value", .decimal("The value.")) { $0.currentValue },
    Field("profit_loss", .decimal("The gain.")) { $0.pnlAmount },
    Field("profit_loss_percent", .decimal("The same in percent of the cost.")) { $0.pnlPercentage },
  ]

  package var rowSubjects: [WidgetHolding] { entry.data?.holdings ?? [] }
}

extension OutputSchema {
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
