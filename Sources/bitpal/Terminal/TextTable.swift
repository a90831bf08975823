import BitpalModel
import FoundationEssentials

/// Aligned columns: a header and rows, two spaces between columns, nothing after the last.
struct TextTable: Sendable {
  /// A column: its title and which side its cells keep to.
  struct Column: Sendable {
    enum Alignment: Sendable {
      case left

      /// Numbers.
      case right
    }

    let title: String
    let alignment: Alignment

    /// Wider cells are cut with `…`.
    let widest: Int

    init(_ title: String, _ alignment: Alignment = .left, widest: Int = 80) {
      self.title = title
      self.alignment = alignment
      self.widest = widest
    }
  }

  /// A cell: its text, made safe to print, and its colour.
  struct Cell: Sendable, ExpressibleByStringLiteral {
    let text: String

    /// Nil for the terminal's own colour.
    let role: Style.Role?

    init(_ text: String, _ role: Style.Role? = nil) {
      self.text = text.printable()
      self.role = role
    }

    init(stringLiteral value: String) {
      self.init(value)
    }

    /// A change in percent with its colour, as it is rounded: what reads 0.00% is neither; a dash when nobody says.
    static func change(_ percent: Decimal?) -> Cell {
      guard let percent else { return "-" }
      let text = NumberFormat.percent(percent)
      return Cell(text, text.hasPrefix("+") ? .good : text.hasPrefix("-") ? .bad : nil)
    }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; cells beyond the last column are not shown, missing ones are empty.
  mutating func add(_ row: [Cell]) {
    rows.append(row)
  }

  /// The table with a line end after every line; without a header when no column has a title.
  func text(style: Style) -> String {
    let header = columns.map { Cell($0.title, .heading) }
    let hasHeader = columns.contains { !$0.title.isEmpty }
    let lines = (hasHeader ? [header] : []) + rows
    let cells = lines.map { row in
      columns.enumerated().map { index, column in
        let cell = index < row.count ? row[index] : ""
        return (text: cell.text.truncated(toWidth: column.widest), role: cell.role)
      }
    }
    let widths = columns.indices.map { index in cells.map { $0[index].text.displayWidth }.max() ?? 0 }
    var text = ""
    for row in cells {
      // Spaces are kept back until something follows them, so that no line ends in any.
      var pending = 0
      for (index, cell) in row.enumerated() {
        let space = widths[index] - cell.text.displayWidth
        let isRight = columns[index].alignment == .right
        if isRight { pending += space }
        if !cell.text.isEmpty {
          text += String(repeating: " ", count: pending) + (cell.role.map { style(cell.text, $0) } ?? cell.text)
          pending = 0
        }
        pending += (isRight ? 0 : space) + 2
      }
      text += "\n"
    }
    return text
  }
}
