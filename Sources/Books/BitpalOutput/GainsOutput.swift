import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
package import BitpalQueries
import FoundationEssentials

/// The shape `bitpal.gains/1`: the gain of every disposal, with sums by year and in all.
package struct GainsOutput: FieldShape {
  package let gainRows: [Gains.Row]

  /// The sums by year, earliest first.
  package let years: [(year: Int, sums: Gains.Sums)]
  package let total: Gains.Sums
  package let method: GainMethod

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - days: The days of the disposals that are included.
  ///   - zone: The time zone in which a day begins.
  /// - Throws: `PortfolioError` for sums that do not fit a number.
  package init(
    _ gains: Gains, of portfolio: PortfolioName, currency: String, days: BookedDays, zone: ClockZone
  ) throws(PortfolioError) {
    gainRows = gains.rows.filter { days.contains($0.sold, in: zone) }
    years = try Gains.years(gainRows, zone: zone)
    total = try Gains.sums(gainRows)
    method = gains.method
    self.currency = currency
    self.portfolio = portfolio
  }

  package static let shape = Shape<Self>(
    "bitpal.gains/1", "The gain of every disposal, with sums by year and in all.",
    [
      Field("portfolio", .portfolioName) { $0.portfolio.text },
      Field("currency", .currency) { $0.currency },
      Field("method", .method) { $0.method.rawValue },
      .list("gains", "A disposal and lot each.", rowFields) { $0.rowSubjects },
      .list(
        "years", "The sums by year, earliest first.",
        [Field("year", .count("The year of the sale.")) { $0.year }] + sumFields.of(\.sums)
      ) { $0.years },
      .object("total", "The sums of all rows.", sumFields) { $0.total },
    ])

  package static let rowFields: Fields<(row: Gains.Row, output: GainsOutput)> =
    [
      .coin("coin", "The id of the coin.") { $0.row.coinId },
      Field("sold", .instant("The time of the disposal.")) { $0.row.sold },
      Field("acquired", .instant("The time at which the lot came in; null by the average.")) { $0.row.acquired },
      Field("days", .count("Whole days between, in UTC; null by the average.")) { $0.row.days },
      Field("quantity", .decimal("The number of coins.")) { $0.row.quantity },
    ] + sumFields.of(\.row.sums) + [
      Field("currency", .currency) { $0.output.currency },
      Field("method", .method) { $0.output.method.rawValue },
    ]

  package var rowSubjects: [(row: Gains.Row, output: GainsOutput)] { gainRows.map { ($0, self) } }

  private static let sumFields: Fields<Gains.Sums> = [
    Field("proceeds", .decimal("For what it was sold.")) { $0.proceeds },
    Field("cost", .decimal("The cost.")) { $0.cost },
    Field("fee", .decimal("The fee of the sale.")) { $0.fee },
    Field("gain", .decimal("Proceeds less cost and fee.")) { $0.gain },
  ]
}

/// The shape `bitpal.lots/1`: the remaining parts of the acquired lots.
package struct LotsOutput: FieldShape {
  package let lots: [Gains.Lot]
  package let method: GainMethod

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  package init(_ lots: [Gains.Lot], by method: GainMethod, of portfolio: PortfolioName, currency: String) {
    self.lots = lots
    self.method = method
    self.portfolio = portfolio
    self.currency = currency
  }

  package static let shape = Shape<Self>(
    "bitpal.lots/1", "The open lots.",
    [
      Field("portfolio", .portfolioName) { $0.portfolio.text },
      Field("currency", .currency) { $0.currency },
      Field("method", .method) { $0.method.rawValue },
      .list("lots", "One for each.", rowFields) { $0.rowSubjects },
    ])

  package static let rowFields: Fields<(lot: Gains.Lot, output: LotsOutput)> = [
    .coin("coin", "The id of the coin.") { $0.lot.coinId },
    Field("acquired", .instant("The time at which it came in; null by the average.")) { $0.lot.acquired },
    Field("quantity", .decimal("The number of coins that are left.")) { $0.lot.quantity },
    Field("cost", .decimal("Their cost.")) { $0.lot.cost },
    Field("currency", .currency) { $0.output.currency },
    Field("method", .method) { $0.output.method.rawValue },
  ]

  package var rowSubjects: [(lot: Gains.Lot, output: LotsOutput)] { lots.map { ($0, self) } }
}
