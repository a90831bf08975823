import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries

/// A portfolio at the latest prices, or a part of it.
struct PortfolioView: View {
  let output: PortfolioOutput
  private let valued: ValuedPortfolio

  init(_ valued: ValuedPortfolio, _ part: PortfolioOutput.Part) {
    self.valued = valued
    output = PortfolioOutput(
      valued.portfolio, part, of: valued.name, currency: valued.currency, prices: valued.answer,
      coins: valued.coins)
  }

  func table(style: Style) -> String {
    let portfolio = output.portfolio
    let tables = PortfolioTables(currency: valued.currency.uppercased(), style: style, method: valued.method)
    if portfolio.holdings.isEmpty, portfolio.closed.isEmpty {
      return "No holdings. \"bitpal buy QUANTITY COIN\" records the first.\n"
    }
    let origins = valued.answer.quotes.map(Provenance.init)
    let source = origins.isEmpty ? "" : Provenance.line(origins, providers: valued.providers, style: style) + "\n\n"
    switch output.part {
    case .summary:
      return source + figures(style: style)
    case .holdings:
      return portfolio.holdings.isEmpty
        ? "No holdings.\n" : source + tables.holdings(portfolio.holdings).text(style: style)
    case .closed:
      // Closed positions need no price, and so no source.
      return portfolio.closed.isEmpty
        ? "No closed positions.\n" : tables.closed(portfolio.closed, valued.coins).text(style: style)
    }
  }
}

extension PortfolioView {
  /// Returns the sums and the holdings, without the line about the sources.
  func figures(style: Style) -> String {
    let tables = PortfolioTables(currency: valued.currency.uppercased(), style: style, method: valued.method)
    let holdings = output.portfolio.holdings
    return tables.summary(output.portfolio)
      + (holdings.isEmpty ? "" : "\n" + tables.overview(holdings).text(style: style))
  }
}

extension ValuedPortfolio {
  /// The exit status of a command that has shown the portfolio.
  var status: ExitStatus {
    ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }

  /// Prints the coins without a price, and warnings about the other prices.
  func tell(_ console: Console) {
    console.warn(about: answer.quotes) { $0.id }
    for failure in answer.failures { console.failure(failure.error, subject: failure.coin) }
  }
}
