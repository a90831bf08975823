import BitpalCharts
import BitpalJSON
import BitpalModel
import BitpalProviders
import BitpalService
import FoundationEssentials

/// Several coins over one range: how much each changed since the range's start.
struct ComparisonView: View {
  /// One of the coins.
  struct Series: Sendable {
    let coin: String
    let line: Sourced<LineSeries>
  }

  private let series: [Series]
  private let failures: [CoinFailure]
  private let range: ChartTimeRange
  private let currency: String
  private let providers: [ProviderDescriptor]
  private let canvas: ChartCanvas?
  private let most: Int?

  /// - Parameters:
  ///   - canvas: How a table is drawn; nil for one of rows.
  ///   - count: The most points that are given of each; nil for all.
  init(
    _ series: [Series], failures: [CoinFailure], range: ChartTimeRange, currency: String,
    providers: [ProviderDescriptor], canvas: ChartCanvas?, atMost count: Int?
  ) {
    self.series = series
    self.failures = failures
    self.range = range
    self.currency = currency
    self.providers = providers
    self.canvas = canvas
    most = count
  }

  /// The same as a picture.
  var chart: Chart {
    let title = [series.map(\.coin).joined(separator: ", "), range.name, "change in %", currency.uppercased()]
    return ChartTitles(title, series.map { Origin($0.line) }, providers: providers).chart(
      .comparison(series.map { ComparedLine(name: $0.coin.printable(limit: 40), points: points(of: $0)) }), window: nil)
  }

  let columns = ["coin", "time", "price", "change_percent"]

  var rows: [JSONObject] {
    series.flatMap { series in points(series).map { ["coin": .string(series.coin)] + $0 } }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.comparison/1", "range": .string(range.name), "currency": .string(currency),
      "provider": JSONValue(providers.first?.id),
      "coins": .array(
        series.map { series in
          let change = ChartStatistics(line: series.line.value.points)?.percentageChange
          let object: JSONObject = [
            "coin": .string(series.coin), "change_percent": JSONValue(change),
            "points": .array(points(series).map(JSONValue.object)),
          ]
          return .object(object + Origin(series.line).json)
        }),
      "errors": .array(
        failures.map { failure in
          [
            "coin": .string(failure.coin), "code": .string(failure.error.code.rawValue),
            "message": .string(failure.error.description),
          ]
        }),
    ]
  }

  func table(style: Style) -> String {
    if series.isEmpty { return "" }
    if let canvas { return canvas.text(chart, style: style) }
    var table = TextTable([.init("COIN"), .init("START", .right), .init("END", .right), .init("CHANGE %", .right)])
    for series in series {
      guard let statistics = ChartStatistics(line: series.line.value.points) else { continue }
      table.add([
        .init(series.coin), .init(NumberFormat.price(statistics.startPrice)),
        .init(NumberFormat.price(statistics.endPrice)), PriceRow.changeCell(statistics.percentageChange),
      ])
    }
    return Origin.line(series.map { Origin($0.line) }, providers: providers, style: style) + "\n\n"
      + table.text(style: style)
  }

  private func points(of series: Series) -> [ChartDataPoint] {
    most.map { Resampling.reduce(series.line.value.points, to: $0) } ?? series.line.value.points
  }

  private func points(_ series: Series) -> [JSONObject] {
    let start = series.line.value.points.first?.price
    return points(of: series).map { point in
      [
        "time": JSONValue(point.timestamp), "price": JSONValue(point.price),
        "change_percent": JSONValue(start.flatMap { point.price.percentChange(since: $0) }),
      ]
    }
  }
}
