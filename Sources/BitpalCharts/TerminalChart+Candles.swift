import BitpalModel
import FoundationEssentials

extension TerminalChart {
  /// One column a candle, with gaps between them when there is room.
  func candlePlot(_ series: CandleSeries, isLastOpen: Bool) -> [StyledText] {
    guard let statistics = ChartStatistics(candles: series.candles) else { return [] }
    let last = NumberFormat.price(statistics.endPrice)
    let frame = frame(low: statistics.periodLow, high: statistics.periodHigh, last: [last])
    let slots = CandleSlots(series, most: frame.columns)
    let pitch = min(Self.widestPitch, max(1, frame.columns / slots.count))
    // Few candles do not fill the width; they stand beside the price scale with a little room before them.
    let columns = min(frame.columns, max(slots.count * pitch, Self.narrowestPlot))
    let margin = columns - slots.count * pitch
    func column(_ slot: Int) -> Int { margin + slot * pitch + pitch / 2 }
    var grid = CellGrid(columns: columns, rows: options.height)
    for (slot, candle) in slots.candles {
      let glyph = glyph(candle, frame.axis)
      let role: Role = candle.isGreen ? .rise : .fall
      for row in 0..<grid.rows {
        guard let character = options.ascii ? glyph.ascii(row: row) : glyph.character(row: row) else { continue }
        grid[column(slot), row] = (character, role)
      }
    }
    let time = TimeAxis(start: slots.start, end: slots.end, columns: columns)
    let ticks = time.ticks.compactMap { tick -> (column: Int, label: String)? in
      let slot = Int(tick.instant.since(slots.start).milliseconds / max(1, slots.width.milliseconds))
      return slot < slots.count ? (column(slot), tick.label) : nil
    }
    let role: Role = statistics.isPositive ? .rise : .fall
    var lines = framed(
      grid, frame, last: [(statistics.endPrice, last, role)], ticks: ticks,
      marked: isLastOpen ? column(slots.count - 1) : nil)
    if slots.width != series.width {
      lines.append(StyledText("drawn as \(slots.width.shortText) candles to fit".cut(to: options.width), .quiet))
    }
    return lines
  }

  private static let widestPitch = 4
  private static let narrowestPlot = 24

  private func glyph(_ candle: CandleDataPoint, _ axis: PriceAxis) -> CandleGlyph {
    func half(_ price: Decimal) -> Int {
      Int(((1 - axis.position(price)) * Double(2 * options.height - 1)).rounded())
    }
    return CandleGlyph(
      top: half(candle.high), bottom: half(candle.low), bodyTop: half(max(candle.open, candle.close)),
      bodyBottom: half(min(candle.open, candle.close)), isRise: candle.isGreen, isLevel: candle.open == candle.close)
  }
}
