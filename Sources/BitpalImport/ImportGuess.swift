import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// An import file guessed from one CSV file, by the names of its columns and by their content.
///
/// Anything uncertain is left to the user, with a comment that begins with TODO; the file can be loaded all the same.
package struct ImportGuess: Sendable {
  /// The meaning that was found for one column of the file, and the reason.
  package struct Field: Hashable, Sendable {
    /// The name of the column in an import's SELECT, such as `amount`.
    package let name: String

    /// The name of the column in the file.
    package let source: String

    /// The certainty: `certain`, `likely` or `guess`.
    package let sure: String

    /// The reason, in a few words.
    package let why: String
  }

  /// The text of the import file, in YAML.
  package private(set) var text = ""

  /// The columns that were found.
  package private(set) var fields: [Field] = []

  /// The points that the user should check, one sentence each.
  package private(set) var notes: [String] = []

  /// Whether the file has an example, made of its first rows.
  package private(set) var hasExample = false

  let id: String
  let sheet: CSVSheet

  /// The first rows, at most 500; each has as many fields as the header.
  let rows: [[String]]
  private var columns: [ImportReader.Column: Int] = [:]

  /// The evidence for the column of the amount.
  private(set) var amountEvidence = AmountEvidence.name

  /// The most rows that are examined.
  private static let mostRows = 500

  /// Guesses an import from a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  ///   - id: The id of the import.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that is not text, has no header or one
  ///   with control characters, or no rows.
  package init(_ bytes: [UInt8], name: String, id: String) throws(BitpalError) {
    self.id = id
    let headers: [CSVSheet.Header]
    do throws(BodyFault) {
      headers = try CSVSheet.headers(
        in: bytes, within: ImportSpecification.usualSkip + 1, delimiters: ImportSpecification.usualDelimiters)
    } catch {
      throw .dataFile(path: "\(name):\(error.line):\(error.column)", reason: error.message)
    }
    // Lines before a header have fewer fields, and rows below it as many; so the first line with the most names wins.
    let best = headers.filter { header in header.names.contains { Double($0) == nil } }
      .max { (Self.named($0), -$0.line) < (Self.named($1), -$1.line) }
    guard let best else {
      throw .dataFile(path: name, reason: "no line of it is a header: names of columns with , ; or a tab between them")
    }
    if let odd = best.names.first(where: { !YAMLText.canHold($0) || $0.contains("\n") }) {
      throw .dataFile(
        path: "\(name):\(best.line)",
        reason:
          "the column \(odd.printable(limit: 60)) has a control character, or another that YAML cannot hold, in its name"
      )
    }
    let sheet = CSVSheet(bytes, header: best)
    let rows = sheet.first(Self.mostRows)
    guard !rows.isEmpty else {
      throw .dataFile(path: name, reason: "there is no row below the header on line \(best.line)")
    }
    self.sheet = sheet
    self.rows = rows
    find()
    write()
  }

  /// Returns the number of columns with a name in the file; the others are called `c0`, `c1` and so on.
  private static func named(_ header: CSVSheet.Header) -> Int {
    header.names.enumerated().count { $1 != "c\($0)" }
  }

  // MARK: Finding columns

  /// The words that identify columns by name, tried in this order: the more specific ones come first.
  private static let words: [(ImportReader.Column, [String])] = [
    (
      .feeCoin,
      ["fee currency", "fee coin", "fee asset", "fee cur", "commission asset", "commission currency", "feecurrency"]
    ),
    (
      .sentCoin,
      ["sent currency", "sent coin", "sent asset", "sell currency", "from currency", "from coin", "from asset"]
    ),
    (
      .receivedCoin,
      ["received currency", "received coin", "received asset", "buy currency", "to currency", "to coin", "to asset"]
    ),
    (.sent, ["sent amount", "sent quantity", "sell amount", "from amount", "sent"]),
    (.received, ["received amount", "received quantity", "buy amount", "to amount", "received"]),
    (.fee, ["fee", "commission", "gebühr", "frais"]),
    (.price, ["unit price", "price per", "spot price", "price", "rate", "kurs", "prix"]),
    (.currency, ["price currency", "quote currency", "fiat currency", "counter currency", "quote"]),
    (.total, ["subtotal", "total", "cost", "proceeds", "value", "paid", "net amount", "betrag"]),
    (
      .amount,
      [
        "quantity", "qty", "volume", "vol", "units", "size", "executed", "base amount", "amount", "change", "anzahl",
        "menge",
      ]
    ),
    (
      .coin,
      ["asset", "coin", "symbol", "ticker", "base currency", "crypto", "code", "currency", "token", "instrument"]
    ),
    (.date, ["date", "time", "timestamp", "datum", "created"]),
    (.type, ["transaction type", "type", "side", "action", "operation", "way", "kind", "direction"]),
    (.notes, ["note", "comment", "description", "memo", "remark"]),
  ]

  private mutating func find() {
    let names = sheet.header.names.map { $0.lowercased() }
    for (column, words) in Self.words where columns[column] == nil {
      for word in words {
        let index = names.indices.first { index in
          names[index].contains(word) && !columns.values.contains(index) && fits(column, index)
        }
        guard let index else { continue }
        columns[column] = index
        let isSame = names[index] == word
        fields.append(
          Field(
            name: column.name, source: sheet.header.names[index], sure: isSame ? "certain" : "likely",
            why: isSame ? "it is called so" : "its name has \"\(word)\" in it" + seen(index)))
        break
      }
    }
    proveAmount(names)
    if columns[.date] == nil, let index = names.indices.first(where: { fits(.date, $0) }) {
      columns[.date] = index
      fields.append(
        Field(name: "date", source: sheet.header.names[index], sure: "guess", why: "what stands in it is a date"))
    }
  }

  // MARK: The amount

  /// The evidence for the column of the amount.
  enum AmountEvidence: Hashable, Sendable {
    /// Amount × price is another column, whose name is given.
    case product(of: String)

    /// Only the name of the column, which is the only such name.
    case name

    /// None, because several columns have such a name.
    case none
  }

  /// Finds the column whose product with the price is another column: it is the amount, whatever its name is.
  ///
  /// A name alone does not distinguish coins from money: files have `Amount Fiat` before `Amount Asset`.
  private mutating func proveAmount(_ names: [String]) {
    guard !hasLegs, let named = columns[.amount] else { return }
    let taken = Set(columns.filter { $0.key != .amount && $0.key != .total }.values)
    let numbers = names.indices.filter { !taken.contains($0) && fits(.amount, $0) && !values(at: $0).isEmpty }
    if let price = columns[.price] {
      var proofs: [(amount: Int, total: Int)] = []
      for amount in numbers {
        for total in numbers where total != amount && isProduct(total, of: amount, and: price) {
          proofs.append((amount, total))
        }
      }
      if let proof = proofs.first, Set(proofs.map(\.amount)).count == 1 {
        let total = sheet.header.names[proof.total]
        amountEvidence = .product(of: total)
        setAmount(proof.amount, sure: "certain", why: "times the price it is \(total.printable(limit: 40))")
        return
      }
    }
    let words = Self.words.first { $0.0 == .amount }?.1 ?? []
    let rivals = numbers.filter { index in words.contains { names[index].contains($0) } }
    amountEvidence = rivals.count > 1 ? .none : .name
    if rivals.count > 1 {
      setAmount(
        named, sure: "guess",
        why:
          "so may be \(rivals.filter { $0 != named }.map { sheet.header.names[$0].printable(limit: 40) }.joined(separator: ", "))"
      )
    }
  }

  private mutating func setAmount(_ index: Int, sure: String, why: String) {
    columns[.amount] = index
    // One column cannot be both the amount and the total.
    if columns[.total] == index { columns[.total] = nil }
    fields.removeAll { $0.name == "amount" || $0.name == "total" && $0.source == sheet.header.names[index] }
    fields.append(Field(name: "amount", source: sheet.header.names[index], sure: sure, why: why))
  }

  private func values(at index: Int) -> [String] { rows.map { $0[index] }.filter { !$0.isEmpty && $0 != "-" } }

  /// Whether a column is the product of two others within 0.5 % in every row with all three, of which one proves it.
  private func isProduct(_ total: Int, of amount: Int, and price: Int) -> Bool {
    var count = 0
    for row in rows {
      guard let total = number(row[total]), let amount = number(row[amount]), let price = number(row[price]),
        total != 0, let product = amount.converted(at: price)
      else { continue }
      let distance = product > total ? product - total : total - product
      guard distance * 200 <= total else { return false }
      // With a price of 1 every amount equals its total, which proves nothing.
      if amount != total, price != 1 { count += 1 }
    }
    return count > 0
  }

  /// Returns a number without its sign, read with the file's decimal mark; nil for any other text.
  private func number(_ text: String) -> Decimal? {
    var digits = text.filter { $0.isNumber || $0 == "." || $0 == "," }
    if decimal.mark == .comma {
      digits = digits.replacing(".", with: "").replacing(",", with: ".")
    } else {
      digits = digits.replacing(",", with: "")
    }
    return try? Decimal(strict: digits)
  }

  private func seen(_ index: Int) -> String {
    let value = rows.lazy.map { $0[index] }.first { !$0.isEmpty }
    return value.map { ", as in \($0.printable(limit: 30))" } ?? ""
  }

  /// Whether the values of a column have the form that the meaning requires.
  private func fits(_ column: ImportReader.Column, _ index: Int) -> Bool {
    let values = rows.map { $0[index] }.filter { !$0.isEmpty && $0 != "-" }
    switch column {
    case .date: return !values.isEmpty && values.allSatisfy { ImportDate($0) != nil }
    case .sent, .received, .fee, .price, .total, .amount, .value: return values.allSatisfy(Self.isNumber)
    case .coin, .sentCoin, .receivedCoin, .feeCoin, .currency:
      return !values.isEmpty && values.allSatisfy { $0.utf8.count <= 30 && !Self.isNumber($0) }
    case .type: return !values.isEmpty && Set(values).count <= 60 && !values.contains(where: Self.isNumber)
    case .line, .notes, .label, .group, .fault: return true
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    let digits = text.drop { "-+$€£ ".contains($0) }
    return !digits.isEmpty && digits.first.map { $0.isNumber || $0 == "." } == true
      && digits.allSatisfy { $0.isNumber || ".,' ".contains($0) }
  }

  // MARK: Content of the file

  /// Returns the quoted name of a column for SQL; nil when the file has no such column.
  func identifier(_ column: ImportReader.Column) -> String? {
    columns[column].map { "\"" + sheet.header.names[$0].replacing("\"", with: "\"\"") + "\"" }
  }

  func values(_ column: ImportReader.Column) -> [String] {
    columns[column].map { index in rows.map { $0[index] }.filter { !$0.isEmpty } } ?? []
  }

  /// Whether the file has columns for both the sent and the received amount.
  var hasLegs: Bool { columns[.sent] != nil && columns[.received] != nil }

  /// The only order of day, month and year that fits all dates; nil when several fit or none does.
  var dateOrder: DateOrder? {
    let dates = values(.date).compactMap(ImportDate.init)
    let isPlain = dates.allSatisfy { if case .numbers = $0 { false } else { true } }
    if isPlain { return .ymd }
    let orders = DateOrder.allCases.filter { order in dates.allSatisfy { $0.instant(in: order) != nil } }
    return orders.count == 1 ? orders.first : nil
  }

  /// The decimal mark where only one fits all numbers; `isOpen` is true when both or neither fit.
  ///
  /// Numbers without a comma need no mark.
  var decimal: (mark: DecimalMark?, isOpen: Bool) {
    let numbers = [ImportReader.Column.amount, .price, .total, .fee, .sent, .received].flatMap(values)
      .map { $0.filter { $0.isNumber || $0 == "." || $0 == "," } }.filter { $0.contains(",") }
    guard !numbers.isEmpty else { return (nil, false) }
    let marks = DecimalMark.allCases.filter { mark in
      numbers.allSatisfy { text in
        var text = text
        return text.withUTF8 { mark.marks?.plain($0) } != nil
      }
    }
    return marks.count == 1 ? (marks.first, false) : (nil, true)
  }

  // MARK: Writing

  private mutating func write() {
    if columns[.date] == nil { notes.append("no column holds dates; say in the SELECT which it is") }
    if dateOrder == nil { notes.append("its dates can be read in several ways; dates: has to say which") }
    if decimal.isOpen { notes.append("its numbers can be read with a comma or a point; decimal: has to say which") }
    if !hasLegs {
      for column in [ImportReader.Column.type, .coin, .amount] where columns[column] == nil {
        notes.append("no column is the \(column.name)")
      }
      let open = typeWords.filter { $0.type == nil }.map(\.word)
      if !open.isEmpty {
        notes.append(
          "say what is \(open.prefix(5).map { "\"\($0.printable(limit: 30))\"" }.joined(separator: ", ")): buy, sell, receive, send or skip"
        )
      }
      if columns[.amount] != nil, amountEvidence == .name {
        notes.append("no column is amount × price, so nothing proves that the amount counts coins; look at its TODO")
      }
      if columns[.amount] != nil, amountEvidence == .none {
        notes.append("several columns may be the amount, and nothing proves which counts coins; say it at its TODO")
      }
      if columns[.price] == nil, columns[.total] == nil {
        notes.append("no column says what one cost or what all came to")
      }
    }
    let file = GuessedImport(self)
    text = file.text
    hasExample = file.hasExample
    if !hasExample { notes.append("no row of it comes out yet, so that it has no example") }
  }

  /// The distinct values of the type's column, each with the type and label that it means; nil where unknown.
  ///
  /// Values with characters that no YAML can hold are left out.
  var typeWords: [(word: String, type: String?, label: String?)] {
    var seen: Set<String> = []
    return values(.type).filter { YAMLText.canHold($0) && seen.insert($0).inserted }.map { word in
      let lower = word.lowercased()
      func has(_ parts: String...) -> Bool { parts.contains { lower.contains($0) } }
      if has("buy", "bought", "purchase", "kauf") && !has("verkauf") { return (word, "buy", nil) }
      if has("sell", "sold", "sale", "verkauf") { return (word, "sell", nil) }
      if has("staking", "reward", "bonus", "mining", "earn") { return (word, "receive", "reward") }
      if has("interest") { return (word, "receive", "interest") }
      if has("airdrop", "fork") { return (word, "receive", "airdrop") }
      if has("deposit", "receive", "incoming") { return (word, "receive", "transfer") }
      if has("withdraw", "send", "sent", "outgoing") { return (word, "send", "transfer") }
      if has("fee") { return (word, "send", "fee") }
      return (word, nil, nil)
    }
  }
}
