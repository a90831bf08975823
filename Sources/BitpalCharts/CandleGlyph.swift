import BitpalModel
import FoundationEssentials

/// The characters of one candle: half a cell is the smallest step of wicks and bodies.
///
/// A rising body is a bar, a falling one a block, so that they differ without colour. No character joins a block with a thin
/// line: where a wick meets a block within a cell, the block ends in a bar. A block that is all in that cell stays a block,
/// for half the cell when its wick ends there, for the whole when it goes on.
struct CandleGlyph {
  /// Halves of cells from the top, of the highest, the lowest and the ends of the body.
  let top: Int
  let bottom: Int
  let bodyTop: Int
  let bodyBottom: Int
  let isRise: Bool

  /// Whether open and close are the same price.
  let isLevel: Bool

  /// The character in a row of cells; nil where there is nothing of the candle.
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

  /// The same in ASCII: `o` for a rising body, `#` for a falling one.
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

/// Candles put into slots of equal time, as many as fit; a slot without a candle stays empty.
struct CandleSlots {
  /// By time, with the number of the slot of each.
  let candles: [(slot: Int, candle: CandleDataPoint)]

  /// How many slots there are.
  let count: Int

  /// The width of what is drawn.
  let width: Duration

  /// When the first slot begins.
  let start: Date

  /// - Parameter most: The most slots there is room for. Candles are put together until they fit.
  init(_ series: CandleSeries, most: Int) {
    let native = max(1, series.width.milliseconds)
    var (candles, step) = (series.candles, native)
    while Self.slots(candles, step) > max(1, most) {
      // The next multiple that could fit; the grid can take one slot more, hence the loop.
      step = native * max(step / native + 1, Int64((Self.slots(series.candles, native) + most - 1) / max(1, most)))
      candles = Resampling.aggregate(series.candles, to: .milliseconds(step))
    }
    let first = candles.first?.timestamp.milliseconds ?? 0
    start = candles.first?.timestamp ?? .distantPast
    width = .milliseconds(step)
    count = Self.slots(candles, step)
    self.candles = candles.map { (Int(($0.timestamp.milliseconds - first) / step), $0) }
  }

  /// When the last slot ends.
  var end: Date { start.adding(width * count) }

  private static func slots(_ candles: [CandleDataPoint], _ step: Int64) -> Int {
    guard let first = candles.first, let last = candles.last else { return 1 }
    return Int(min(1_000_000, (last.timestamp.milliseconds - first.timestamp.milliseconds) / step)) + 1
  }
}
