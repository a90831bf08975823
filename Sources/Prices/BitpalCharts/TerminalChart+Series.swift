import BitpalModel
import FoundationEssentials

extension TerminalChart {
  /// Returns the rows of one line, with the area under it shaded where there is colour.
  func linePlot(_ points: [ChartDataPoint]) -> [StyledText] {
    guard let statistics = ChartStatistics(line: points) else { return [] }
    let role: Role = statistics.isPositive ? .rise : .fall
    let last = NumberFormat.price(statistics.endPrice, digits: digits)
    let frame = frame(low: statistics.periodLow, high: statistics.periodHigh, last: [last])
    let line = DrawnLine(points, count: 2 * frame.columns) { $0 }
    let time = timeAxis([line], columns: frame.columns)
    var grid = CellGrid(columns: frame.columns, rows: options.height)
    draw(line, index: 0, role: role, frame: frame, time: time, into: &grid)
    // Without colour the area could not be distinguished from the line above it.
    if options.color, !options.ascii { shade(&grid, statistics.isPositive ? .riseArea : .fallArea) }
    return framed(grid, frame, last: [(statistics.endPrice, last, role)], ticks: ticks(time, frame.columns))
  }

  /// The rows of several lines on one scale; nil when none of them has anything to be drawn.
  var severalLines: [StyledText]? {
    guard let drawn = DrawnLines(chart, count: options.width) else { return nil }
    let (unit, low, high) = (drawn.unit, drawn.low, drawn.high)
    let marks = drawn.lines.enumerated().compactMap { index, line in
      line.last.map {
        (value: $0, label: unit.label($0, digits: digits), role: Role?.some(.series(index)))
      }
    }
    let frame = frame(low: low, high: high, last: marks.map(\.label), unit: unit)
    let time = timeAxis(drawn.lines, columns: frame.columns)
    var grid = CellGrid(columns: frame.columns, rows: options.height)
    let zero = row(0, frame.axis)
    if low < 0, high > 0 {
      for column in 0..<grid.columns { grid[column, zero] = (options.ascii ? "." : "┄", .quiet) }
    }
    // The first line is drawn last, over the others.
    for (index, line) in drawn.lines.enumerated().reversed() {
      draw(line, index: index, role: .series(index), frame: frame, time: time, into: &grid)
    }
    return framed(grid, frame, last: marks, ticks: ticks(time, frame.columns))
  }

  private func timeAxis(_ lines: [DrawnLine], columns: Int) -> TimeAxis {
    let firsts = lines.compactMap { $0.runs.first?.first?.timestamp }
    let lasts = lines.compactMap { $0.runs.last?.last?.timestamp }
    let start = firsts.min() ?? .distantPast
    let end = lasts.max() ?? start
    // A single point is drawn in the middle; in a window it would be at the edge.
    guard let window = chart.window, start < end, window.start <= start, window.end >= end else {
      return TimeAxis(start: start, end: end, columns: columns, zone: chart.zone)
    }
    return TimeAxis(start: window.start, end: window.end, columns: columns, zone: chart.zone)
  }

  private func ticks(_ time: TimeAxis, _ columns: Int) -> [(column: Int, label: String)] {
    time.ticks.map { (Int((time.position($0.instant) * Double(2 * columns - 1)).rounded()) / 2, $0.label) }
  }

  private func draw(
    _ line: DrawnLine, index: Int, role: Role, frame: Frame, time: TimeAxis, into grid: inout CellGrid
  ) {
    if options.ascii {
      drawASCII(line, index: index, role: role, frame: frame, time: time, into: &grid)
      return
    }
    var dots = DotGrid(columns: grid.columns, rows: grid.rows)
    var pen = Self.pens[index % Self.pens.count]
    for run in line.runs {
      let places = run.map { point in
        (
          x: Int((time.position(point.timestamp) * Double(dots.width - 1)).rounded()),
          y: Int(((1 - frame.axis.position(point.price)) * Double(dots.height - 1)).rounded())
        )
      }
      if let first = places.first { dots.set(first.x, first.y) }
      for (from, to) in zip(places, places.dropFirst()) { dots.line(from: from, to: to, with: &pen) }
    }
    for row in 0..<grid.rows {
      for column in 0..<grid.columns {
        if let character = dots.character(column, row) { grid[column, row] = (character, role) }
      }
    }
  }

  /// The dashes of the first to the sixth line: solid, long, dotted, long and short, widely spaced, two short and a
  /// gap.
  private static let pens = [
    DotGrid.Pen(), DotGrid.Pen(on: [6, 3]), DotGrid.Pen(on: [2, 2]), DotGrid.Pen(on: [8, 2, 2, 2]),
    DotGrid.Pen(on: [6, 8]), DotGrid.Pen(on: [1, 2, 1, 6]),
  ]

  /// Fills the cells below the line, down to the bottom.
  private func shade(_ grid: inout CellGrid, _ role: Role) {
    for column in 0..<grid.columns {
      guard let lowest = (0..<grid.rows).last(where: { grid[column, $0].character != " " }) else { continue }
      for row in (lowest + 1)..<max(grid.rows, lowest + 1) { grid[column, row] = ("░", role) }
    }
  }

  /// Draws a character per column: at the height of the line in its row, or a bar over the rows that it crosses.
  private func drawASCII(
    _ line: DrawnLine, index: Int, role: Role, frame: Frame, time: TimeAxis, into grid: inout CellGrid
  ) {
    let isCompared = !line.name.isEmpty
    let mark: Character = ["*", "o", "x", "+", "#", "@"][index % 6]
    for run in line.runs {
      var previous: (x: Int, y: Double)?
      for point in run {
        let x = Int((time.position(point.timestamp) * Double(grid.columns - 1)).rounded())
        let y = (1 - frame.axis.position(point.price)) * (Double(grid.rows) - 0.001)
        let from = previous ?? (x, y)
        for column in from.x...max(from.x, x) {
          let part = x > from.x ? Double(column - from.x) / Double(x - from.x) : 1
          let next = x > from.x ? Double(column + 1 - from.x) / Double(x - from.x) : 1
          let (here, there) = (from.y + (y - from.y) * part, from.y + (y - from.y) * min(1, next))
          let (top, bottom) = x > from.x ? (min(here, there), max(here, there)) : (min(from.y, y), max(from.y, y))
          for row in Int(top)...Int(bottom) {
            let character: Character =
              isCompared ? mark : Int(top) < Int(bottom) ? "|" : ["'", "-", "."][min(2, Int((here - Double(row)) * 3))]
            if isCompared || grid[column, row].character != "|" { grid[column, row] = (character, role) }
          }
        }
        previous = (x, y)
      }
    }
  }
}

extension TerminalChart {
  /// Returns the rows of candles: one column per candle, with gaps between them when there is room.
  func candlePlot(_ series: CandleSeries, isLastOpen: Bool) -> [StyledText] {
    guard let statistics = ChartStatistics(candles: series.candles) else { return [] }
    let last = NumberFormat.price(statistics.endPrice, digits: digits)
    let frame = frame(low: statistics.periodLow, high: statistics.periodHigh, last: [last])
    let slots = CandleSlots(series, most: frame.columns)
    let pitch = min(Self.widestPitch, max(1, frame.columns / slots.count))
    // A few candles do not fill the width; they are placed beside the price scale with some room before them.
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
    let time = TimeAxis(start: slots.start, end: slots.end, columns: columns, zone: chart.zone)
    let ticks = time.ticks.compactMap { tick in slots.slot(nearest: tick.instant).map { (column($0), tick.label) } }
    // The last price is the close of the last candle, so it has that candle's colour.
    let role: Role = slots.candles.last?.candle.isGreen == false ? .fall : .rise
    var lines = framed(
      grid, frame, last: [(statistics.endPrice, last, role)], ticks: ticks,
      marked: isLastOpen ? column(slots.count - 1) : nil)
    if slots.width != series.width {
      lines.append(StyledText("drawn as \(slots.width.shortText) candles to fit".cut(to: options.width), .quiet))
    }
    return lines
  }

  /// The largest distance between candles: farther apart, they would not be read as one movement.
  private static let widestPitch = 4
  /// The narrowest plot, which the labels of the time scale need even for a few candles.
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
