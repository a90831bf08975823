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
