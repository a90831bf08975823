import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The columns of a file that an import does not read, although what they hold changes what a row means: a fee or a tax, coins of
/// a contract or in another unit, the zone of its time, or that the row was never executed.
struct UnreadColumns {
  /// The columns with what is in them, each in a sentence.
  private(set) var sentences: [String] = []

  /// The first row of each column that says that it was not executed, or is not of coins, and why it is refused.
  private(set) var refusals: [(line: Int, message: String)] = []

  /// Whether a column has the zone of the times.
  private(set) var hasZone = false

  /// The first row whose zone is not UTC, why it is refused where its time needs one, and whether all rows have that zone.
  private(set) var zone: (line: Int, message: String, isOnly: Bool)?

  /// The words of a name by which a column holds what was taken, and the ends of such words in German.
  private static let costs: Set<String> = [
    "fee", "fees", "commission", "commissions", "brokerage", "charge", "charges", "surcharge", "spread", "tax", "taxes",
    "duty", "levy", "tds", "gst", "vat", "frais", "taxe", "courtage", "comisión", "comision", "impuesto", "commissione",
    "commissioni", "imposta", "bollo", "provisie", "belasting",
  ]
  private static let endsOfCosts = [
    "gebühr", "gebühren", "gebuehr", "gebuehren", "steuer", "steuern", "kosten", "spesen", "provision", "entgelt",
    "gebührenbetrag", "steuerbetrag",
  ]

  /// The words of such a name that make it the unit of the cost.
  static let units: Set<String> = [
    "currency", "asset", "coin", "token", "unit", "ccy", "cur", "symbol", "ticker", "währung",
  ]

  /// The last words of such a name that make it a share, a worth or a kind of the cost.
  private static let besideCosts: Set<String> = [
    "rate", "%", "percent", "pct", "bps", "id", "worth", "type", "basis", "year", "refund", "rebate", "tier", "level",
    "lot", "number", "used", "tolerance",
  ]

  /// The words of a column of states that say that a row was executed.
  static let executed: Set<String> = [
    "ok", "completed", "complete", "done", "success", "successful", "succeeded", "confirmed", "finished", "settled",
    "filled", "executed", "processed", "closed", "deal", "distributed", "abgeschlossen", "ausgeführt",
  ]

  /// The beginnings of words that say that a row was not executed, in whatever column.
  static let failures = [
    "cancel", "reject", "fail", "expired", "pending", "open", "declined", "void", "revers", "refunded", "error",
    "unfilled", "not ", "timed out", "abort", "annul", "geannul", "storniert", "abgelehnt", "abgebrochen",
  ]

  /// Finds the columns.
  ///
  /// - Parameters:
  ///   - names: The columns that the import does not read.
  ///   - table: The rows of the file.
  ///   - all: All columns of the table.
  init(_ names: [String], of table: SheetTable, among all: [String]) {
    for name in names {
      if Self.isZone(name) {
        findZone(name, table)
        continue
      }
      for rule in Self.rules(name, among: all) {
        guard let found = Self.find(name, rule.condition, table) else { continue }
        if rule.isFault {
          let message =
            "\(name.printable(limit: 40)): \"\(found.text.printable(limit: 40))\" says that \(rule.what), and this import does not "
            + "read that column; take such rows (\(found.count)) out of the file, or begin an import of your own: \"bitpal imports new\""
          refusals.append((found.line, message))
        } else {
          let rows = found.count == 1 ? "line \(found.line)" : "\(found.count) rows, the first on line \(found.line)"
          sentences.append(
            "this import does not read \"\(name.printable(limit: 60))\", which has \(rule.what) in \(rows): \(found.text.printable(limit: 60))"
          )
        }
        break
      }
    }
  }

  // MARK: Zones

  private static func isZone(_ name: String) -> Bool {
    let words = Set(words(of: name))
    return !words.isDisjoint(with: ["timezone", "zeitzone", "tz"]) || words.isSuperset(of: ["time", "zone"])
      || words.contains("offset") && !words.isDisjoint(with: ["utc", "gmt", "time"])
  }

  private mutating func findZone(_ name: String, _ table: SheetTable) {
    let column = SheetTable.identifier(name)
    hasZone = hasZone || Self.find(name, "\(column) IS NOT NULL", table) != nil
    let text = "replace(replace(replace(upper(\(column)), 'ETC/', ''), 'GMT', 'UTC'), ' ', '')"
    let isUTC =
      "replace(replace(\(text), 'UTC', ''), ':', '') IN ('', 'Z', '0', '+0', '+00', '+0000', '-00', '-0000', '±00', '±0000', 'ZULU')"
    guard let found = Self.find(name, "NOT \(isUTC)", table) else { return }
    let others = Self.find(name, "ifnull(\(column), '') <> '\(found.text.doubling("'"))'", table)
    let (named, zone) = (name.printable(limit: 40), found.text.printable(limit: 40))
    let option = "--tz \(found.text.contains(/^[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z_]+)+$/) ? found.text : "ZONE")"
    let message =
      "\(named): \"\(zone)\" is the zone of its time, and this import does not read that column; "
      + (others == nil
        ? "say it with \(option)" : "other rows have another, so take them apart and say it with \(option)")
      + ", or begin an import of your own: \"bitpal imports new\""
    self.zone = (found.line, message, others == nil)
  }

  /// Decides whether it is in doubt in which zone the times are, by what the file says beside its rows and by what the import declares.
  ///
  /// - Parameters:
  ///   - found: The zone that the file states.
  ///   - declared: The zone that the import declares.
  ///   - sheet: The file.
  ///   - now: The time; zones that have the same clocks in this year are alike.
  mutating func judgeZone(
    _ found: StatedZone?, declared: ClockZone?, above sheet: CSVSheet, at now: Date
  ) {
    guard let found else {
      // An import of another zone than UTC may have it from that very column.
      if let declared, !declared.isUTC { zone = nil }
      return addZone(above: sheet, declared)
    }
    let place: (line: Int, words: String)
    switch found.place {
    case .column:
      // The name of the column of the times goes before a column beside it.
      zone = nil
      return
    case .line(let line): place = (line, "this line")
    case .fileName: place = (1, "the name of the file")
    }
    guard let declared,
      [now, now.adding(.seconds(-183 * 86_400))].contains(where: {
        declared.offset(at: $0) != found.clocks.offset(at: $0)
      })
    else { return }
    zone = (
      place.line,
      "\(place.words) says that the times are in \(found.clocks.name), and this import reads them in \(declared.name); say which it is "
        + "with --tz ZONE", true
    )
  }

  /// Adds the zone that a line above the header names in words, as `Time zone: Local` does, of which the clocks are not known.
  private mutating func addZone(above sheet: CSVSheet, _ declared: ClockZone?) {
    for (index, text) in sheet.linesAbove.enumerated() where zone == nil {
      guard let words = Self.zone(statedIn: text) else { continue }
      hasZone = true
      if let declared, !declared.isUTC {
        sentences.append(
          "this import does not read the zone of line \(index + 1), \"\(words.printable(limit: 40))\", and takes its times as of "
            + "\(declared.name)")
        continue
      }
      zone = (
        index + 1,
        "\"\(words.printable(limit: 40))\" is the zone of its times, and it is not known which one that is; say it with --tz ZONE",
        true
      )
    }
  }

  /// Returns what a line calls the zone of its times, as `Time zone: Europe/Berlin` and `All times are in CET` do; nil for nothing.
  static func zone(statedIn line: String) -> String? {
    let label =
      /(?i)(?:\b(?:time[ _-]?zone|zeitzone|fuseau horaire|zona horaria|fuso orario|tz)\s*(?:\([^)]*\))?\s*(?:[:=]["']?\s*[,;\t]?|["']?[,;\t])|\btimes? (?:is|are)(?: \w+)? in\b)[\s"':=]*([^,;\t"']*?)\s*(?:[,;\t"']|$)/
    guard let words = line.firstMatch(of: label)?.1 else { return nil }
    // An offset alone is one of UTC.
    if words.contains(/^[+\-−]\d{1,2}(?::?\d{2})?$/) { return "UTC" + words }
    if ["z", "zulu", "coordinated universal time", "greenwich mean time"].contains(words.lowercased()) { return "UTC" }
    return words.contains(where: \.isLetter) && words.first?.isNumber == false && words.lowercased() != "n/a"
      ? String(words) : nil
  }

  // MARK: Names

  /// Returns whether a column by its name holds what was taken from a trade.
  static func isCost(_ name: String) -> Bool {
    let words = wordsOfCost(name)
    // A "Currency conversion fee" is one, and "Currency (fee)" and "Currency of fee" are what it is in.
    let head = Self.words(of: String(name.prefix { $0 != "(" }))
    let isNamed =
      head.last.map(isCostWord) == true && ["of", "for", "der", "des", "de"].allSatisfy { !head.contains($0) }
    return words.contains(where: isCostWord) && (isNamed || units.isDisjoint(with: words))
  }

  /// Returns the words of a name without those that say what is, or is not, in an amount; none for a name that ends as one of a
  /// share or a worth does.
  static func wordsOfCost(_ name: String) -> [String] {
    let words = words(
      of: name.replacing(
        /(?i)(?:^|[ (])(?:(?:excl|incl|exkl|inkl)\w*|without|with|ohne|zzgl|net of|before|after)\b.*$/, with: ""))
    return besideCosts.contains(words.last ?? "") ? [] : words
  }

  /// Returns whether a column by its name holds the unit of what was taken, such as the coin of a fee.
  static func isUnitOfCost(_ name: String) -> Bool {
    let words = words(of: name)
    return words.contains(where: isCostWord) && !units.isDisjoint(with: words) && !isCost(name)
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

  static func isCostWord(_ word: String) -> Bool {
    costs.contains(word) || endsOfCosts.contains(where: word.hasSuffix)
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
