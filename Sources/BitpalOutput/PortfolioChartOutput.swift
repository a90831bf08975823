package import BitpalCharts
package import BitpalJSON
import BitpalModel
package import BitpalPortfolio
package import BitpalService
package import BitpalValuation
import FoundationEssentials

/// `bitpal.portfolio_chart/1`: what a portfolio was worth day by day, and what it had cost; the same as a picture.
package struct PortfolioChartOutput: OutputShape {
  /// The days that are given: of more days than were wanted, evenly picked ones.
  package let days: [ValueHistory.Day]

  /// All of them, and what they come from.
  private let worth: PortfolioHistory
  private let range: String

  /// - Parameters:
  ///   - range: Its name, or its days.
  ///   - count: The most days that are given; nil for all.
  package init(_ worth: PortfolioHistory, range: String, atMost count: Int? = nil) {
    self.worth = worth
    self.range = range
    let all = worth.history.days
    days = count.map { all.evenlyPicked(atMost: $0) } ?? all
  }

  /// Lower case.
  package var currency: String { worth.currency }

  /// The coins that have no closes.
  package var failures: [CoinFailure] { worth.failures }

  /// Where the closes come from.
  package var provenance: [Provenance] { worth.closes.map(Provenance.init) }

  /// The same as a picture.
  package var chart: Chart {
    func line(_ name: String, _ value: (ValueHistory.Day) -> Decimal) -> ComparedLine {
      ComparedLine(name: name, points: days.map { ChartDataPoint(timestamp: $0.day, price: value($0)) })
    }
    // Days are those of UTC, whatever the zone.
    return Chart(
      .amounts([line("value", \.value), line("cost", \.cost)]),
      titled: [worth.name.text, range, "value and cost", currency.uppercased()], provenance, providers: worth.providers,
      remarks: remarks, window: nil, zone: .utc)
  }

  /// A sentence for a history without a day.
  package var emptyText: String { worth.emptyText }

  /// Sentences about what the figures are made of.
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
  /// Where the closes of each coin come from, and its latest price where that is told otherwise.
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
  /// The coins whose last price is carried forward.
  static let carriedForward: ValueSchema = .list(
    .object(["coin": .text("The id."), "priced_on": .day("The day of its latest such price.")]),
    "The coins of a kind: file source whose last price is carried forward for more than a week.")

  /// Where the closes of each coin come from.
  static let closesSources: ValueSchema = .list(
    .object(["coin": .text("The id.")] + .provenance),
    "Where the prices come from, a coin each; where the last day is today, its latest price besides.")
}

extension OutputSchema {
  static let portfolioChart = OutputSchema(
    "bitpal.portfolio_chart/1",
    "What a portfolio was worth day by day; a coin without closes is in errors, and in no sum.",
    [
      "portfolio": .portfolioName, "currency": .currency, "range": .text("The name of the range, or its days."),
      "days": .list(
        .object([
          "date": .day("The day, in UTC."), "value": .decimal("What was held at its end, at its closes."),
          "cost": .decimal("What that had cost."), "currency": .currency,
        ]), "In the order of time."),
      "days_without_value": .count("How many days in between have none, because a coin held then had no close."),
      "sources": .closesSources, "carried_forward": .carriedForward,
    ])
}
