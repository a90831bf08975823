import BitpalJSON
import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// The text of an import file that was guessed, with an example made of the first rows that come out.
struct GuessedImport {
  private let guess: ImportGuess
  private(set) var hasExample = false
  private(set) var text = ""

  /// The most rows of the file that become the example.
  private static let exampleRows = 3

  init(_ guess: ImportGuess) {
    self.guess = guess
    var lines = [
      "# Guessed from one file by `bitpal imports new`. What is not certain says TODO; docs/imports.md explains the rest.",
      "id: \(guess.id)", "name: \(guess.id)",
      "header: [\(guess.sheet.header.names.map(quoted).joined(separator: ", "))]",
    ]
    if guess.sheet.header.delimiter != UInt8(ascii: ",") {
      let delimiter = guess.sheet.header.delimiter
      lines.append("delimiter: \(delimiter == UInt8(ascii: "\t") ? "tab" : "\"\(String(UnicodeScalar(delimiter)))\"")")
    }
    lines.append(
      guess.dateOrder.map { "dates: \($0.rawValue)" }
        ?? "# TODO dates: dmy   or mdy, ymd: in which order its dates have day, month and year")
    if let mark = guess.decimal.mark { lines.append("decimal: \(mark.rawValue)") }
    if guess.decimal.isOpen { lines.append("# TODO decimal: comma   or point: what stands before its decimals") }
    lines += ["", "select: |"]
    let select = Self.select(guess)
    lines += select.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }
    let example = example(select)
    hasExample = !example.isEmpty
    lines += [
      "",
      hasExample
        ? "# Made of its first rows; `bitpal imports check \(guess.id)` runs it."
        : "# TODO examples: see docs/imports.md",
    ]
    text = (lines + example).joined(separator: "\n") + "\n"
  }

  // MARK: The SELECT

  private static func select(_ guess: ImportGuess) -> String {
    var columns = ["line"]
    func add(_ expression: String, _ column: ImportReader.Column) { columns.append("\(expression) AS \(column.name)") }
    func addPlain(_ column: ImportReader.Column) { if let name = guess.identifier(column) { add(name, column) } }
    func addNumber(_ column: ImportReader.Column) {
      guard let name = guess.identifier(column) else { return }
      let hasMarks = guess.values(column).contains { $0.contains { "-+$€£ ".contains($0) } }
      add(hasMarks ? "number(ltrim(nullif(\(name), '-'), '-+$€£ '))" : "number(\(name))", column)
    }
    add(guess.identifier(.date) ?? "'TODO'", .date)
    if guess.hasLegs {
      for column in [ImportReader.Column.sent, .received] { addNumber(column) }
      for column in [ImportReader.Column.sentCoin, .receivedCoin] { addPlain(column) }
    } else {
      add(type(guess) ?? "'TODO'", .type)
      if let label = label(guess) { add(label, .label) }
      add(guess.identifier(.coin) ?? "'TODO'", .coin)
      addNumber(.amount)
      if let amount = guess.identifier(.amount), let last = columns.indices.last {
        switch guess.amountEvidence {
        case .product: break
        case .name: columns[last] = "-- TODO nothing proves that this counts coins\n  " + columns[last]
        case .none: columns[last] = "-- TODO which column counts coins? \(comment(amount))\n  'TODO' AS amount"
        }
      }
      addNumber(.price)
      if guess.identifier(.price) == nil { addNumber(.total) }
      addPlain(.currency)
    }
    addNumber(.fee)
    addPlain(.feeCoin)
    addPlain(.notes)
    return "SELECT " + columns.joined(separator: ",\n  ") + "\nFROM rows ORDER BY line"
  }

  private static func comment(_ text: String) -> String { text.filter { !$0.isNewline } }

  private static func type(_ guess: ImportGuess) -> String? {
    guard let name = guess.identifier(.type) else { return nil }
    let words = guess.typeWords
    if words.allSatisfy({ $0.type != nil && $0.word == $0.type }) { return name }
    // A CASE needs a branch that is not a comment.
    let first = words.contains { $0.type != nil } ? "" : "\n    WHEN 'buy' THEN 'buy'"
    return "CASE \(name)\(first)"
      + words.map { word, type, _ in
        "\n    "
          + (type.map { "WHEN \(text(word)) THEN '\($0)'" }
            ?? "-- TODO WHEN \(text(word)) THEN 'buy', 'sell', 'receive', 'send' or 'skip'")
      }.joined() + "\n    ELSE \(name) END"
  }

  private static func label(_ guess: ImportGuess) -> String? {
    let words = guess.typeWords.compactMap { word, _, label in label.map { (word, $0) } }
    guard let name = guess.identifier(.type), !words.isEmpty else { return nil }
    return "CASE \(name)" + words.map { "\n    WHEN \(text($0)) THEN '\($1)'" }.joined() + "\n    END"
  }

  /// Returns a text literal in SQL, without line breaks, because they would end a comment.
  private static func text(_ text: String) -> String {
    "'" + text.replacing("'", with: "''").filter { !$0.isNewline } + "'"
  }

  private func quoted(_ text: String) -> String { JSONValue.string(text).compact(.plain) }

  // MARK: The example

  /// Returns the lines of an example of the first rows that can be imported; none when no row can be.
  private func example(_ select: String) -> [String] {
    var specification = ImportSpecification(id: guess.id, name: guess.id, select: DeclaredText(select))
    specification.headers = [guess.sheet.header.names]
    specification.delimiter = guess.sheet.header.delimiter
    if let order = guess.dateOrder { specification.dates = .numbers(order) }
    specification.decimal = guess.decimal.mark
    guard let reader = try? ImportReader(specification) else { return [] }
    var good: [[String]] = []
    for row in guess.rows.lazy.filter({ $0.allSatisfy(YAMLText.canHold) }) where good.count < Self.exampleRows {
      if let one = read([row], by: reader), !one.isEmpty { good.append(row) }
    }
    guard let transactions = read(good, by: reader), !transactions.isEmpty else { return [] }
    var lines = ["examples:", "  - csv: |"] + csv(good).map { "      " + $0 }
    if let currency = transactions.lazy.compactMap(\.currency).first { lines.append("    currency: \(currency)") }
    lines.append("    value: zero")
    lines.append("    rows:")
    return lines
      + transactions.map { row in
        let transaction = row.transaction
        let price = transaction.pricePerCoin.map { ", price: \($0.plainText)" } ?? ""
        return
          "      - { date: \(transaction.date.iso8601), type: \(transaction.type.rawValue), coin: \(quoted(transaction.coinId)), "
          + "amount: \(transaction.amount.plainText)\(price) }"
      }
  }

  private func csv(_ rows: [[String]]) -> [String] {
    let delimiter = String(UnicodeScalar(guess.sheet.header.delimiter))
    func field(_ text: String) -> String {
      let text = text.filter { !$0.isNewline }
      return text.contains(delimiter) || text.contains("\"") || text.hasPrefix(" ") || text.hasSuffix(" ")
        ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
    }
    return ([guess.sheet.header.names] + rows).map { $0.map(field).joined(separator: delimiter) }
  }

  private func read(_ rows: [[String]], by reader: ImportReader) -> [ImportedTransaction]? {
    let bytes = Array(csv(rows).joined(separator: "\n").utf8)
    guard
      case .known(_, let file)? = try? ImportRecognition(
        bytes, name: "csv", among: [reader.specification], isOwnKnown: false),
      let sheet = try? reader.read(
        file, name: "csv", options: ImportOptions(currency: nil, now: .distantFuture, value: .zero))
    else { return nil }
    return try? sheet.transactions(ids: Dictionary(uniqueKeysWithValues: sheet.coins.map { ($0, $0) }))
  }
}
