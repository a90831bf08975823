package import BitpalJSON
package import BitpalPortfolio
package import BitpalService
package import FoundationEssentials

/// `bitpal.portfolios/1`: which portfolios there are.
package struct PortfoliosOutput: OutputShape {
  package let portfolios: [PortfolioInfo]

  package init(_ portfolios: [PortfolioInfo]) {
    self.portfolios = portfolios
  }

  package let schema = "bitpal.portfolios/1"

  package let columns = ["name", "currency", "method", "transactions", "first", "last"]

  package var rows: [JSONObject] {
    portfolios.map { info in
      [
        "name": .string(info.name.text), "currency": .string(info.currency), "method": .string(info.method.rawValue),
        "transactions": .integer(info.transactions), "first": JSONValue(info.first), "last": JSONValue(info.last),
      ]
    }
  }

  package var members: JSONObject { ["portfolios": rowsValue] }
}

/// `bitpal.portfolio_total/1`: all portfolios in one currency, and their sum.
package struct PortfolioTotalOutput: OutputShape {
  /// By what a portfolio's money was converted.
  package struct Rate: Sendable {
    package let source: String
    package let time: Date

    package init(source: String, time: Date) {
      self.source = source
      self.time = time
    }
  }

  package let total: PortfolioTotal

  /// The common currency, lower case.
  package let currency: String
  private let rates: [String: Rate]
  private let failures: [CoinFailure]

  /// - Parameters:
  ///   - rates: By the currency that they are of.
  ///   - failures: What has no price or no rate.
  package init(_ total: PortfolioTotal, currency: String, rates: [String: Rate], failures: [CoinFailure]) {
    self.total = total
    self.currency = currency
    self.rates = rates
    self.failures = failures
  }

  package let schema = "bitpal.portfolio_total/1"

  package let columns = [
    "portfolio", "currency", "rate", "rate_source", "rate_time", "value", "unrealized", "realized", "open_cost", "fees",
  ]

  package var rows: [JSONObject] {
    total.lines.map { line in
      let rate = rates[line.info.currency]
      let own: JSONObject = [
        "portfolio": .string(line.info.name.text), "currency": .string(line.info.currency),
        "rate": JSONValue(line.rate), "rate_source": JSONValue(rate?.source), "rate_time": JSONValue(rate?.time),
      ]
      return own + Self.figures(line.figures)
    }
  }

  package var members: JSONObject {
    [
      "currency": .string(currency), "portfolios": rowsValue, "total": .object(Self.figures(total.total)),
      "complete": .bool(total.isComplete),
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }

  private static func figures(_ figures: PortfolioTotal.Figures?) -> JSONObject {
    [
      "value": JSONValue(figures?.value), "unrealized": JSONValue(figures?.unrealized),
      "realized": JSONValue(figures?.realized), "open_cost": JSONValue(figures?.openCost),
      "fees": JSONValue(figures?.fees),
    ]
  }
}

extension FactsOutput {
  /// `bitpal.portfolio_change/1`: what was done to a portfolio as a whole.
  ///
  /// - Parameter name: What it is called now; nil when it is gone.
  package static func portfolioChanged(
    _ change: String, from previous: PortfolioName?, to name: PortfolioName?, transactions: Int? = nil
  ) -> FactsOutput {
    FactsOutput(
      "bitpal.portfolio_change/1",
      [
        "change": .string(change), "previous": JSONValue(previous?.text), "portfolio": JSONValue(name?.text),
        "transactions": transactions.map { .integer($0) } ?? .null,
      ])
  }
}
