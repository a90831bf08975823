package import BitpalCharts
package import BitpalJSON
package import BitpalModel
package import BitpalProviders
package import BitpalService
import FoundationEssentials

/// The shape `bitpal.comparison/1`: several coins over one range, with their changes since the start of the range.
package struct ComparisonOutput: OutputShape {
  /// One of the coins.
  package struct Series: Sendable {
    /// The id of the coin.
    package let coin: String

    /// All points, even where fewer are given.
    package let line: Sourced<LineSeries>

    package init(coin: String, line: Sourced<LineSeries>) {
      self.coin = coin
      self.line = line
    }
  }

  package let series: [Series]
  private let failures: [CoinFailure]
  package let range: ChartTimeRange
  private let currency: String
  private let providers: [ProviderDescriptor]
  private let most: Int?
  private let zone: ClockZone

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - count: The most points of each coin; nil for all.
  ///   - zone: The time zone of the picture's labels.
  package init(
    _ series: [Series], failures: [CoinFailure], range: ChartTimeRange, currency: String,
    providers: [ProviderDescriptor], atMost count: Int?, zone: ClockZone = .utc
  ) {
    self.series = series
    self.failures = failures
    self.range = range
    self.currency = currency
    self.providers = providers
    most = count
    self.zone = zone
  }

  /// The same data as a picture.
  package var chart: Chart {
    Chart(
      .comparison(series.map { ComparedLine(name: $0.coin.printable(limit: 40), points: points(of: $0)) }),
      titled: [series.map(\.coin).joined(separator: ", "), range.name, "change in %", currency.uppercased()],
      series.map { Provenance($0.line) }, providers: providers, window: nil, zone: zone)
  }

  package let schema = OutputSchema.comparison

  package let columns = ["coin", "time", "price", "change_percent"]

  package var rows: [JSONObject] {
    series.flatMap { series in rows(of: series).map { ["coin": .coin(series.coin)] + $0 } }
  }

  package var members: JSONObject {
    [
      "range": .string(range.name), "currency": .string(currency),
      "provider": JSONValue(series.first?.line.source ?? providers.first?.id),
      "coins": .array(
        series.map { series in
          let change = ChartStatistics(line: series.line.value.points)?.percentageChange
          let object: JSONObject = [
            "coin": .coin(series.coin), "change_percent": JSONValue(change),
            "points": .array(rows(of: series).map(JSONValue.object)),
          ]
          return .object(object + Provenance(series.line).json)
        }),
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }

  private func points(of series: Series) -> [ChartDataPoint] {
    most.map { Resampling.reduce(series.line.value.points, to: $0) } ?? series.line.value.points
  }

  private func rows(of series: Series) -> [JSONObject] {
    // The change is measured from the start of the range, whichever points are given.
    let start = series.line.value.points.first?.price
    return points(of: series).map { point in
      [
        "time": JSONValue(point.timestamp), "price": JSONValue(point.price),
        "change_percent": JSONValue(start.flatMap { point.price.percentChange(since: $0) }),
      ]
    }
  }
}

extension OutputSchema {
  static let comparison = OutputSchema(
    "bitpal.comparison/1", "The changes of several coins over one range.",
    [
      "range": .text("The name of the range, or its days."), "currency": .currency, "provider": .provider,
      "coins": .list(
        .object(
          [
            "coin": .text("The id."),
            "change_percent": .decimal("Over the range, in percent of its first price.").orNull,
            "points": .list(
              .object([
                "time": .instant("The time of the price."), "price": .decimal("The price."),
                "change_percent": .decimal("Since the first price of the range, in percent of it.").orNull,
              ]), "In the order of time."),
          ] + .provenance), "One for each coin that has an answer."),
    ])
}
