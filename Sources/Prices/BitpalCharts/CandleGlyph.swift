import BitpalModel
import FoundationEssentials

/// The characters of one candle, in which half a cell is the smallest step of wicks and bodies.
///
/// A rising body is a bar, a falling one a block, so that they differ without colour. No character joins a block with a
/// thin line: where a wick meets a block within a cell, the block ends in a bar. A block that lies entirely within that
/// cell stays a block: half a cell when its wick ends there, the whole cell when it goes on.
struct CandleGlyph {
  /// The positions of the highest, the lowest and the ends of the body, in halves of cells from the top.
  let top: Int
  let bottom: Int
  let bodyTop: Int
  let bodyBottom: Int
  let isRise: Bool

  /// Whether open and close are the same price.
  let isLevel: Bool

  /// Returns the character in a row of cells; nil where the candle is not.
  func character(row: Int) -> Character? {
    let upper = part(2 * row)
    let lower = part(2 * row + 1)
    switch (upper, lower) {
    case (.none, .none): return nil
    case (.wick, .wick): return "│"
    case (.wick, .none): return "╵"
    case (.none, .wick): return "╷"
    case (.body, _) where isLevel, (_, .body) where isLevel: return level(above: row)
    case (.body, .body): return isRise ? "┃" : "█"
    case (.body, .none): return isRise ? "╹" : "▀"
    case (.none, .body): return isRise ? "╻" : "▄"
    case (.body, .wick): return isRise || bodyTop < 2 * row ? "╿" : bottom == 2 * row + 1 ? "▀" : "█"
    case (.wick, .body): return isRise || bodyBottom > 2 * row + 1 ? "╽" : top == 2 * row ? "▄" : "█"
    }
  }

  /// Returns the ASCII character in a row of cells: `o` for a rising body, `#` for a falling one; nil where the candle
  /// is not.
  func ascii(row: Int) -> Character? {
    let parts = [part(2 * row), part(2 * row + 1)]
    if parts.contains(.body) { return isLevel ? "-" : isRise ? "o" : "#" }
    return parts.contains(.wick) ? "|" : nil
  }

  private enum Part {
    case none
    case wick
    case body
  }

  private func part(_ half: Int) -> Part {
    half >= bodyTop && half <= bodyBottom ? .body : half >= top && half <= bottom ? .wick : .none
  }

  private func level(above row: Int) -> Character {
    switch (top < bodyTop, bottom > bodyBottom) {
    case (true, true): "┼"
    case (true, false): "┴"
    case (false, true): "┬"
    case (false, false): "─"
    }
  }
}

/// The candles in slots of equal time, at most as many as fit; a slot without a candle stays empty.
struct CandleSlots {
  /// The candles by time, each with the number of its slot.
  let candles: [(slot: Int, candle: CandleDataPoint)]

  /// The number of slots.
  let count: Int

  /// The width of the drawn candles.
  let width: Duration

  /// The time at which the first slot begins.
  let start: Date

  /// Creates slots.
  ///
  /// - Parameter most: The most slots that fit. Candles are aggregated until they fit.
  init(_ series: CandleSeries, most: Int) {
    let native = max(1, series.width.milliseconds)
    var (candles, step) = (series.candles, native)
    while Self.slots(candles, step) > max(1, most) {
      // The next multiple that could fit; alignment may add one slot, hence the loop.
      step = native * max(step / native + 1, Int64((Self.slots(series.candles, native) + most - 1) / max(1, most)))
      candles = Resampling.aggregate(series.candles, to: .milliseconds(step))
    }
    let first = candles.first?.timestamp.milliseconds ?? 0
    start = candles.first?.timestamp ?? .distantPast
    width = .milliseconds(step)
    count = Self.slots(candles, step)
    self.candles = candles.map { (Int(($0.timestamp.milliseconds - first) / step), $0) }
  }

  /// The time at which the last slot ends.
  var end: Date { start.adding(width * count) }

  private static func slots(_ candles: [CandleDataPoint], _ step: Int64) -> Int {
    guard let first = candles.first, let last = candles.last else { return 1 }
    return Int(min(1_000_000, (last.timestamp.milliseconds - first.timestamp.milliseconds) / step)) + 1
  }
}
