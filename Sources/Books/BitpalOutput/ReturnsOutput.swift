import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalQueries
package import FoundationEssentials

/// The shape `bitpal.returns/1`: the returns of a portfolio, by year and in all.
package struct ReturnsOutput: FieldShape {
  /// The years within the days, earliest first; empty where there is only one.
  package let years: [(year: Int, returns: Returns)]

  /// The return over all the days; nil when nothing was held on any of them.
  package let total: Returns?

  private let worth: PortfolioHistory

  /// Calculates the returns.
  ///
  /// - Parameters:
  ///   - worth: The history from the day before the first.
  ///   - first: Any instant of the first day.
  ///   - last: Any instant of the last day.
  /// - Throws: `PortfolioError` for sums that do not fit a number.
  package init(_ worth: PortfolioHistory, from first: Date, to last: Date) throws(PortfolioError) {
    let history = worth.history
    total = try Returns(history, from: first, to: last)
    var years: [(year: Int, returns: Returns)] = []
    if let total {
      var start = total.from
      while start <= total.to {
        // From any day of a year, 366 days later lie in the next year.
        let next = ClockZone.utc.startOfYear(start.adding(.seconds(366 * 86_400)))
        if let returns = try Returns(history, from: start, to: min(last, next.adding(.seconds(-86_400)))) {
          years.append((CivilTime(start).year, returns))
        }
        start = next
      }
    }
    self.years = years.count > 1 ? years : []
    self.worth = worth
  }

  /// The currency, lower case.
  package var currency: String { worth.currency }
  package var portfolio: PortfolioName { worth.name }

  /// The provenance of the closes.
  package var provenance: [Provenance] { worth.closes.map(Provenance.init) }

  /// Sentences about the basis of the figures.
  package var remarks: [String] { worth.remarks }

  /// Sentences about the periods that have no money-weighted rate.
  package var rateRemarks: [String] {
    func remark(_ beginning: String, _ isMeant: (Returns) -> Bool, _ reason: String) -> [String] {
      let periods = rowSubjects.filter { isMeant($0.returns) }.map(\.period)
      return periods.isEmpty ? [] : ["\(beginning) for \(periods.joined(separator: ", ")): \(reason)"]
    }
    return remark("no single money-weighted rate", \.hasSeveralRates, "several explain its payments")
      + remark(
        "no money-weighted rate",
        { $0.timeWeighted != nil && $0.moneyWeighted == nil && !$0.hasSeveralRates },
        "none explains its payments, because what went in and came out did so within one day")
  }

  package static let shape = Shape<Self>(
    "bitpal.returns/1",
    "The returns of a portfolio, by year and in all; a coin without closes is in errors, and in no sum.",
    [
      Field("portfolio", .portfolioName) { $0.portfolio.text },
      Field("currency", .currency) { $0.currency },
      .list(
        "years", "Earliest first; none where there is only one.",
        [Field("year", .count("The year, in UTC.")) { $0.year }] + figures.of(\.returns)
      ) { $0.years },
      .object("total", "Over all the days; null where nothing was held.", figures, orNull: \.total),
      .closesSources { $0.worth.closes },
      .carriedForward { $0.worth },
      .provisional { $0.worth },
      .lateBeginning { $0.worth },
    ])

  package static let rowFields: Fields<(period: String, returns: Returns, output: ReturnsOutput)> =
    [Field("period", .text("A year, or all.")) { $0.period }] + figures.of(\.returns) + [
      Field("currency", .currency) { $0.output.currency }
    ]

  package var rowSubjects: [(period: String, returns: Returns, output: ReturnsOutput)] {
    years.map { (String($0.year), $0.returns, self) } + (total.map { [("all", $0, self)] } ?? [])
  }

  package var errors: [OutputError] { worth.failures.map { OutputError($0) } }

  private static let figures: Fields<Returns> = [
    Field("from", .day("The first day.")) { $0.from.dayText },
    Field("to", .day("The last day.")) { $0.to.dayText },
    Field("start_value", .decimal("The value at the close before the first day.")) { $0.startValue },
    Field("inflow", .decimal("The money that was put in, with fees.")) { $0.inflow },
    Field("outflow", .decimal("The money that was taken out, less fees.")) { $0.outflow },
    Field("end_value", .decimal("The value at the close of the last day.")) { $0.endValue },
    Field("gain", .decimal("The gain, after fees.")) { $0.gain },
    Field("time_weighted", .decimal("In percent: what a unit returned that was in all the time.")) {
      $0.timeWeighted?.overall
    },
    Field("time_weighted_yearly", .decimal("The same in a year; null for fewer days than that.")) {
      $0.timeWeighted?.yearly
    },
    Field("held_days", .count("The number of days on which something was held.")) { $0.heldDays },
    Field("money_weighted", .decimal("In percent: the rate that explains every payment; null when none or several do."))
    {
      $0.moneyWeighted?.overall
    },
    Field("money_weighted_yearly", .decimal("The same in a year; null for fewer days than that.")) {
      $0.moneyWeighted?.yearly
    },
    Field("several_rates", .flag("Whether several rates explain the payments, so that money_weighted is null.")) {
      $0.hasSeveralRates
    },
  ]
}
