package import BitpalCharts
package import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalService
package import BitpalValuation
import FoundationEssentials

/// The shape `bitpal.portfolio_chart/1`: the value and the cost of a portfolio day by day, with the same data as a
/// picture.
package struct PortfolioChartOutput: OutputShape {
  /// The given days, evenly picked when there are more than requested.
  package let days: [ValueHistory.Day]

  /// All days, with their sources.
  private let worth: PortfolioHistory
  private let range: String

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - range: The name of the range, or its days.
  ///   - count: The most days that are given; nil for all.
  package init(_ worth: PortfolioHistory, range: String, atMost count: Int? = nil) {
    self.worth = worth
    self.range = range
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
      titled: [worth.name.text, range, "value and cost", currency.uppercased()], provenance, providers: worth.providers,
      remarks: remarks, window: nil, zone: .utc)
  }

  /// A sentence for a history without a day.
  package var emptyText: String { worth.emptyText }

  /// Sentences about the basis of the figures.
  package var remarks: [String] { worth.remarks }

  package let schema = OutputSchema.portfolioChart

  package let columns = ["date", "value", "cost", "currency"]

  package var rows: [JSONObject] {
    days.map { day in
      [
        "date": .string(day.day.dayText), "value": JSONValue(day.value), "cost": JSONValue(day.cost),
        "currency": .string(currency),
      ]
    }
  }

  package var members: JSONObject {
    [
      "portfolio": .string(worth.name.text), "currency": .string(currency), "range": .string(range),
      "days": rowsValue, "days_without_value": .integer(worth.history.daysWithoutValue),
      "sources": worth.closes.sources, "carried_forward": worth.carriedForward,
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }
}

extension [Sourced<[Resampling.DailyClose]>] {
  /// The provenance of each coin's closes, and of its latest price where that differs.
  var sources: JSONValue {
    var told: [(coin: String, provenance: Provenance)] = []
    for answer in self {
      let part = (coin: answer.about.coin, provenance: Provenance(answer))
      if !told.contains(where: { $0 == part }) { told.append(part) }
    }
    return .array(told.map { .object(["coin": .coin($0.coin)] + $0.provenance.json) })
  }
}

extension PortfolioHistory {
  /// The coins whose last price is carried forward.
  var carriedForward: JSONValue {
    .array(carried.map { .object(["coin": .coin($0.coin), "priced_on": .string($0.pricedOn.dayText)]) })
  }
}

extension ValueSchema {
  /// The schema of the coins whose last price is carried forward.
  static let carriedForward: ValueSchema = .list(
    .object(["coin": .text("The id."), "priced_on": .day("The day of its latest such price.")]),
    "The coins of a kind: file source whose last price is carried forward for more than a week.")

  /// The schema of the provenance of each coin's closes.
  static let closesSources: ValueSchema = .list(
    .object(["coin": .text("The id.")] + .provenance),
    "The provenance of the prices, a coin each; where the last day is today, also of its latest price.")
}

extension OutputSchema {
  static let portfolioChart = OutputSchema(
    "bitpal.portfolio_chart/1",
    "The value of a portfolio day by day; a coin without closes is in errors, and in no sum.",
    [
      "portfolio": .portfolioName, "currency": .currency, "range": .text("The name of the range, or its days."),
      "days": .list(
        .object([
          "date": .day("The day, in UTC."), "value": .decimal("The value of the holdings at its end, at its closes."),
          "cost": .decimal("The cost of the holdings."), "currency": .currency,
        ]), "In the order of time."),
      "days_without_value": .count(
        "The number of days in between without a value, because a coin held then had no close."),
      "sources": .closesSources, "carried_forward": .carriedForward,
    ])
}
