import BitpalJSON
import BitpalModel

/// The columns of a file that an import does not read, although what they hold changes what a row means: a fee or a tax, or
/// that the row was never executed.
struct UnreadColumns {
  /// The columns with what is in them, each in a sentence.
  private(set) var sentences: [String] = []

  /// The first row of each column of states that says that it was not executed.
  private(set) var refusals: [(line: Int, message: String)] = []

  /// The words of a name by which a column holds what was taken, and the ends of such words in German.
  private static let costs: Set<String> = [
    "fee", "fees", "commission", "commissions", "brokerage", "charge", "charges", "surcharge", "spread", "tax", "taxes",
    "duty", "levy", "tds", "gst", "vat", "frais", "taxe", "courtage", "comisión", "comision", "impuesto", "commissione",
    "commissioni", "imposta", "bollo", "provisie", "belasting",
  ]
  private static let endsOfCosts = [
    "gebühr", "gebühren", "gebuehr", "gebuehren", "steuer", "steuern", "kosten", "spesen", "provision", "entgelt",
  ]

  /// The words of such a name that make it the unit of the cost.
  static let units: Set<String> = [
    "currency", "asset", "coin", "token", "unit", "ccy", "cur", "symbol", "ticker", "währung",
  ]

  /// The words of such a name that make it a share, a worth or a kind of the cost.
  private static let besideCosts: Set<String> = [
    "rate", "%", "percent", "pct", "bps", "id", "worth", "value", "type", "basis", "year", "refund", "rebate",
    "incl", "excl", "including", "excluding", "inclusive", "exclusive", "inkl", "exkl", "before", "after", "with",
    "without",
  ]

  /// The words of a column of states that say that a row was executed.
  static let executed: Set<String> = [
    "ok", "completed", "complete", "done", "success", "successful", "succeeded", "confirmed", "finished", "settled",
    "filled", "executed", "processed", "closed", "deal", "distributed", "abgeschlossen", "ausgeführt",
  ]

  /// The beginnings of words that say that a row was not executed, in whatever column.
  private static let failures = [
    "cancel", "reject", "fail", "expired", "pending", "open", "declined", "void", "revers", "refunded", "error",
    "unfilled", "not ", "timed out", "abort", "annul", "geannul", "storniert", "abgelehnt", "abgebrochen",
  ]

  /// Finds the columns.
  ///
  /// - Parameters:
  ///   - names: The columns that the import does not read.
  ///   - table: The rows of the file.
  init(_ names: [String], of table: SheetTable) {
    for name in names {
      if let refusal = Self.refusal(name, table) {
        refusals.append(refusal)
        continue
      }
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
    // An amount may say in parentheses that fees are not in it.
    let words = words(
      of: name.replacing(/(?i)\((?:excl|incl|exkl|inkl|without|with|ohne|zzgl|net of|before|after)[^)]*\)/, with: ""))
    return words.contains(where: isCostWord) && units.union(besideCosts).isDisjoint(with: words)
  }

  /// Returns whether a column by its name holds the unit of what was taken, such as the coin of a fee.
  static func isUnitOfCost(_ name: String) -> Bool {
    let words = words(of: name)
    return words.contains(where: isCostWord) && !units.isDisjoint(with: words)
  }

  /// Returns whether a column by its name holds the states of rows.
  static func isState(_ name: String) -> Bool {
    words(of: name).contains { ["state", "statut", "estado", "stato"].contains($0) || $0.hasSuffix("status") }
  }

  /// Returns whether a word says that a row was not executed.
  static func isFailure(_ word: String) -> Bool { failures.contains(where: word.lowercased().hasPrefix) }

  /// Returns the words of a name in small letters: `fee` and `currency` of `feeCurrency`.
  static func words(of name: String) -> [String] {
    let parted = name.replacing(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/) { "\(name[$0.range]) " }
    return parted.lowercased().replacing("%", with: " % ").replacing("währung", with: " währung").split {
      !$0.isLetter && $0 != "%"
    }.map(String.init)
  }

  private static func isCostWord(_ word: String) -> Bool {
    costs.contains(word) || endsOfCosts.contains(where: word.hasSuffix)
  }

  private static func condition(_ name: String) -> (sql: String, what: String)? {
    let column = SheetTable.identifier(name)
    if isCost(name) { return ("\(column) GLOB '*[1-9]*'", "a cost") }
    if isUnitOfCost(name) { return ("\(column) GLOB '*[A-Za-z]*'", "the unit of a cost") }
    guard isState(name) else { return nil }
    let words = executed.sorted().map { "'\($0)'" }.joined(separator: ", ")
    return ("lower(\(column)) NOT IN (\(words))", "a state that is not known as one of a row that happened")
  }

  /// Returns the first row of a column of states that was not executed; nil for none.
  private static func refusal(_ name: String, _ table: SheetTable) -> (line: Int, message: String)? {
    guard isState(name) else { return nil }
    let column = SheetTable.identifier(name)
    let condition = failures.map { "lower(\(column)) GLOB '\($0)*'" }.joined(separator: " OR ")
    return find(name, condition, table).map { found in
      (
        found.line,
        "\(name.printable(limit: 40)): \"\(found.text.printable(limit: 40))\" says that it did not happen, and this import does not read "
          + "that column; take such rows (\(found.count)) out of the file, or begin an import of your own: \"bitpal imports new\""
      )
    }
  }

  private static func find(
    _ name: String, _ condition: String, _ table: SheetTable
  ) -> (count: Int, line: Int, text: String)? {
    let sql = "SELECT count(*), min(line), \(SheetTable.identifier(name)) FROM rows WHERE \(condition)"
    var found: (count: Int, line: Int, text: String)?
    try? SheetQuery(sql, over: table).forEach(marks: nil) { row in
      guard let count = try? row.whole(0), count > 0, let line = try? row.whole(1) else { return }
      found = (count, line, ((try? row.plain(2)) ?? nil) ?? "")
    }
    return found
  }
}
