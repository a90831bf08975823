import BitpalJSON
import BitpalModel

/// The columns of a file that an import does not read, although what they hold changes what a row means: a fee or a tax, or
/// that the row was never executed.
struct UnreadColumns {
  /// What is in them, each column in a sentence.
  private(set) var sentences: [String] = []

  /// The parts of a name by which a column holds what was taken, in small letters.
  private static let costs = ["fee", "commission", "tax", "gebühr", "frais", "steuer", "comisión", "taxe", "courtage"]

  /// The parts of such a name that make it a unit, a share or a worth of the cost.
  private static let besideCosts = [
    "currency", "asset", "coin", "rate", "%", "percent", "unit", "id", "worth", "value", "type",
  ]

  /// The beginnings of what a column of states says of a row that was not executed.
  private static let failures = [
    "cancel", "reject", "fail", "expired", "pending", "declined", "storniert", "abgelehnt",
  ]

  /// Finds the columns.
  ///
  /// - Parameters:
  ///   - names: The columns that the import does not read.
  ///   - table: The rows of the file.
  init(_ names: [String], of table: SheetTable) {
    for name in names {
      guard let (condition, what) = Self.condition(name), let found = Self.find(name, condition, table) else {
        continue
      }
      let rows = found.count == 1 ? "line \(found.line)" : "\(found.count) rows, the first on line \(found.line)"
      sentences.append(
        "this import does not read \"\(name.printable(limit: 60))\", which has \(what) in \(rows): \(found.text.printable(limit: 60))"
      )
    }
  }

  /// Returns whether a column by its name holds what was taken from a trade.
  static func isCost(_ name: String) -> Bool {
    let name = name.lowercased()
    return costs.contains(where: name.contains) && !besideCosts.contains(where: name.contains)
  }

  private static func condition(_ name: String) -> (sql: String, what: String)? {
    let column = "\"\(name.doubling("\""))\""
    if isCost(name) { return ("\(column) GLOB '*[1-9]*'", "a cost") }
    guard ["status", "state"].contains(where: name.lowercased().contains) else { return nil }
    return (failures.map { "lower(\(column)) GLOB '\($0)*'" }.joined(separator: " OR "), "what was not executed")
  }

  private static func find(
    _ name: String, _ condition: String, _ table: SheetTable
  ) -> (count: Int, line: Int, text: String)? {
    let sql = "SELECT count(*), min(line), \"\(name.doubling("\""))\" FROM rows WHERE \(condition)"
    var found: (count: Int, line: Int, text: String)?
    try? SheetQuery(sql, over: table).forEach(marks: nil) { row in
      guard let count = try? row.whole(0), count > 0, let line = try? row.whole(1) else { return }
      found = (count, line, ((try? row.plain(2)) ?? nil) ?? "")
    }
    return found
  }
}
