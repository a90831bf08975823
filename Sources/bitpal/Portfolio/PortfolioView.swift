import BitpalJSON
import BitpalModel
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// A portfolio at the latest prices, or a part of it.
struct PortfolioView: View {
  /// What of it is shown.
  enum Part: Sendable {
    case summary
    case holdings
    case closed
  }

  private let valued: ValuedPortfolio
  private let part: Part

  init(_ valued: ValuedPortfolio, _ part: Part) {
    self.valued = valued
    self.part = part
  }

  private var portfolio: Portfolio { valued.portfolio }

  var columns: [String] {
    switch part {
    case .summary: PortfolioRows.summaryColumns
    case .holdings: PortfolioRows.holdingColumns
    case .closed: PortfolioRows.closedColumns
    }
  }

  var rows: [JSONObject] {
    switch part {
    case .summary: [PortfolioRows.json(portfolio.summary)]
    case .holdings: portfolio.holdings.map(PortfolioRows.json)
    case .closed: portfolio.closed.map(PortfolioRows.json)
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.portfolio/1",
      "summary": .object(PortfolioRows.json(portfolio.summary)),
      "holdings": .array(portfolio.holdings.map { .object(PortfolioRows.json($0)) }),
      "closed": .array(portfolio.closed.map { .object(PortfolioRows.json($0)) }),
      "errors": .array(
        valued.answer.failures.map { failure in
          [
            "coin": .string(failure.coin), "code": .string(failure.error.code.rawValue),
            "message": .string(failure.error.description),
          ]
        }),
    ]
  }

  func table(style: Style) -> String {
    let tables = PortfolioTables(currency: valued.currency.uppercased())
    if portfolio.holdings.isEmpty, portfolio.closed.isEmpty {
      return "No holdings. \"bitpal buy QUANTITY COIN\" records the first.\n"
    }
    let origins = valued.answer.quotes.map(Origin.init)
    let source = origins.isEmpty ? "" : Origin.line(origins, providers: valued.providers, style: style) + "\n\n"
    switch part {
    case .summary:
      let holdings = portfolio.holdings.isEmpty ? "" : "\n" + tables.overview(portfolio.holdings).text(style: style)
      return source + tables.summary(portfolio, style: style) + holdings
    case .holdings:
      return portfolio.holdings.isEmpty
        ? "No holdings.\n" : source + tables.holdings(portfolio.holdings).text(style: style)
    case .closed:
      return portfolio.closed.isEmpty ? "No closed positions.\n" : tables.closed(portfolio.closed).text(style: style)
    }
  }
}
