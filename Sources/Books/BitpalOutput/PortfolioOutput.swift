package import Bitpal
package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
import FoundationEssentials

/// The shape `bitpal.portfolio/1`: a portfolio at the latest prices; its rows are those of one part of it.
package struct PortfolioOutput: FieldShape {
  /// The part of the portfolio that the rows show.
  package enum Part: String, CaseIterable, Sendable {
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
  private let coins: [String: CoinListItem]
  private let failures: [CoinFailure]
  private let isOverHTTP: Bool

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - answer: The prices of the valuation, and the coins without one.
  ///   - coins: The tickers and names of coins without a price, as far as they are known, by id.
  package init(
    _ portfolio: Portfolio, _ part: Part, of name: PortfolioName, currency: String, prices answer: QuotesAnswer,
    coins: [String: CoinListItem] = [:], isOverHTTP: Bool = false
  ) {
    self.coins = coins
    self.isOverHTTP = isOverHTTP
    self.portfolio = portfolio
    self.part = part
    self.name = name
    self.currency = currency
    sources = Dictionary(answer.quotes.map { ($0.value.id, $0.source) }) { first, _ in first }
    failures = answer.failures
  }

  package static let shape = Shape<Self>(
    "bitpal.portfolio/1", "A portfolio at the latest prices.",
    [
      Field("portfolio", .portfolioName) { $0.name.text },
      Field("currency", .currency) { $0.currency },
      .object("summary", "The sums.", summaryFields) { ($0.portfolio.summary, $0) },
      .list("holdings", "The holdings.", holdingFields) { $0.holdingRows },
      .list("closed", "The closed positions.", closedFields) { $0.closedRows },
    ])

  private static let summaryFields: Fields<(sums: PortfolioSummary, output: PortfolioOutput)> = [
    Field("value", .decimal("The value of the holdings.")) { $0.sums.totalValue },
    Field("unrealized", .decimal("The unrealized gain.")) { $0.sums.unrealizedPnL },
    Field("realized", .decimal("The realized gain.")) { $0.sums.realizedPnL },
    Field("total", .decimal("Both gains.")) { $0.sums.totalPnL },
    Field("total_percent", .decimal("The same in percent of all that was spent.")) { $0.sums.totalPnLPercentage },
    Field("open_cost", .decimal("The cost of the holdings.")) { $0.sums.totalOpenCost },
    Field("closed_cost", .decimal("The cost of the coins that were sold.")) { $0.sums.totalClosedCost },
    Field("fees", .decimal("The fees paid.")) { $0.sums.fees },
    Field("complete", .flag("Whether every holding has a price; one without is missing from the sums.")) {
      $0.sums.isComplete
    },
    Field("change_24h", .decimal("The change of the value in 24 hours.")) { $0.sums.change24h },
    Field("change_24h_percent", .decimal("The same in percent.")) { $0.sums.change24hPercentage },
    Field("currency", .currency) { $0.output.currency },
  ]

  private static let holdingFields: Fields<(holding: Holding, output: PortfolioOutput)> = [
    .coin("id", "The id of the coin.") { $0.holding.id },
    Field("symbol", .text("Its ticker.")) { $0.holding.coin?.symbol },
    Field("name", .text("Its name.")) { $0.holding.coin?.name },
    Field("quantity", .decimal("The number of coins.")) { $0.holding.totalAmount },
    Field("average_cost", .decimal("The average cost of one coin.")) { $0.holding.avgCost },
    Field("cost", .decimal("The total cost.")) { $0.holding.totalCost },
    Field("price", .decimal("The present price of one coin.")) { $0.holding.coin?.currentPrice },
    Field("value", .decimal("The present value.")) { $0.holding.currentValue },
    Field("profit_loss", .decimal("The gain.")) { $0.holding.profitLoss },
    Field("profit_loss_percent", .decimal("The same in percent of the cost.")) { $0.holding.profitLossPercentage },
    Field("stale", .flag("Whether the price is marked as old.")) { $0.holding.isStale },
    Field("share", .decimal("The value in percent of the whole.")) { $0.holding.share },
    Field("change_24h", .decimal("The change of the price over 24 hours in percent.")) {
      $0.holding.coin?.priceChangePercentage24h
    },
    Field("source", .text("The provider of the price.")) { $0.output.sources[$0.holding.id] },
    Field("currency", .currency) { $0.output.currency },
  ]

  private static let closedFields: Fields<(position: ClosedPosition, output: PortfolioOutput)> = [
    Field("position", .text("The id of the position, which its transactions name.")) {
      $0.position.id.uuidString.lowercased()
    },
    .coin("id", "The id of the coin.") { $0.position.coinId },
    Field("symbol", .text("Its ticker, where it is known.")) { $0.output.coins[$0.position.coinId]?.symbol },
    Field("name", .text("Its name, where it is known.")) { $0.output.coins[$0.position.coinId]?.name },
    Field("quantity", .decimal("The number of coins that were bought and sold.")) { $0.position.totalQuantity },
    Field("average_cost", .decimal("The average cost of one coin.")) { $0.position.avgCostPrice },
    Field("average_sell_price", .decimal("For what one was sold on average; null when none was.")) {
      $0.position.avgSellPrice
    },
    Field("realized", .decimal("The gain.")) { $0.position.realizedPnL },
    Field("realized_percent", .decimal("The same in percent of the cost.")) { $0.position.realizedPnLPercentage },
    Field("opened", .instant("The time at which the first coin came in.")) { $0.position.openedDate },
    Field("closed", .instant("The time at which the last coin went out.")) { $0.position.closedDate },
    Field("currency", .currency) { $0.output.currency },
  ]

  private var holdingRows: [(holding: Holding, output: PortfolioOutput)] { portfolio.holdings.map { ($0, self) } }
  private var closedRows: [(position: ClosedPosition, output: PortfolioOutput)] { portfolio.closed.map { ($0, self) } }

  package var columns: [String] {
    switch part {
    case .summary: Self.summaryFields.keys
    case .holdings: Self.holdingFields.keys
    case .closed: Self.closedFields.keys
    }
  }

  package var rows: [JSONObject] {
    switch part {
    case .summary: [Self.summaryFields.object((portfolio.summary, self))]
    case .holdings: Self.holdingFields.objects(holdingRows)
    case .closed: Self.closedFields.objects(closedRows)
    }
  }

  package var errors: [OutputError] { failures.map { OutputError($0, isOverHTTP: isOverHTTP) } }
}

extension ValueSchema {
  static let portfolioName: ValueSchema = .text("The name of the portfolio.")
}
