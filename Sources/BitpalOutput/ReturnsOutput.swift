package import BitpalJSON
import BitpalModel
package import BitpalPortfolio
import BitpalService
package import BitpalValuation
package import FoundationEssentials

/// The shape `bitpal.returns/1`: the returns of a portfolio, by year and in all.
package struct ReturnsOutput: OutputShape {
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

  package let schema = OutputSchema.returns

  package var columns: [String] { ["period"] + Self.figureColumns + ["currency"] }

  package var rows: [JSONObject] {
    (years.map { (String($0.year), $0.returns) } + (total.map { [("all", $0)] } ?? [])).map { name, returns in
      ["period": .string(name)] + Self.figures(returns) + ["currency": .string(currency)]
    }
  }

  package var members: JSONObject {
    [
      "portfolio": .string(portfolio.text), "currency": .string(currency),
      "years": .array(years.map { .object(["year": .integer($0.year)] + Self.figures($0.returns)) }),
      "total": total.map { .object(Self.figures($0)) } ?? .null, "sources": worth.closes.sources,
      "carried_forward": worth.carriedForward,
    ]
  }

  package var errors: [OutputError] { worth.failures.map(OutputError.init) }

  private static let figureColumns = [
    "from", "to", "start_value", "inflow", "outflow", "end_value", "gain", "time_weighted", "time_weighted_yearly",
    "money_weighted", "money_weighted_yearly",
  ]

  private static func figures(_ returns: Returns) -> JSONObject {
    [
      "from": .string(returns.from.dayText), "to": .string(returns.to.dayText),
      "start_value": JSONValue(returns.startValue), "inflow": JSONValue(returns.inflow),
      "outflow": JSONValue(returns.outflow), "end_value": JSONValue(returns.endValue), "gain": JSONValue(returns.gain),
      "time_weighted": JSONValue(returns.timeWeighted?.overall),
      "time_weighted_yearly": JSONValue(returns.timeWeighted?.yearly),
      "money_weighted": JSONValue(returns.moneyWeighted?.overall),
      "money_weighted_yearly": JSONValue(returns.moneyWeighted?.yearly),
    ]
  }
}

extension OutputSchema {
  static let returns = OutputSchema(
    "bitpal.returns/1",
    "The returns of a portfolio, by year and in all; a coin without closes is in errors, and in no sum.",
    [
      "portfolio": .portfolioName, "currency": .currency,
      "years": .list(
        .object(["year": .count("The year, in UTC.")] + figures), "Earliest first; none where there is only one."),
      "total": .object(figures, "Over all the days; null where nothing was held.").orNull,
      "sources": .closesSources, "carried_forward": .carriedForward,
    ])

  private static let figures: SchemaMembers = [
    "from": .day("The first day."), "to": .day("The last day."),
    "start_value": .decimal("The value at the close before the first day."),
    "inflow": .decimal("The money that was put in, with fees."),
    "outflow": .decimal("The money that was taken out, less fees."),
    "end_value": .decimal("The value at the close of the last day."),
    "gain": .decimal("The gain, after fees."),
    "time_weighted": .decimal("In percent: what a unit returned that was in all the time.").orNull,
    "time_weighted_yearly": .decimal("The same in a year; null for fewer days than that.").orNull,
    "money_weighted": .decimal("In percent: the rate that explains every payment.").orNull,
    "money_weighted_yearly": .decimal("The same in a year; null for fewer days than that.").orNull,
  ]
}
