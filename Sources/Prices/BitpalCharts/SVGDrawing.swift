package import BitpalModel
import FoundationEssentials

/// A drawing as a part of an HTML page: markup that only this module makes, from numbers and escaped text.
package struct SVGDrawing: Equatable, Sendable {
  /// The markup of one element.
  package let markup: String

  init(markup: String) {
    self.markup = markup
  }
}

extension SVGDrawing {
  /// The size of a sparkline in its own units.
  private static let spark = (width: 96, height: 28)

  /// The number of points that can be distinguished on a sparkline; a page has a hundred of them.
  private static let sparkPoints = 20

  /// Returns a line without scales, as high as a line of text, for a table row; nil with fewer than two points.
  ///
  /// It is hidden from screen readers, because the table shows the same values as text.
  package static func sparkline(_ points: [ChartDataPoint]) -> SVGDrawing? {
    guard points.count > 1, let statistics = ChartStatistics(line: points), let first = points.first,
      let last = points.last
    else { return nil }
    let axis = PriceAxis(low: statistics.periodLow, high: statistics.periodHigh, most: 1)
    let time = TimeAxis(start: first.timestamp, end: last.timestamp, columns: 1)
    var path = ""
    var place = (x: 0, y: 0)
    // Relative steps in whole units: half as long as coordinates with decimals, without a visible difference.
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

  /// Returns a number of a path; a minus sign separates it from the one before, otherwise a space does.
  private static func step(_ value: Int, after text: String) -> String {
    value < 0 || text.hasSuffix("l") ? "\(value)" : " \(value)"
  }
}
