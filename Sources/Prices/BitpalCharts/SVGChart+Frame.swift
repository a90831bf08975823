import BitpalModel
import FoundationEssentials

extension SVGChart {
  /// Returns the grid and the labels of both scales.
  ///
  /// - Parameters:
  ///   - tags: The vertical positions of the tags of the price scale; labels that would touch one are omitted.
  ///   - place: Returns the horizontal position of an instant; nil for a uniform time scale.
  func frame(
    _ axis: PriceAxis, _ time: TimeAxis, tags: [Double], place: ((Date) -> Double?)? = nil
  ) -> [String] {
    let lines = axis.ticks.map { tick in
      "<path class=\"grid\" d=\"M\(layout.left),\(SVGText.number(layout.y(tick.value, axis)))H\(layout.right)\"/>"
    }
    // Below this distance a label would touch the tag.
    let labels = axis.ticks(most: layout.labels * 2) { tick in
      !tags.contains { abs($0 - layout.y(tick.value, axis)) < 18 }
    }
    let scale = layout.right + 10
    let rows = labels.map { tick in
      let y = SVGText.number(layout.y(tick.value, axis) + 4.5)
      let squeezed = SVGText.squeezed(9 * tick.label.count, to: layout.labelRoom)
      return "<text class=\"quiet\" x=\"\(scale)\" y=\"\(y)\"\(squeezed)>\(tick.label)</text>"
    }
    let columns = time.ticks.compactMap { tick -> String? in
      let x = place.map { $0(tick.instant) } ?? layout.x(tick.instant, time)
      guard let x, x > Double(layout.left) + 16, x < Double(layout.right) - 8 || time.ticks.count == 1 else {
        return nil
      }
      // A label that would be cut off begins or ends at its position instead of being centred.
      let half = Double(SVGText.width(tick.label)) / 2
      let anchor = x + half > Double(layout.right) + 4 ? "end" : x - half < 2 ? "start" : "middle"
      return "<text class=\"quiet\" text-anchor=\"\(anchor)\" x=\"\(SVGText.number(x))\" y=\"\(layout.bottom + 22)\">"
        + "\(tick.label)</text>"
    }
    let name = SVGText.escaped(SVGText.cut(chart.zoneName, to: layout.width - scale - 2))
    let ends = [(chart.unit, layout.top - 13), (name, layout.bottom + 22)].filter { !$0.0.isEmpty }.map { text, y in
      "<text class=\"quiet\" x=\"\(scale)\" y=\"\(y)\">\(text)</text>"
    }
    return lines + rows + columns + ends
  }

  /// Returns the last price: a line across the plot and a tag on the scale.
  func lastPrice(_ statistics: ChartStatistics, _ axis: PriceAxis, _ kind: String) -> [String] {
    let y = layout.y(statistics.endPrice, axis)
    return ["<path class=\"last \(kind)\" d=\"M\(layout.left),\(SVGText.number(y))H\(layout.right)\"/>"]
      + tag(NumberFormat.price(statistics.endPrice, digits: digits), at: y, "\(kind)-tag")
  }

  /// Returns a number on a coloured background beside the plot.
  func tag(_ text: String, at y: Double, _ kind: String) -> [String] {
    // Nine units per character, which no digit of the bold face exceeds, and a margin.
    let natural = 9 * text.count
    let width = 12 + min(natural, layout.labelRoom)
    let squeezed = SVGText.squeezed(natural, to: layout.labelRoom)
    return [
      "<rect class=\"\(kind)\" x=\"\(layout.right + 4)\" y=\"\(SVGText.number(y - 10))\" width=\"\(width)\" height=\"20\" rx=\"3\"/>",
      "<text class=\"tag\" x=\"\(layout.right + 10)\" y=\"\(SVGText.number(y + 4.5))\"\(squeezed)>\(text)</text>",
    ]
  }

  /// The lines of text below the time scale.
  var foot: [String] {
    layout.foot.enumerated().flatMap { index, items -> [String] in
      let y = layout.footLine(index)
      var x = layout.left
      return items.flatMap { item -> [String] in
        defer { x += item.width }
        let start = item.series == nil ? x : x + 38
        let squeezed = SVGText.squeezed(item.width - 20 - start + x, to: layout.width - layout.left - start)
        let (name, text) = (SVGText.escaped(item.name), SVGText.escaped(item.text))
        guard let series = item.series else {
          return ["<text x=\"\(x)\" y=\"\(y)\"\(squeezed)><tspan class=\"quiet\">\(name)</tspan> \(text)</text>"]
        }
        return [
          "<path class=\"stroke s\(series % 6)\" d=\"M\(x),\(y - 5)h30\"/>",
          "<text x=\"\(start)\" y=\"\(y)\"\(squeezed)>\(name) \(text)</text>",
        ]
      }
    }
  }
}
