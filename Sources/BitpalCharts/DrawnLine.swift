import BitpalModel
import FoundationEssentials

/// A line's runs as they are drawn: reduced, and in percent when lines are compared.
struct DrawnLine {
  /// What it is called in the legend; empty for the only one.
  let name: String

  /// Between two runs the source has a gap.
  let runs: [[ChartDataPoint]]

  /// The last value before reduction.
  let last: Decimal?

  /// The lowest and the highest value, whatever was left out in between.
  let extremes: (low: Decimal, high: Decimal)?

  /// - Parameter count: How many points there is room for.
  init(_ points: [ChartDataPoint], name: String = "", count: Int, values: ([ChartDataPoint]) -> [ChartDataPoint]) {
    self.name = name
    let runs = Resampling.runs(points)
    let drawn = runs.map { run in
      let share = runs.count == 1 ? count : max(4, count * run.count / max(1, points.count))
      return values(Resampling.reduce(Array(run), to: share))
    }
    self.runs = drawn
    last = drawn.last?.last?.price
    let prices = drawn.joined().map(\.price)
    extremes = prices.min().flatMap { low in prices.max().map { (low, $0) } }
  }
}
