/// A grid of dots, two by four per cell, which Braille characters show.
struct DotGrid {
  /// The number of dots across: two per cell.
  let width: Int

  /// The number of dots down: four per cell.
  let height: Int
  private var masks: [UInt8]
  private let columns: Int

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    width = 2 * self.columns
    height = 4 * max(1, rows)
    masks = Array(repeating: 0, count: self.columns * max(1, rows))
  }

  /// Sets a dot; one outside the grid is ignored.
  mutating func set(_ x: Int, _ y: Int) {
    guard x >= 0, x < width, y >= 0, y < height else { return }
    masks[y / 4 * columns + x / 2] |= Self.bits[y % 4][x % 2]
  }

  /// A dash pattern for the dots of a line: alternating lengths on and off, repeated.
  struct Pen {
    private let dashes: [Int]
    private let period: Int
    private var travelled = 0

    /// Creates a pen.
    ///
    /// - Parameter dashes: Alternating lengths on and off; empty for a solid line.
    init(on dashes: [Int] = []) {
      self.dashes = dashes
      period = dashes.reduce(0, +)
    }

    /// Returns whether the next dot is set, and advances the pen.
    mutating func next() -> Bool {
      guard period > 0 else { return true }
      var place = travelled % period
      travelled += 1
      for (index, length) in dashes.enumerated() {
        if place < length { return index % 2 == 0 }
        place -= length
      }
      return true
    }
  }

  /// Draws a straight line of dots.
  mutating func line(from: (x: Int, y: Int), to: (x: Int, y: Int), with pen: inout Pen) {
    let steps = max(abs(to.x - from.x), abs(to.y - from.y))
    // The first dot is the last one of the line before.
    for step in (steps == 0 ? 0 : 1)...max(steps, 0) where pen.next() {
      let part = steps == 0 ? 0 : Double(step) / Double(steps)
      set(
        from.x + Int((Double(to.x - from.x) * part).rounded()), from.y + Int((Double(to.y - from.y) * part).rounded()))
    }
  }

  /// Returns the Braille character of a cell; nil when it has no dot.
  func character(_ column: Int, _ row: Int) -> Character? {
    let mask = masks[row * columns + column]
    guard mask != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(mask)) else { return nil }
    return Character(scalar)
  }

  /// The dots' bits in Unicode's Braille block, by row and column.
  private static let bits: [[UInt8]] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]]
}

/// The characters of a plot, row by row from the top.
struct CellGrid {
  let columns: Int
  let rows: Int
  private var cells: [(character: Character, role: Role?)]

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    cells = Array(repeating: (" ", nil), count: self.columns * self.rows)
  }

  /// The cell at a position; writing outside the grid has no effect.
  subscript(column: Int, row: Int) -> (character: Character, role: Role?) {
    get { contains(column, row) ? cells[row * columns + column] : (" ", nil) }
    set { if contains(column, row) { cells[row * columns + column] = newValue } }
  }

  /// Returns a row as text, with neighbouring cells of one role joined.
  func line(_ row: Int) -> StyledText {
    var text = StyledText()
    for column in 0..<columns {
      let cell = self[column, row]
      text.append(String(cell.character), cell.role)
    }
    return text
  }

  private func contains(_ column: Int, _ row: Int) -> Bool {
    column >= 0 && column < columns && row >= 0 && row < rows
  }
}
