package import BitpalModel
import FoundationEssentials

/// A drawing as a part of an HTML page: markup that only this module makes, of numbers and of text that is escaped.
package struct SVGDrawing: Equatable, Sendable {
  /// One element.
  package let markup: String

  init(markup: String) {
    self.markup = markup
  }
}

extension SVGDrawing {
  /// The size of a sparkline in its own units.
  private static let spark = (width: 96, height: 28)

  /// As many points as can be told apart on it: a page has a hundred of them.
  private static let sparkPoints = 20

  /// A line without scales, as high as a line of text, for a row of a table; it says nothing to screen readers, for beside it
  /// stands what it shows.
  ///
  /// - Returns: Nil without two points.
  package static func sparkline(_ points: [ChartDataPoint]) -> SVGDrawing? {
    guard points.count > 1, let statistics = ChartStatistics(line: points), let first = points.first,
      let last = points.last
    else { return nil }
    let axis = PriceAxis(low: statistics.periodLow, high: statistics.periodHigh, most: 1)
    let time = TimeAxis(start: first.timestamp, end: last.timestamp, columns: 1)
    var path = ""
    var place = (x: 0, y: 0)
    // Steps in whole units from point to point: half as long as places with decimals, and no eye sees the difference.
    for point in Resampling.reduce(points, to: sparkPoints) {
      let next = (
        x: 2 + Int((time.position(point.timestamp) * Double(spark.width - 4)).rounded()),
        y: 2 + Int(((1 - axis.position(point.price)) * Double(spark.height - 4)).rounded())
      )
      path +=
        path.isEmpty
        ? "m\(next.x) \(next.y)l" : "\(step(next.x - place.x, after: path))\(step(next.y - place.y, after: "0"))"
      place = next
    }
    return SVGDrawing(
      markup: "<svg class=\"spark\" viewBox=\"0 0 \(spark.width) \(spark.height)\" aria-hidden=\"true\">"
        + "<path class=\"stroke \(statistics.isPositive ? "rise" : "fall")\" d=\"\(path)\"/></svg>")
  }

  /// A number of a path: a minus sign parts it from the one before, else a space must.
  private static func step(_ value: Int, after text: String) -> String {
    value < 0 || text.hasSuffix("l") ? "\(value)" : " \(value)"
  }
}
