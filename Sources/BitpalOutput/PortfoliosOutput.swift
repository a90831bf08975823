package import BitpalJSON
package import BitpalPortfolio
package import BitpalService
package import FoundationEssentials

/// The shape `bitpal.portfolios/1`: the list of portfolios.
package struct PortfoliosOutput: OutputShape {
  package let portfolios: [PortfolioInfo]

  package init(_ portfolios: [PortfolioInfo]) {
    self.portfolios = portfolios
  }

  package let schema = OutputSchema.portfolios

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

/// The shape `bitpal.portfolio_total/1`: all portfolios in one currency, and their sum.
package struct PortfolioTotalOutput: OutputShape {
  /// The exchange rate by which a portfolio's money was converted.
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

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - rates: The rates, by the converted currency.
  ///   - failures: The subjects without a price or a rate.
  package init(_ total: PortfolioTotal, currency: String, rates: [String: Rate], failures: [CoinFailure]) {
    self.total = total
    self.currency = currency
    self.rates = rates
    self.failures = failures
  }

  package let schema = OutputSchema.portfolioTotal

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
  /// Returns the shape `bitpal.portfolio_change/1`: a change of a portfolio as a whole.
  ///
  /// - Parameter name: The present name; nil for a deleted portfolio.
  package static func portfolioChanged(
    _ change: String, from previous: PortfolioName?, to name: PortfolioName?, transactions: Int? = nil
  ) -> FactsOutput {
    FactsOutput(
      .portfolioChange,
      [
        "change": .string(change), "previous": JSONValue(previous?.text), "portfolio": JSONValue(name?.text),
        "transactions": transactions.map { .integer($0) } ?? .null,
      ])
  }
}

extension OutputSchema {
  static let portfolios = OutputSchema(
    "bitpal.portfolios/1", "The portfolios.",
    [
      "portfolios": .list(
        .object([
          "name": .portfolioName, "currency": .text("The currency of its money, in small letters."),
          "method": .method, "transactions": .count("The number of its transactions."),
          "first": .instant("The time of the first.").orNull, "last": .instant("The time of the last.").orNull,
        ]), "One for each.")
    ])

  static let portfolioTotal = OutputSchema(
    "bitpal.portfolio_total/1", "All portfolios in one currency, and their sum.",
    [
      "currency": .currency,
      "portfolios": .list(
        .object(
          [
            "portfolio": .portfolioName, "currency": .text("The currency of its own money, in small letters."),
            "rate": .decimal("The price of one unit of its own currency.").orNull,
            "rate_source": .text("The provider of the rate; null where nothing was converted.").orNull,
            "rate_time": .instant("The time of the rate.").orNull,
          ] + figures), "One for each."),
      "total": .object(figures, "The sum."),
      "complete": .flag("Whether everything has a price and a rate."),
    ])

  private static let figures: SchemaMembers = [
    "value": .decimal("The value of the holdings.").orNull,
    "unrealized": .decimal("The unrealized gain.").orNull,
    "realized": .decimal("The realized gain.").orNull,
    "open_cost": .decimal("The cost of the holdings.").orNull,
    "fees": .decimal("The fees paid.").orNull,
  ]

  static let portfolioChange = OutputSchema(
    "bitpal.portfolio_change/1", "A change of a portfolio as a whole.",
    [
      "change": .word(
        ["renamed", "deleted", "would_delete"] + GainMethod.allCases.map(\.rawValue),
        "The change, or the present method of gains."),
      "previous": .text("Its name before.").orNull, "portfolio": .text("Its name now; null when it is gone.").orNull,
      "transactions": .count("The number of its transactions.").orNull,
    ])
}

extension ValueSchema {
  static let method: ValueSchema = .word(GainMethod.allCases.map(\.rawValue), "The order in which lots are sold.")
}
