import BitpalModel
import FoundationEssentials

/// The characters of one candle, in which half a cell is the smallest step of wicks and bodies.
///
/// A rising body is a shaded block, a falling one a full block, so that they differ without colour. A shade has no half,
/// so a rising body fills the cells at its ends. No character joins a block with a thin line: where a wick meets a block
/// within a cell, the block ends in a bar. A block that lies entirely within that cell stays a block: half a cell when
/// its wick ends there, the whole cell when it goes on.
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
    case (.body, .wick) where bodyTop < 2 * row: return "╿"
    case (.wick, .body) where bodyBottom > 2 * row + 1: return "╽"
    case (.body, _) where isRise, (_, .body) where isRise: return "▒"
    case (.body, .body): return "█"
    case (.body, .none): return "▀"
    case (.none, .body): return "▄"
    case (.body, .wick): return bottom == 2 * row + 1 ? "▀" : "█"
    case (.wick, .body): return top == 2 * row ? "▄" : "█"
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

/// The candles side by side in slots, at most as many as fit; a slot stays empty where the source has a gap.
///
/// Months have 28 to 31 days, and a local day of a clock change has 23 or 25 hours, so a slot is counted from the candle
/// before it: the next one for a candle less than one and a half widths later, otherwise as many as the rounded number
/// of widths. Each candle has a slot of its own.
struct CandleSlots {
  /// The candles by time, each with the number of its slot.
  let candles: [(slot: Int, candle: CandleDataPoint)]

  /// The width of the drawn candles.
  let width: Duration

  /// Creates slots.
  ///
  /// - Parameter most: The most slots that fit. Candles are aggregated until they fit.
  init(_ series: CandleSeries, most: Int) {
    let native = max(1, series.width.milliseconds)
    var (placed, step) = (Self.placed(series.candles, native), native)
    let count = Self.count(placed)
    while Self.count(placed) > max(1, most) {
      // The next multiple that could fit; alignment may add one slot, hence the loop.
      step = native * max(step / native + 1, Int64((count + most - 1) / max(1, most)))
      placed = Self.placed(Resampling.aggregate(series.candles, to: .milliseconds(step)), step)
    }
    candles = placed
    width = .milliseconds(step)
  }

  /// The number of slots.
  var count: Int { Self.count(candles) }

  /// The time at which the first slot begins.
  var start: Date { candles.first?.candle.timestamp ?? .distantPast }

  /// The time at which the last slot ends.
  var end: Date { candles.last?.candle.timestamp.adding(width) ?? start }

  /// Returns the slot that begins nearest to an instant; nil before the first one begins and after the last one
  /// ends.
  func slot(nearest instant: Date) -> Int? {
    guard let index = candles.lastIndex(where: { $0.candle.timestamp <= instant }), instant < end else { return nil }
    let (slot, candle) = candles[index]
    let limit = index + 1 < candles.count ? candles[index + 1].slot : slot
    return min(limit, slot + Self.steps(from: candle, to: instant, max(1, width.milliseconds)))
  }

  private static func placed(_ candles: [CandleDataPoint], _ step: Int64) -> [(slot: Int, candle: CandleDataPoint)] {
    var placed: [(slot: Int, candle: CandleDataPoint)] = []
    for candle in candles {
      let slot = placed.last.map { $0.slot + max(1, steps(from: $0.candle, to: candle.timestamp, step)) }
      placed.append((slot ?? 0, candle))
    }
    return placed
  }

  private static func count(_ placed: [(slot: Int, candle: CandleDataPoint)]) -> Int { (placed.last?.slot ?? 0) + 1 }

  /// Returns the rounded number of widths from the beginning of a candle to an instant, at most a million.
  private static func steps(from candle: CandleDataPoint, to instant: Date, _ step: Int64) -> Int {
    let distance = instant.since(candle.timestamp).milliseconds
    return Int(min(1_000_000, (distance + step / 2) / step))
  }
}
