import BitpalModel
import FoundationEssentials

extension SVGChart {
  /// Returns the elements of one line with the area under it; empty without points.
  func line(_ points: [ChartDataPoint]) -> [String] {
    guard let statistics = ChartStatistics(line: points) else { return [] }
    let (drawn, axis, time) = scaled(points, statistics)
    let kind = statistics.isPositive ? "rise" : "fall"
    var body = frame(axis, time, tags: [layout.y(statistics.endPrice, axis)])
    for run in drawn.runs {
      guard let first = run.first, let last = run.last else { continue }
      let path = self.path(run, axis, time)
      let (left, right) = (
        SVGText.number(layout.x(first.timestamp, time)), SVGText.number(layout.x(last.timestamp, time))
      )
      if run.count > 1 {
        body.append("<path class=\"\(kind)-area\" d=\"\(path)L\(right),\(layout.bottom)L\(left),\(layout.bottom)Z\"/>")
        body.append("<path class=\"stroke \(kind)\" d=\"\(path)\"/>")
      } else {
        body.append(dot(first, axis, time, "\(kind)-tag"))
      }
    }
    return body + lastPrice(statistics, axis, kind) + foot
  }

  /// Returns one line reduced for drawing, and its scales.
  func scaled(
    _ points: [ChartDataPoint], _ statistics: ChartStatistics
  ) -> (drawn: DrawnLine, axis: PriceAxis, time: TimeAxis) {
    let drawn = DrawnLine(points, count: Self.pointsAtMost) { $0 }
    let axis = PriceAxis(low: statistics.periodLow, high: statistics.periodHigh, most: layout.labels)
    return (drawn, axis, timeAxis([drawn]))
  }

  /// Returns several lines reduced for drawing, and their scales; nil when none of them has anything to be drawn.
  func scaledLines() -> (drawn: DrawnLines, axis: PriceAxis, time: TimeAxis)? {
    guard let drawn = DrawnLines(chart, count: Self.pointsAtMost) else { return nil }
    let axis = PriceAxis(low: drawn.low, high: drawn.high, most: layout.labels, unit: drawn.unit)
    return (drawn, axis, timeAxis(drawn.lines))
  }

  /// The elements of several lines on one scale; nil when none of them has anything to be drawn.
  var severalLines: [String]? {
    guard let (drawn, axis, time) = scaledLines() else { return nil }
    let (low, high) = (axis.low, axis.high)
    let ends = ends(drawn, axis)
    var body = frame(axis, time, tags: ends.map(\.y))
    if low < 0, high > 0 {
      let y = SVGText.number(layout.y(0, axis))
      body.append("<path class=\"grid zero\" d=\"M\(layout.left),\(y)H\(layout.right)\"/>")
    }
    // The first line is drawn last, over the others.
    for (index, line) in drawn.lines.enumerated().reversed() {
      for run in line.runs {
        if let only = run.first, run.count == 1 {
          body.append(dot(only, axis, time, "t\(index % 6)"))
        } else if !run.isEmpty {
          body.append("<path class=\"stroke s\(index % 6)\" d=\"\(path(run, axis, time))\"/>")
        }
      }
    }
    return body + ends.flatMap { tag($0.label, at: $0.y, $0.kind) } + foot
  }

  /// The most drawn points, about 20 months of days; more could not be distinguished.
  private static let pointsAtMost = 600

  private func timeAxis(_ lines: [DrawnLine]) -> TimeAxis {
    let start = lines.compactMap { $0.runs.first?.first?.timestamp }.min() ?? .distantPast
    let end = lines.compactMap { $0.runs.last?.last?.timestamp }.max() ?? start
    return TimeAxis(start: start, end: end, columns: layout.columns, zone: chart.zone)
  }

  private func path(_ run: [ChartDataPoint], _ axis: PriceAxis, _ time: TimeAxis) -> String {
    run.enumerated().map { index, point in
      "\(index == 0 ? "M" : "L")\(SVGText.number(layout.x(point.timestamp, time))),\(SVGText.number(layout.y(point.price, axis)))"
    }.joined()
  }

  private func dot(_ point: ChartDataPoint, _ axis: PriceAxis, _ time: TimeAxis, _ kind: String) -> String {
    let (x, y) = (SVGText.number(layout.x(point.timestamp, time)), SVGText.number(layout.y(point.price, axis)))
    return "<circle class=\"\(kind)\" cx=\"\(x)\" cy=\"\(y)\" r=\"3\"/>"
  }

  /// Returns the last value of each line beside its end, moved apart where they would overlap.
  private func ends(_ drawn: DrawnLines, _ axis: PriceAxis) -> [(y: Double, label: String, kind: String)] {
    // The first lines have tags where those of all lack room.
    let ends = drawn.lines.enumerated().compactMap { index, line in line.last.map { (index, $0, layout.y($0, axis)) } }
      .prefix(layout.tags).sorted { $0.2 < $1.2 }
    // From the top each tag moves below the one above, then from the bottom above the one below.
    let spacing = Double(SVGLayout.tagSpacing)
    var places: [Double] = []
    for end in ends { places.append(max(end.2, (places.last ?? -.infinity) + spacing)) }
    var limit = Double(layout.bottom)
    for index in places.indices.reversed() {
      places[index] = min(places[index], limit)
      limit = places[index] - spacing
    }
    return zip(ends, places).map { end, place in (place, drawn.unit.label(end.1, digits: digits), "t\(end.0 % 6)") }
  }
}

extension SVGChart {
  /// The positions of candles, each in a slot of the same width.
  struct CandlePlaces {
    let slots: CandleSlots
    let axis: PriceAxis

    /// The distance from one candle to the next.
    let pitch: Double

    /// The width of a body.
    let width: Double
    private let start: Double

    init(_ slots: CandleSlots, _ axis: PriceAxis, _ layout: SVGLayout) {
      self.slots = slots
      self.axis = axis
      pitch = min(SVGChart.widestPitch, Double(layout.right - layout.left) / Double(slots.count))
      // A few candles are placed beside the price scale.
      start = Double(layout.right) - pitch * Double(slots.count)
      width = max(1, pitch * 0.7)
    }

    func x(_ slot: Int) -> Double { start + (Double(slot) + 0.5) * pitch }
  }

  func places(_ series: CandleSeries, _ statistics: ChartStatistics) -> CandlePlaces {
    CandlePlaces(
      CandleSlots(series, most: Chart.candlesAtMost),
      PriceAxis(low: statistics.periodLow, high: statistics.periodHigh, most: layout.labels), layout)
  }

  /// Returns the elements of candles: rising ones are hollow, falling ones filled, and one still open is dashed.
  func candles(_ series: CandleSeries, isLastOpen: Bool) -> [String] {
    guard let statistics = ChartStatistics(candles: series.candles) else { return [] }
    let places = places(series, statistics)
    let (slots, axis, width) = (places.slots, places.axis, places.width)
    let columns = Int(places.pitch * Double(slots.count)) / 10
    let time = TimeAxis(start: slots.start, end: slots.end, columns: columns, zone: chart.zone)
    var body = frame(axis, time, tags: [layout.y(statistics.endPrice, axis)]) {
      slots.slot(nearest: $0).map(places.x)
    }
    for (slot, candle) in slots.candles {
      let isOpen = isLastOpen && slot == slots.count - 1
      let kind = (candle.isGreen ? "up" : "down") + (isOpen ? " open" : "")
      let (top, bottom) = (layout.y(candle.high, axis), layout.y(candle.low, axis))
      let bodyTop = layout.y(max(candle.open, candle.close), axis)
      let bodyBottom = layout.y(min(candle.open, candle.close), axis)
      let (center, left) = (SVGText.number(places.x(slot)), SVGText.number(places.x(slot) - width / 2))
      // A candle with equal open and close is still visible as a line.
      let height = max(1, bodyBottom - bodyTop)
      body.append(
        "<path class=\"\(kind)\" d=\"M\(center),\(SVGText.number(top))V\(SVGText.number(bodyTop))"
          + "M\(center),\(SVGText.number(bodyBottom))V\(SVGText.number(bottom))"
          + "M\(left),\(SVGText.number(bodyTop))h\(SVGText.number(width))v\(SVGText.number(height))"
          + "h-\(SVGText.number(width))Z\"/>")
    }
    // The last price is the close of the last candle, so it has that candle's colour.
    let kind = slots.candles.last?.candle.isGreen == false ? "fall" : "rise"
    var notes = foot
    if layout.head.isEmpty, let note = chart.drawnNote {
      notes.append(
        "<text class=\"quiet\" text-anchor=\"end\" x=\"\(layout.right)\" y=\"\(layout.top - 10)\">\(note)</text>")
    }
    return body + lastPrice(statistics, axis, kind) + notes
  }

  /// The widest slot: in wider ones a few candles would look like blocks.
  fileprivate static let widestPitch = 28.0
}
