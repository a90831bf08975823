package import Bitpal
package import BitpalCharts
package import BitpalJSON
import BitpalModel
import BitpalProviders
package import BitpalQueries
import FoundationEssentials

/// The shape `bitpal.comparison/1`: several coins over one range, with their changes since the start of the range.
package struct ComparisonOutput: FieldShape {
  package let series: [ComparedSeries]
  private let failures: [CoinFailure]

  /// The range and currency of the comparison.
  package let question: ChartQuestion
  private let most: Int?

  /// Creates the shape.
  ///
  /// - Parameter count: The most points of each coin; nil for all.
  package init(
    _ comparison: (series: [ComparedSeries], failures: [CoinFailure]), _ question: ChartQuestion,
    atMost count: Int? = nil
  ) {
    series = comparison.series
    failures = comparison.failures
    self.question = question
    most = count
  }

  /// The same data as a picture.
  package var chart: Chart {
    Chart(
      .comparison(series.map { ComparedLine(name: title(of: $0).printable(limit: 40), points: given($0)) }),
      titled: [
        series.map(title).joined(separator: ", "), question.range.spelledOut, "change in %",
        question.currency.uppercased(),
      ],
      series.map { Provenance($0.line) }, providers: question.descriptors, unit: "", window: nil, zone: question.zone,
      isOfDays: series.allSatisfy(\.line.value.isDaily))
  }

  /// Returns a coin as titles name it.
  package func title(of series: ComparedSeries) -> String {
    question.title(of: series.line.map { _ in }).printable(limit: 60)
  }

  package static let shape = Shape<Self>(
    "bitpal.comparison/1", "The changes of several coins over one range.",
    [
      Field("range", .text("The name of the range, or its days.")) { $0.question.range.name },
      Field("currency", .currency) { $0.question.currency },
      Field("provider", .provider) { $0.series.first?.line.source ?? $0.question.descriptors.first?.id },
      .list(
        "coins", "One for each coin that has an answer.",
        [
          .coin("coin", "The id.") { $0.series.coin },
          Field("change_percent", .decimal("Over the range, in percent of its first price.")) {
            ChartStatistics(line: $0.series.line.value.points)?.percentageChange
          },
          Field(
            "incomplete", .text("The reason why its points begin later than was asked for; null where they do not.")
          ) { $0.output.question.incomplete(.line($0.series.line)) },
          .list("points", "In the order of time.", pointFields) { $0.output.points(of: $0.series) },
        ] + Provenance.fields.of { Provenance($0.series.line) }
      ) { output in output.series.map { (series: $0, output: output) } },
    ])

  private typealias Point = (point: ChartDataPoint, start: Decimal?)

  // The change is measured from the start of the range, whichever points are given.
  private static let pointFields: Fields<Point> = [
    Field("time", .instant("The time of the price.")) { $0.point.timestamp },
    Field("price", .decimal("The price.")) { $0.point.price },
    Field("change_percent", .decimal("Since the first price of the range, in percent of it.")) { row in
      row.start.flatMap { row.point.price.percentChange(since: $0) }
    },
  ]

  package var columns: [String] { ["coin"] + Self.pointFields.keys }

  package var rows: [JSONObject] {
    series.flatMap { series in
      Self.pointFields.objects(points(of: series)).map { ["coin": .coin(series.coin)] + $0 }
    }
  }

  package var errors: [OutputError] { failures.map { OutputError($0) } }

  private func points(of series: ComparedSeries) -> [Point] {
    let start = series.line.value.points.first?.price
    return given(series).map { ($0, start) }
  }

  /// Returns the points of a coin that are given.
  private func given(_ series: ComparedSeries) -> [ChartDataPoint] {
    most.map { Resampling.reduce(series.line.value.points, to: $0) } ?? series.line.value.points
  }
}
