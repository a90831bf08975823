import BitpalJSON
import BitpalModel

/// The columns of a file that an import does not read, although what they hold changes what a row means: a fee or a tax, coins of
/// a contract or in another unit, or that the row was never executed.
struct UnreadColumns {
  /// The columns with what is in them, each in a sentence.
  private(set) var sentences: [String] = []

  /// The first row of each column of states that says that it was not executed, and why it is refused.
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

  /// Words that may mean a cost, as which they are not read.
  private static let possibleCosts: Set<String> = ["costs", "gas", "withholding"]

  /// The words of such a name that make it the unit of the cost.
  static let units: Set<String> = [
    "currency", "asset", "coin", "token", "unit", "ccy", "cur", "symbol", "ticker", "währung",
  ]

  /// The last words of such a name that make it a share, a worth or a kind of the cost.
  private static let besideCosts: Set<String> = [
    "rate", "%", "percent", "pct", "bps", "id", "worth", "type", "basis", "year", "refund", "rebate", "tier", "level",
    "lot", "number", "used",
  ]

  /// The names of columns that say of a row whether it counts, beside those of states.
  private static let exclusions: Set<String> = [
    "cancelled", "canceled", "rejected", "failed", "error", "iserror", "void", "voided", "reverted", "reversed",
    "deleted", "removed", "draft", "ignored", "excluded", "spam", "simulated",
  ]
  private static let inclusions: Set<String> = ["executed", "confirmed", "success", "successful", "valid", "completed"]

  /// The words in a cell that stand for no, for nothing, and for what is usual.
  private static let no = ["no", "n", "false", "nein", "non", "falsch", "off"]
  private static let nothing =
    no + ["", "0", "none", "null", "-", "--", "n/a", "n.a.", "na", "ok", "success", "{}", "[]"]
  private static let usual =
    nothing + ["1", "1.0", "1,0", "1.00", "1,00", "1x", "spot", "cash", "non_margin", "non-margin"]

  /// The words of a name by which a column about contracts, or with a word of a state, says nothing of its row.
  private static let besideMeaning: Set<String> = [
    "address", "note", "notes", "no", "nr", "id", "number", "profit", "comment", "comments", "description", "memo",
    "remark", "remarks", "text", "details", "name", "tag", "tags", "label", "category", "%",
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
      for (condition, what) in Self.conditions(name) {
        guard let found = Self.find(name, condition, table) else { continue }
        let rows = found.count == 1 ? "line \(found.line)" : "\(found.count) rows, the first on line \(found.line)"
        sentences.append(
          "this import does not read \"\(name.printable(limit: 60))\", which has \(what) in \(rows): \(found.text.printable(limit: 60))"
        )
        break
      }
    }
  }

  /// Returns whether a column by its name holds what was taken from a trade.
  static func isCost(_ name: String) -> Bool {
    let words = wordsOfCost(name)
    return words.contains(where: isCostWord) && units.isDisjoint(with: words)
  }

  /// Returns the words of a name without those that say what is, or is not, in an amount; none for a name that ends as one of a
  /// share or a worth does.
  private static func wordsOfCost(_ name: String) -> [String] {
    let words = words(
      of: name.replacing(
        /(?i)(?:^|[ (])(?:excl|incl|exkl|inkl|without|with|ohne|zzgl|net of|before|after).*$/, with: ""))
    return besideCosts.contains(words.last ?? "") ? [] : words
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

  /// Returns the conditions on a cell of a column, in SQL, under which the column may not be left out, with what it then has.
  private static func conditions(_ name: String) -> [(sql: String, what: String)] {
    let column = SheetTable.identifier(name)
    let state = "a state that is not known as one of a row that happened"
    if isState(name) { return [("lower(\(column)) NOT IN (\(list(executed)))", state)] }
    if isCost(name) { return [("\(column) GLOB '*[1-9]*'", "a cost")] }
    if wordsOfCost(name).contains(where: { isCostWord($0) || possibleCosts.contains($0) }) || isUnitOfCost(name) {
      let unit = isUnitOfCost(name) ? [("\(column) GLOB '*[A-Za-z]*'", "the unit of a cost")] : []
      return [("\(column) GLOB '*[1-9]*' AND NOT \(column) GLOB '*[A-Za-z]*'", "a cost")] + unit
    }
    let words = words(of: name)
    guard besideMeaning.isDisjoint(with: words) else { return [] }
    let isUnusual =
      "lower(ifnull(\(column), '')) NOT IN (\(list(usual))) AND ltrim(\(column), '-0.,') <> '' "
      + "AND \(column) NOT GLOB '0x*'"
    if words.contains(where: isOfContracts) { return [(isUnusual, "what coins of a contract or lent ones have")] }
    if words.contains("multiplier") { return [(isUnusual, "another unit")] }
    let ended = ["cancelled", "canceled", "rejected", "failed", "pending", "void", "reverted", "expired", "declined"]
    return [("lower(\(column)) IN (\(list(ended)))", state)]
  }

  /// Returns words as a list of SQL.
  private static func list(_ words: some Sequence<String>) -> String {
    words.sorted().map { "'\($0)'" }.joined(separator: ", ")
  }

  /// Returns whether a word is about coins that were lent or are those of a contract.
  static func isOfContracts(_ word: String) -> Bool {
    ["leverage", "margin", "position", "reduce", "contract", "future", "perp"].contains(where: word.hasPrefix)
  }

  /// Returns the first row that a column says was not executed; nil for none.
  private static func refusal(_ name: String, _ table: SheetTable) -> (line: Int, message: String)? {
    let column = SheetTable.identifier(name)
    // Of a longer name nothing is certain: "Success fee" and "Rejected Qty" are numbers.
    let word = words(of: name).drop { $0 == "is" || $0 == "was" }.joined(separator: " ")
    let condition: String
    if isState(name) {
      condition = failures.map { "lower(\(column)) GLOB '\($0)*'" }.joined(separator: " OR ")
    } else if exclusions.contains(word) {
      condition = "lower(ifnull(\(column), '')) NOT IN (\(list(nothing))) AND ltrim(\(column), '-0.,') <> ''"
    } else if inclusions.contains(word) {
      condition = "lower(\(column)) IN (\(list(no)))"
    } else {
      return nil
    }
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
