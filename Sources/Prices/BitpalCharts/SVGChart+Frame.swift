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
    let rows =
      lines
      + labels.map { tick in
        let y = SVGText.number(layout.y(tick.value, axis) + 4.5)
        return "<text class=\"quiet\" x=\"\(layout.right + 10)\" y=\"\(y)\">\(tick.label)</text>"
      }
    let columns = time.ticks.compactMap { tick -> String? in
      let x = place.map { $0(tick.instant) } ?? layout.x(tick.instant, time)
      guard let x, x > Double(layout.left) + 16, x < Double(layout.right) - 8 || time.ticks.count == 1 else {
        return nil
      }
      // The last label would be cut by the price scale, so it ends at its position instead of being centred.
      let anchor = x > Double(layout.right) - 24 ? "end" : "middle"
      return "<text class=\"quiet\" text-anchor=\"\(anchor)\" x=\"\(SVGText.number(x))\" y=\"\(layout.bottom + 22)\">"
        + "\(tick.label)</text>"
    }
    // The time zone of the labels is named by its city.
    let zone = chart.zone.name.split(separator: "/").last.map { String($0.replacing("_", with: " ")) } ?? ""
    let name = SVGText.escaped(zone.cut(to: max(3, (layout.width - layout.right - 14) / 8)))
    return rows + columns + [
      "<text class=\"quiet\" x=\"\(layout.right + 10)\" y=\"\(layout.bottom + 22)\">\(name)</text>"
    ]
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
    let width = 12 + 9 * text.count
    return [
      "<rect class=\"\(kind)\" x=\"\(layout.right + 4)\" y=\"\(SVGText.number(y - 10))\" width=\"\(width)\" height=\"20\" rx=\"3\"/>",
      "<text class=\"tag\" x=\"\(layout.right + 10)\" y=\"\(SVGText.number(y + 4.5))\">\(text)</text>",
    ]
  }

  /// The lines of text below the time scale.
  var foot: [String] {
    layout.foot.enumerated().flatMap { index, items -> [String] in
      let y = layout.footLine(index)
      var x = layout.left
      return items.flatMap { item -> [String] in
        defer { x += item.width }
        let name = item.name.isEmpty ? "" : "<tspan class=\"quiet\">\(SVGText.escaped(item.name))</tspan> "
        let text = name + SVGText.escaped(item.text)
        guard let series = item.series else { return ["<text x=\"\(x)\" y=\"\(y)\">\(text)</text>"] }
        return [
          "<path class=\"stroke s\(series % 6)\" d=\"M\(x),\(y - 5)h30\"/>",
          "<text x=\"\(x + 38)\" y=\"\(y)\">\(text)</text>",
        ]
      }
    }
  }
}

/// The conversion of text and numbers for SVG.
enum SVGText {
  /// Returns the text without control characters, and with the reserved characters of XML as entities.
  static func escaped(_ text: String) -> String {
    XMLText.escaped(text.printable(limit: 400), quotes: true)
  }

  /// Returns a coordinate with at most one decimal.
  static func number(_ value: Double) -> String {
    // A tenth of a unit is invisible on a screen; more digits would only enlarge the file.
    guard value.isFinite, abs(value) < 1_000_000 else { return "0" }
    let tenths = Int((value * 10).rounded())
    let sign = tenths < 0 ? "-" : ""
    let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
    return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest)"
  }

  /// Returns the statistics of a chart with their names.
  static func statistics(_ statistics: ChartStatistics, digits: Int?) -> [(name: String, value: String)] {
    func price(_ value: Decimal) -> String { NumberFormat.price(value, digits: digits) }
    return [
      ("open", price(statistics.startPrice)), ("high", price(statistics.periodHigh)),
      ("low", price(statistics.periodLow)), ("close", price(statistics.endPrice)),
      (
        "change",
        NumberFormat.priceChange(statistics.priceChange, digits: digits)
          + (statistics.percentageChange.map { " (" + NumberFormat.finePercent($0) + ")" } ?? "")
      ),
    ]
  }
}
