import BitpalJSON

/// The rules by which a column that an import does not read changes what a row means.
extension UnreadColumns {
  /// A condition on a cell of a column, in SQL, under which the column may not be left out, and what it then has or says.
  struct Rule {
    let condition: String
    let what: String
    var isFault = false
  }

  /// Words that may mean a cost, as which they are not read.
  private static let possibleCosts: Set<String> = ["costs", "gas", "withholding", "tip", "tips", "markup", "slippage"]

  /// The names of columns that say of a row whether it counts, beside those of states.
  private static let exclusions: Set<String> = [
    "cancelled", "canceled", "rejected", "failed", "error", "iserror", "void", "voided", "reverted", "reversed",
    "deleted", "removed", "draft", "ignored", "excluded", "spam", "simulated", "duplicate", "duplicated", "demo",
    "sandbox", "reversal", "chargeback",
    "storno", "storniert", "annullato", "annulé", "anulado", "cancelado",
  ]
  private static let inclusions: Set<String> = [
    "executed", "confirmed", "success", "successful", "valid", "completed", "settled", "approved", "accepted", "booked",
    "filled", "gebucht", "ausgeführt", "eseguito", "exécuté", "ejecutado",
  ]

  /// The words of a name of what was executed, with those of amounts, of which none is an order that was not executed.
  private static let fills: Set<String> = ["filled", "executed", "actual"]
  private static let amounts: Set<String> = ["quantity", "qty", "amount", "volume", "size", "shares", "units"]

  /// The names of columns that say what came of a row, and the words of those that say whether it was in earnest.
  private static let results: Set<String> = ["result", "outcome", "ergebnis", "esito", "résultat", "resultado"]
  private static let modes: Set<String> = ["environment", "env", "mode", "umgebung"]
  private static let trials = ["demo", "paper", "test", "simul", "sandbox", "practice", "backtest"]

  /// The words in a cell that stand for no, for nothing, and for what is usual.
  private static let no = ["no", "n", "false", "nein", "non", "nee", "não", "falsch", "off"]
  private static let nothing =
    no + ["", "0", "none", "null", "-", "--", "n/a", "n.a.", "na", "ok", "success", "{}", "[]"]
  private static let usual =
    nothing + ["1", "1.0", "1,0", "1.00", "1,00", "1x", "spot", "cash", "non_margin", "non-margin"]

  /// The words of a name of where something was traded, whose values may name contracts, and patterns of those.
  private static let markets: Set<String> = ["instrument", "market", "product", "segment", "class", "security"]
  private static let accounts: Set<String> = ["wallet", "account"]
  private static let contracts = [
    "*perpetual*", "perp", "*[-_ ]perp", "future", "futures", "*[-_ ]futures*", "futures[-_ ]*", "option", "options",
    "*[-_ ]option", "*[-_ ]options", "cfd*", "* cfd*", "*swap contract*", "*-swap", "derivative*",
  ]

  /// The words in names of columns for the part of an order that was not executed.
  private static let rests: Set<String> = ["remaining", "unfilled", "unexecuted", "leaves"]

  /// The names of columns that say that a row takes something back.
  private static let corrections: Set<String> = ["refund", "refunded", "correction", "corrected", "adjusted"]

  /// The names of columns that say whether coins were bought or sold, and the words for both in their cells.
  private static let sides: Set<String> = ["direction", "side", "way", "buyer", "is buyer", "is buy", "buy"]
  private static let bought = ["in", "buy", "bought", "purchase", "bid", "true", "yes", "y", "1"]
  private static let sold = ["out", "sell", "sold", "sale", "ask", "false", "no", "n", "0"]

  /// The last words of a name of the unit of amounts, and units of which many are a coin.
  private static let unitNames: Set<String> = ["unit", "denomination", "scale", "decimals", "einheit"]
  private static let parts = [
    "sat", "sats", "satoshi", "satoshis", "wei", "gwei", "lamport", "lamports", "cent", "cents", "pence", "penny",
    "thousand", "thousands", "million", "millions",
  ]
  private static let wholes =
    usual + ["coin", "coins", "token", "tokens", "unit", "units", "share", "shares", "piece", "pieces", "pcs", "stück"]

  /// The first words of a name of the currency of a row.
  private static let priced: Set<String> = ["price", "account", "trade", "trading", "settlement", "quote"]
  private static let currencies = [
    "USD", "EUR", "GBP", "CHF", "JPY", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "TRY", "BRL", "INR",
  ]

  /// The words of a name by which a column about contracts, or with a word of a state, says nothing of its row.
  private static let besideMeaning: Set<String> = [
    "address", "note", "notes", "no", "nr", "id", "number", "profit", "comment", "comments", "description", "memo",
    "remark", "remarks", "text", "details", "name", "tag", "tags", "label", "category", "%",
  ]

  /// Returns the rules of a column, of which the first counts that a row fulfils.
  static func rules(_ name: String, among all: [String]) -> [Rule] {
    let column = SheetTable.identifier(name)
    return stateRules(name, column) + (costRules(name, column) ?? meaningRules(name, column, all.filter { $0 != name }))
  }

  /// Returns the rules of a column that says whether a row happened.
  private static func stateRules(_ name: String, _ column: String) -> [Rule] {
    let words = words(of: name)
    // Of a longer name nothing is certain: "Success fee" and "Rejected Qty" are numbers.
    let word = words.drop { $0 == "is" || $0 == "was" }.joined(separator: " ")
    func fault(_ condition: String) -> Rule { Rule(condition: condition, what: "it did not happen", isFault: true) }
    func begins(_ beginnings: [String]) -> String { isLike(beginnings.map { $0 + "*" }, column) }
    if isState(name) {
      return [
        fault(begins(failures)), Rule(condition: "lower(\(column)) NOT IN (\(list(executed)))", what: unknownState),
      ]
    }
    if results.contains(word) { return [fault(begins(failures))] }
    if exclusions.contains(word) {
      return [fault("lower(ifnull(\(column), '')) NOT IN (\(list(nothing))) AND ltrim(\(column), '-0.,') <> ''")]
    }
    let isFill = !fills.isDisjoint(with: words) && fills.union(amounts).isSuperset(of: words)
    if inclusions.contains(word) || isFill {
      return [fault("lower(\(column)) IN (\(list(no))) OR \(column) GLOB '*0*' AND ltrim(\(column), '-0.,') = ''")]
    }
    let isMode = !modes.isDisjoint(with: words) || words == ["account", "type"]
    return isMode ? [fault(begins(trials))] : []
  }

  private static let unknownState = "a state that is not known as one of a row that happened"

  /// Returns the rules of a column of what was taken, or of what that is in; nil for any other.
  private static func costRules(_ name: String, _ column: String) -> [Rule]? {
    if isState(name) { return [] }
    if isCost(name) { return [Rule(condition: "\(column) GLOB '*[1-9]*'", what: "a cost")] }
    let isUnit = isUnitOfCost(name)
    guard isUnit || wordsOfCost(name).contains(where: { isCostWord($0) || possibleCosts.contains($0) }) else {
      return nil
    }
    let isAmount =
      "\(column) GLOB '*[1-9]*' AND \(column) NOT GLOB '*%*' "
      + "AND (\(column) NOT GLOB '*[A-Za-z]*' OR \(column) GLOB '[-+.0-9]*[0-9] [A-Za-z]*')"
    let unit = isUnit ? [Rule(condition: "\(column) GLOB '*[A-Za-z]*'", what: "the unit of a cost")] : []
    return [Rule(condition: isAmount, what: "a cost")] + unit
  }

  /// Returns the rules of a column by which coins are those of a contract, lent, or in another unit or currency.
  private static func meaningRules(_ name: String, _ column: String, _ others: [String]) -> [Rule] {
    let words = words(of: name)
    guard besideMeaning.isDisjoint(with: words) else { return [] }
    let lent = "what coins of a contract or lent ones have"
    let isUnusual =
      "lower(ifnull(\(column), '')) NOT IN (\(list(usual))) AND ltrim(\(column), '-0.,') <> '' "
      + "AND \(column) NOT GLOB '0x*'"
    if words.contains(where: isOfContracts) { return [Rule(condition: isUnusual, what: lent)] }
    if words.contains("multiplier") { return [Rule(condition: isUnusual, what: "another unit")] }
    if !markets.union(accounts).isDisjoint(with: words), !units.contains(words.last ?? "") {
      let isContract = "(\(isLike(contracts, column))) AND \(column) NOT LIKE 'perpetual protocol%'"
      let isFault = !markets.isDisjoint(with: words) || words.contains("type")
      return [
        Rule(condition: isContract, what: isFault ? "it is of a contract" : lent, isFault: isFault),
        Rule(condition: "\(column) LIKE '%margin%' AND \(column) NOT LIKE 'no%'", what: lent),
      ]
    }
    if let rules = turningRules(words, column, others) ?? unitRules(words, column, others) { return rules }
    let ended = [
      "cancelled", "canceled", "rejected", "failed", "failure", "pending", "void", "reverted", "expired", "declined",
    ]
    return [Rule(condition: "lower(\(column)) IN (\(list(ended)))", what: unknownState)]
  }

  /// Returns the rules of a column by which a row is the other way round, or counts in part; nil for any other.
  private static func turningRules(_ words: [String], _ column: String, _ others: [String]) -> [Rule]? {
    if !rests.isDisjoint(with: words), rests.union(amounts).isSuperset(of: words) {
      return [Rule(condition: "\(column) GLOB '*[1-9]*'", what: "what was not executed")]
    }
    let name = words.joined(separator: " ")
    if corrections.contains(name) {
      let isSet = "lower(\(column)) NOT IN (\(list(nothing))) AND ltrim(\(column), '-0.,') <> ''"
      return [Rule(condition: isSet, what: "what takes something back")]
    }
    guard sides.contains(name) else { return nil }
    let cells = cells(of: others)
    let isOther =
      "lower(\(column)) IN (\(list(sold))) AND instr(\(cells), '\"BUY\"') "
      + "OR lower(\(column)) IN (\(list(bought))) AND instr(\(cells), '\"SELL\"')"
    return [Rule(condition: isOther, what: "another side than the rest of its row")]
  }

  /// Returns the cells of columns in SQL, as JSON in capitals.
  private static func cells(of columns: [String]) -> String {
    // SQLite allows 100 arguments.
    "upper(json_array(\(columns.prefix(95).map(SheetTable.identifier).joined(separator: ", "))))"
  }

  /// Returns the rules of a column of the unit of amounts, or of the currency of prices; nil for any other.
  private static func unitRules(_ words: [String], _ column: String, _ others: [String]) -> [Rule]? {
    guard let last = words.last else { return nil }
    let cells = cells(of: others)
    let isSame = "instr(\(cells), '\"' || upper(\(column)) || '\"')"
    let isNamed = "(\(isSame) OR length(\(column)) > 2 AND instr(\(cells), upper(\(column))))"
    if unitNames.contains(last) || words == ["units"] {
      let isPart = "\(column) GLOB '[mµμu][A-Z][A-Z][A-Z]*' OR lower(\(column)) IN (\(list(parts)))"
      let isOther = "lower(\(column)) NOT IN (\(list(wholes))) AND ltrim(\(column), '-0.,') <> ''"
      let isText = last.hasPrefix("unit") ? " AND \(column) GLOB '*[A-Za-z]*'" : ""
      return [
        Rule(
          condition: "(\(isPart)) AND NOT \(isSame)", what: "its amounts are in another unit", isFault: true),
        Rule(condition: "\(isOther)\(isText) AND NOT \(isNamed)", what: "another unit"),
      ]
    }
    guard words.count > 1, units.contains(last), priced.contains(words[0]) else { return nil }
    let hasMoney = "(" + currencies.map { "instr(\(cells), '\($0)')" }.joined(separator: " OR ") + ")"
    return [
      Rule(
        condition: "\(column) GLOB '*[A-Za-z]*' AND NOT \(isNamed) AND \(hasMoney)",
        what: "another currency than the rest of its row")
    ]
  }

  /// Returns words as a list of SQL.
  private static func list(_ words: some Sequence<String>) -> String {
    words.sorted().map { "'\($0)'" }.joined(separator: ", ")
  }

  /// Returns the condition in SQL that a column in small letters is like one of several patterns.
  private static func isLike(_ patterns: [String], _ column: String) -> String {
    patterns.map { "lower(\(column)) GLOB '\($0)'" }.joined(separator: " OR ")
  }

  /// Returns whether a word is about coins that were lent or are those of a contract.
  static func isOfContracts(_ word: String) -> Bool {
    ["leverage", "margin", "position", "reduce", "contract", "future", "perp"].contains(where: word.hasPrefix)
  }
}
