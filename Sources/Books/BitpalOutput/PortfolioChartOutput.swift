package import Bitpal
package import BitpalCharts
import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalQueries
import FoundationEssentials

/// The shape `bitpal.portfolio_chart/1`: the value and the cost of a portfolio day by day, with the same data as a
/// picture.
package struct PortfolioChartOutput: FieldShape {
  /// The given days, evenly picked when there are more than requested.
  package let days: [ValueHistory.Day]

  /// All days, with their sources.
  private let worth: PortfolioHistory
  private let range: String

  /// The range, or its days, in titles.
  package let title: String

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - range: The name of the range, or its days.
  ///   - title: The same as titles name it.
  ///   - count: The most days that are given; nil for all.
  package init(_ worth: PortfolioHistory, range: String, titled title: String, atMost count: Int? = nil) {
    self.worth = worth
    self.range = range
    self.title = title
    let all = worth.history.days
    days = count.map { all.evenlyPicked(atMost: $0) } ?? all
  }

  /// The currency, lower case.
  package var currency: String { worth.currency }

  /// The coins without closes.
  package var failures: [CoinFailure] { worth.failures }

  /// The provenance of the closes.
  package var provenance: [Provenance] { worth.closes.map(Provenance.init) }

  /// The same data as a picture.
  package var chart: Chart {
    func line(_ name: String, _ value: (ValueHistory.Day) -> Decimal) -> ComparedLine {
      ComparedLine(name: name, points: days.map { ChartDataPoint(timestamp: $0.day, price: value($0)) })
    }
    // The days are those of UTC, whatever the zone.
    return Chart(
      .amounts([line("value", \.value), line("cost", \.cost)]),
      titled: [worth.name.text, title, "value and cost", currency.uppercased()], provenance, providers: worth.providers,
      unit: currency, remarks: remarks, window: nil, zone: .utc)
  }

  /// A sentence for a history without a day.
  package var emptyText: String { worth.emptyText }

  /// Sentences about the basis of the figures.
  package var remarks: [String] { worth.remarks }

  package static let shape = Shape<Self>(
    "bitpal.portfolio_chart/1",
    "The value of a portfolio day by day; a coin without closes is in errors, and in no sum.",
    [
      Field("portfolio", .portfolioName) { $0.worth.name.text },
      Field("currency", .currency) { $0.currency },
      Field("range", .text("The name of the range, or its days.")) { $0.range },
      .list("days", "In the order of time.", rowFields) { $0.rowSubjects },
      Field(
        "days_without_value",
        .count("The number of days in between without a value, because a coin held then had no close.")
      ) { $0.worth.history.daysWithoutValue },
      .closesSources { $0.worth.closes },
      .carriedForward { $0.worth },
      .provisional { $0.worth },
      .incomplete { $0.worth },
    ])

  package static let rowFields: Fields<(day: ValueHistory.Day, output: PortfolioChartOutput)> = [
    Field("date", .day("The day, in UTC.")) { $0.day.day.dayText },
    Field("value", .decimal("The value of the holdings at its end, at its closes.")) { $0.day.value },
    Field("cost", .decimal("The cost of the holdings.")) { $0.day.cost },
    Field("currency", .currency) { $0.output.currency },
  ]

  package var rowSubjects: [(day: ValueHistory.Day, output: PortfolioChartOutput)] { days.map { ($0, self) } }

  package var errors: [OutputError] { failures.map { OutputError($0) } }
}

private let sourceFields: Fields<(coin: String, provenance: Provenance)> =
  [.coin("coin", "The id.") { $0.coin }] + Provenance.fields.of(\.provenance)

private let carriedFields: Fields<(coin: String, pricedOn: Date)> = [
  .coin("coin", "The id.") { $0.coin },
  Field("priced_on", .day("The day of its latest such price.")) { $0.pricedOn.dayText },
]

private let provisionalFields: Fields<(coin: String, day: Date)> = [
  .coin("coin", "The id.") { $0.coin },
  Field("date", .day("The day of the close, in UTC.")) { $0.day.dayText },
]

extension Field {
  /// Returns the field of the provenance of each coin's closes, and of its latest price where that differs.
  static func closesSources(_ closes: @escaping @Sendable (Subject) -> [Sourced<[Resampling.DailyClose]>]) -> Field {
    .list(
      "sources", "The provenance of the prices, a coin each; where the last day is today, also of its latest price.",
      sourceFields
    ) { subject in
      var parts: [(coin: String, provenance: Provenance)] = []
      for answer in closes(subject) {
        let part = (coin: answer.about.coin, provenance: Provenance(answer))
        if !parts.contains(where: { $0 == part }) { parts.append(part) }
      }
      return parts
    }
  }

  /// Returns the field of the closes that may still change.
  static func provisional(_ history: @escaping @Sendable (Subject) -> PortfolioHistory) -> Field {
    .list(
      "provisional", "The closes that may still change, because the source had no later price.", provisionalFields
    ) { history($0).provisional }
  }

  /// Returns the field of the reason why the days begin later or end earlier than was asked for.
  static func incomplete(_ history: @escaping @Sendable (Subject) -> PortfolioHistory) -> Field {
    Field(
      "incomplete",
      .text("The reason why its days begin later or end earlier than was asked for; null where they do not.")
    ) {
      history($0).lateStart?.text ?? history($0).earlyEnd
    }
  }

  /// Returns the field of the coins whose last price is carried forward.
  static func carriedForward(_ history: @escaping @Sendable (Subject) -> PortfolioHistory) -> Field {
    .list(
      "carried_forward",
      "The coins of a kind: file source whose last price is carried forward for more than a week.", carriedFields
    ) { history($0).carried }
  }
}
