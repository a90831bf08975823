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

  /// The cell at a place; what is written outside the grid is dropped.
  subscript(column: Int, row: Int) -> (character: Character, role: Role?) {
    get { contains(column, row) ? cells[row * columns + column] : (" ", nil) }
    set { if contains(column, row) { cells[row * columns + column] = newValue } }
  }

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
