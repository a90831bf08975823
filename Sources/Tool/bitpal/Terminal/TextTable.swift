import BitpalModel
import FoundationEssentials

/// A table of aligned columns: a header and rows, two spaces between columns, nothing after the last.
///
/// Without a terminal a table is complete. In a terminal its columns shrink as far as they may. If that is not enough,
/// they are dropped in the order that the view states.
struct TextTable: Sendable {
  /// A column, with its title, alignment and rules for a narrow terminal.
  struct Column: Sendable {
    enum Alignment: Sendable {
      case left

      /// The alignment of numbers.
      case right

      /// The alignment of amounts of money: at the decimal mark.
      case point
    }

    let title: String
    let alignment: Alignment

    /// The largest width in columns; wider cells are cut with `…`.
    let widest: Int

    /// The smallest width in columns to which a terminal may cut cells with `…`.
    ///
    /// It is nil for numbers, which must never be cut: a number that is cut is another number.
    let narrowest: Int?

    /// Whether cells are broken into several lines and not cut; for the last column only.
    let wraps: Bool

    /// The place in the order in which columns are dropped, beginning with 1; nil for a column that is never dropped.
    let drops: Int?

    init(
      _ title: String, _ alignment: Alignment = .left, widest: Int = 80, narrowest: Int? = nil, wraps: Bool = false,
      drops: Int? = nil
    ) {
      self.title = title
      self.alignment = alignment
      self.widest = widest
      self.narrowest = wraps ? narrowest ?? 20 : narrowest
      self.wraps = wraps
      self.drops = drops
    }
  }

  /// A cell with its text, made safe to print, and its colour.
  struct Cell: Sendable, ExpressibleByStringLiteral {
    let text: String

    /// The role that decides the colour; nil for the terminal's own colour.
    let role: Style.Role?

    init(_ text: String, _ role: Style.Role? = nil) {
      self.text = text.printable()
      self.role = role
    }

    init(stringLiteral value: String) {
      self.init(value)
    }

    /// Returns a change, in percent by default, in the colour of the sign that is shown; a dash for nil.
    static func change(_ value: Decimal?, as format: (Decimal) -> String = { NumberFormat.percent($0) }) -> Cell {
      value.map(format).map { Cell($0, .change($0)) } ?? "-"
    }

    /// Returns a gain or a loss of money with its sign and colour; a dash for nil.
    static func gain(_ amount: Decimal?, scale: Int? = nil, beside value: Decimal? = nil) -> Cell {
      change(NumberFormat.gain(amount, beside: value)) { NumberFormat.signedAmount($0, scale: scale) }
    }

    /// The width of the decimal mark and of what follows it; nil for a text that is not a number.
    fileprivate var fraction: Int? {
      guard let last = text.last, last.isNumber else { return nil }
      return text.firstRange(of: NumberFormat.marks.decimal).map { text[$0.lowerBound...].count } ?? 0
    }
  }

  private let columns: [Column]
  private var rows: [[Cell]] = []

  init(_ columns: [Column]) {
    self.columns = columns
  }

  /// Adds a row; cells beyond the last column are not shown, and missing ones are empty.
  mutating func add(_ row: [Cell]) {
    rows.append(row)
  }

  /// Returns the table with a line end after every line, and without a header when no column has a title.
  func text(style: Style) -> String {
    let hasHeader = columns.contains { !$0.title.isEmpty }
    let cells = (hasHeader ? [columns.map { Cell($0.title, .heading) }] : []) + rows
    let fractions = columns.enumerated().map { index, column in
      column.alignment == .point ? rows.map { index < $0.count ? $0[index].fraction ?? 0 : 0 }.max() ?? 0 : 0
    }
    func padding(_ cell: Cell, _ index: Int) -> Int { cell.fraction.map { max(0, fractions[index] - $0) } ?? 0 }
    let natural = columns.enumerated().map { index, column in
      cells.map { row in
        index < row.count ? min(row[index].text.displayWidth, column.widest) + padding(row[index], index) : 0
      }.max() ?? 0
    }
    let widths = TableLayout(columns, natural: natural, width: style.width).widths
    return cells.map { row in
      line(row, widths, row.indices.map { $0 < columns.count ? padding(row[$0], $0) : 0 }, style)
    }.joined()
  }

  /// Returns the lines of a row: one, or as many as its longest wrapped cell needs.
  ///
  /// - Parameter padding: The numbers of spaces after cells that are aligned at the decimal mark.
  private func line(_ row: [Cell], _ widths: [Int?], _ padding: [Int], _ style: Style) -> String {
    var text = ""
    var rest: [Int: [String]] = [:]
    // Spaces are held back until text follows them, so that no line ends with spaces.
    var pending = 0
    func put(_ part: String, _ role: Style.Role?) {
      text += String(repeating: " ", count: pending) + (role.map { style(part, $0) } ?? part)
      pending = 0
    }
    for (index, column) in columns.enumerated() {
      guard let width = widths[index] else { continue }
      let cell = index < row.count ? row[index] : ""
      let whole = cell.text.truncated(toWidth: column.widest)
      var parts = column.wraps ? whole.wrapped(toWidth: width) : [whole.truncated(toWidth: width)]
      let first = parts.isEmpty ? "" : parts.removeFirst()
      if !parts.isEmpty { rest[index] = parts }
      let after = index < padding.count ? padding[index] : 0
      let space = width - first.displayWidth - after
      let isRight = column.alignment != .left
      if isRight { pending += space }
      if !first.isEmpty { put(first, cell.role) }
      pending += (isRight ? 0 : space) + after + 2
    }
    text += "\n"
    // Only the last column wraps, so nothing stands beside its further lines.
    for (index, parts) in rest {
      let indent = widths[..<index].reduce(0) { $0 + ($1.map { $0 + 2 } ?? 0) }
      for part in parts {
        pending = indent
        put(part, row[index].role)
        text += "\n"
      }
    }
    return text
  }
}

/// The widths of the columns of a table in the available space.
private struct TableLayout {
  /// The widths by the index of the column; nil for columns that are dropped.
  let widths: [Int?]

  /// Creates a table layout.
  ///
  /// - Parameters:
  ///   - natural: The width that each column would take.
  ///   - width: The number of columns of the terminal; nil for no limit.
  init(_ columns: [TextTable.Column], natural: [Int], width: Int?) {
    guard let width else {
      widths = natural
      return
    }
    // An empty column takes no space.
    var shown = natural.indices.filter { natural[$0] > 0 }
    var order = shown.filter { columns[$0].drops != nil }.sorted { columns[$0].drops ?? 0 < columns[$1].drops ?? 0 }
    func least(_ index: Int) -> Int { min(natural[index], columns[index].narrowest ?? natural[index]) }
    func needed() -> Int { shown.reduce(0) { $0 + least($1) } + 2 * max(0, shown.count - 1) }
    while needed() > width, !order.isEmpty {
      let dropped = order.removeFirst()
      shown.removeAll { $0 == dropped }
    }
    var found = natural
    var excess = shown.reduce(0) { $0 + natural[$1] } + 2 * max(0, shown.count - 1) - width
    while excess > 0 {
      // The widest column shrinks first; of two equally wide ones, the later.
      let giving = shown.filter { found[$0] > least($0) }.max { found[$0] <= found[$1] }
      guard let giving else { break }
      found[giving] -= 1
      excess -= 1
    }
    widths = natural.indices.map { shown.contains($0) ? found[$0] : nil }
  }
}
