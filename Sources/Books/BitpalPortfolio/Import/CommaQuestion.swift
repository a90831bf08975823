import BitpalJSON
import BitpalModel

/// A number of a file of which nothing says whether its comma parts decimals or thousands.
///
/// That is any number with a comma where the import does not declare its decimal mark, because the exchange writes no thousands. Where
/// it declares the point it is one that cannot be read so, and `1,234` in a file that a spreadsheet has saved, with semicolons
/// or tabs, or in which no number has a point.
struct CommaQuestion {
  /// The field, and the line of its row.
  private let text: String
  private let line: Int

  /// Finds the first such number; nil for none.
  ///
  /// - Parameter columns: The columns that the SELECT of the import reads, in lower case.
  init?(_ specification: ImportSpecification, of sheet: CSVSheet, _ table: SheetTable, _ columns: Set<String>) {
    let isParted = sheet.header.delimiter == UInt8(ascii: ",")
    let names = sheet.header.names.filter { columns.contains($0.lowercased()) }.map(SheetTable.identifier)
    guard specification.decimal != .comma, !names.isEmpty, !isParted || sheet.bytes.contains(UInt8(ascii: "\"")) else {
      return nil
    }
    let isSaved = !isParted && specification.delimiter == nil
    var doubtful: (text: String, line: Int)?
    Self.visit(names, with: ",", table) { text, line in
      guard let number = Self.number(in: text), number.contains(",") else { return true }
      let isPlain = number.wholeMatch(of: /[1-9]\d{0,2}(?:,\d{3})+/) != nil
      let isRead = specification.decimal?.marks.reads(number) == true && !number.hasPrefix("0,")
      if isRead, !isPlain { return true }
      if doubtful == nil { doubtful = (text, line) }
      return isRead && !isSaved
    }
    guard let doubtful else { return nil }
    (text, line) = doubtful
    guard let number = Self.number(in: text), specification.decimal?.marks.reads(number) == true, !isSaved else {
      return
    }
    var hasPoint = false
    Self.visit(names, with: ".", table) { text, _ in
      hasPoint = Self.number(in: text)?.wholeMatch(of: /(?:\d{1,3}(?:,\d{3})+|\d+)\.\d+/) != nil
      return !hasPoint
    }
    if hasPoint { return nil }
  }

  /// Adds the fault, with the options that answer it.
  func add(to faults: inout ImportFaults) {
    faults.add(
      "\"\(text.printable(limit: 40))\" has a comma; say what its comma is: --decimal comma (before decimals) or --decimal point (between "
        + "thousands)", line: line, near: .text(text))
  }

  private struct Found: Error {}

  /// Calls `use` with each field that contains a mark, until it returns false.
  private static func visit(
    _ names: [String], with mark: String, _ table: SheetTable, _ use: (String, Int) -> Bool
  ) {
    let condition = names.map { "instr(\($0), '\(mark)')" }.joined(separator: " OR ")
    try? SheetQuery("SELECT line, \(names.joined(separator: ", ")) FROM rows WHERE \(condition)", over: table).forEach(
      marks: nil
    ) { row in
      let line = try row.whole(0)
      for index in names.indices {
        guard let text = try row.plain(index + 1), text.contains(mark) else { continue }
        if !use(text, line) { throw Found() }
      }
    }
  }

  /// Returns the number of a field that has nothing else but a sign, a currency or a unit; nil for any other.
  private static func number(in text: String) -> Substring? {
    text.wholeMatch(
      of: /[+-]?(?:[^\d\s.,+-]{1,4}\s?)?[+-]?(\d+(?:[.,'’\s]\d+)*)(?:[eE][+-]?\d+)?\s?[^\d\s.,]{0,10}/)?.1
  }
}

extension NumberMarks {
  /// Returns whether a number is written with these marks.
  fileprivate func reads(_ number: Substring) -> Bool {
    var text = String(number)
    return text.withUTF8 { plain($0) } != nil
  }
}
