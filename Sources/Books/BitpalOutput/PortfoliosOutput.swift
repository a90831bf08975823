import BitpalJSON
package import BitpalPortfolio
package import BitpalQueries
import FoundationEssentials

/// The shape `bitpal.portfolios/1`: the list of portfolios.
package struct PortfoliosOutput: FieldShape {
  package let portfolios: [PortfolioInfo]

  package init(_ portfolios: [PortfolioInfo]) {
    self.portfolios = portfolios
  }

  package static let shape = Shape<Self>(
    "bitpal.portfolios/1", "The portfolios.", [.list("portfolios", "One for each.", rowFields) { $0.portfolios }])

  package static let rowFields: Fields<PortfolioInfo> = [
    Field("name", .portfolioName) { $0.name.text },
    Field("currency", .text("The currency of its money, in small letters.")) { $0.currency },
    Field("method", .method) { $0.method.rawValue },
    Field("transactions", .count("The number of its transactions.")) { $0.transactions },
    Field("first", .instant("The time of the first.")) { $0.first },
    Field("last", .instant("The time of the last.")) { $0.last },
  ]

  package var rowSubjects: [PortfolioInfo] { portfolios }
}

/// The shape `bitpal.portfolio_total/1`: all portfolios in one currency, and their sum.
package struct PortfolioTotalOutput: FieldShape {
  package let valued: ValuedPortfolios

  package init(_ valued: ValuedPortfolios) {
    self.valued = valued
  }

  package static let shape = Shape<Self>(
    "bitpal.portfolio_total/1", "All portfolios in one currency, and their sum.",
    [
      Field("currency", .currency) { $0.valued.currency },
      .list("portfolios", "One for each.", rowFields) { $0.rowSubjects },
      .object("total", "The sum.", figures) { $0.valued.total.total },
      Field("complete", .flag("Whether everything has a price and a rate.")) { $0.valued.total.isComplete },
    ])

  package static let rowFields: Fields<(line: PortfolioTotal.Line, rate: ValuedPortfolios.Rate?)> =
    [
      Field("portfolio", .portfolioName) { $0.line.info.name.text },
      Field("currency", .text("The currency of its own money, in small letters.")) { $0.line.info.currency },
      Field("rate", .decimal("The price of one unit of its own currency.")) { $0.line.rate },
      Field("rate_source", .text("The provider of the rate; null where nothing was converted.")) { $0.rate?.source },
      Field("rate_time", .instant("The time of the rate.")) { $0.rate?.time },
    ] + figures.of(\.line.figures)

  package var rowSubjects: [(line: PortfolioTotal.Line, rate: ValuedPortfolios.Rate?)] {
    valued.total.lines.map { ($0, valued.rates[$0.info.currency]) }
  }

  private static let figures: Fields<PortfolioTotal.Figures?> = [
    Field("value", .decimal("The value of the holdings.")) { $0?.value },
    Field("unrealized", .decimal("The unrealized gain.")) { $0?.unrealized },
    Field("realized", .decimal("The realized gain.")) { $0?.realized },
    Field("open_cost", .decimal("The cost of the holdings.")) { $0?.openCost },
    Field("fees", .decimal("The fees paid.")) { $0?.fees },
  ]

  package var errors: [OutputError] { valued.failures.map { OutputError($0) } }
}

extension ValueSchema {
  static let method: ValueSchema = .word(GainMethod.allCases.map(\.rawValue), "The order in which lots are sold.")
}
