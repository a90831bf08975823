import BitpalModel
import FoundationEssentials

extension SVGChart {
  /// Candles: hollow ones rise, filled ones fall, and the one still open is dashed.
  func candles(_ series: CandleSeries, isLastOpen: Bool) -> [String] {
    guard let statistics = ChartStatistics(candles: series.candles) else { return [] }
    let axis = PriceAxis(low: statistics.periodLow, high: statistics.periodHigh, most: 6)
    let slots = CandleSlots(series, most: Self.candlesAtMost)
    let pitch = min(Self.widestPitch, Double(Self.right - Self.left) / Double(slots.count))
    // Few candles stand beside the price scale.
    let start = Double(Self.right) - pitch * Double(slots.count)
    let width = max(1, pitch * 0.7)
    func x(_ slot: Int) -> Double { start + (Double(slot) + 0.5) * pitch }
    let columns = Int(pitch * Double(slots.count)) / 10
    let time = TimeAxis(start: slots.start, end: slots.end, columns: columns)
    var body = frame(axis, time, tags: [Self.y(statistics.endPrice, axis)]) { instant in
      let slot = Int(instant.since(slots.start).milliseconds / max(1, slots.width.milliseconds))
      return slot < slots.count ? x(slot) : nil
    }
    for (slot, candle) in slots.candles {
      let isOpen = isLastOpen && slot == slots.count - 1
      let kind = (candle.isGreen ? "up" : "down") + (isOpen ? " open" : "")
      let (top, bottom) = (Self.y(candle.high, axis), Self.y(candle.low, axis))
      let bodyTop = Self.y(max(candle.open, candle.close), axis)
      let bodyBottom = Self.y(min(candle.open, candle.close), axis)
      let (center, left) = (SVGText.number(x(slot)), SVGText.number(x(slot) - width / 2))
      let height = max(1, bodyBottom - bodyTop)
      body.append(
        "<path class=\"\(kind)\" d=\"M\(center),\(SVGText.number(top))V\(SVGText.number(bodyTop))"
          + "M\(center),\(SVGText.number(bodyBottom))V\(SVGText.number(bottom))"
          + "M\(left),\(SVGText.number(bodyTop))h\(SVGText.number(width))v\(SVGText.number(height))"
          + "h-\(SVGText.number(width))Z\"/>")
    }
    let kind = statistics.isPositive ? "rise" : "fall"
    var notes = self.statistics(statistics)
    if slots.width != series.width {
      let note = "drawn as \(slots.width.shortText) candles to fit"
      notes.append("<text class=\"quiet\" text-anchor=\"end\" x=\"\(Self.right)\" y=\"56\">\(note)</text>")
    }
    return body + lastPrice(statistics, axis, kind) + notes
  }

  private static let candlesAtMost = 206
  private static let widestPitch = 28.0
}
