import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The outline of an import file for one CSV file: its columns with sample values, the fields that are beyond doubt, and a
/// TODO for each other.
///
/// A field is beyond doubt when arithmetic proves it, when every value of a column has one meaning, or when the column has
/// exactly the usual name and no other column has one too. Nothing else is proposed: a wrong column costs more than a TODO.
package struct ImportOutline: Sendable {
  /// The fields, the points to decide, and the text of the import file.
  package private(set) var outline = Outline()

  private let names: [String]
  private let delimiter: UInt8
  private let rows: [[String]]
  private var places: [ImportReader.Column: Int] = [:]

  /// The most rows that are examined.
  private static let mostRows = 500

  /// Makes the outline of a file.
  ///
  /// - Parameters:
  ///   - bytes: The file.
  ///   - name: The file's name in messages.
  ///   - id: The id of the import.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that is not text, has no header or one
  ///   with control characters, or no rows.
  package init(_ bytes: [UInt8], name: String, id: String) throws(BitpalError) {
    let headers: [CSVSheet.Header]
    let bytes = try ImportRecognition.text(of: bytes, name: name).text
    do throws(BodyFault) {
      headers = try CSVSheet.headers(
        in: bytes, within: ImportSpecification.usualSkip + 1, delimiters: ImportSpecification.usualDelimiters)
    } catch {
      throw .dataFile(path: "\(name):\(error.line):\(error.column)", reason: error.message)
    }
    // Lines before a header have fewer fields or names, and rows below it have data in them.
    func rank(_ header: CSVSheet.Header) -> (Int, Int, Int, Int) {
      let data = header.names.count { Self.number($0) != nil || ImportDate($0) != nil }
      return (-header.names.count, data, header.names.enumerated().count { $1 == "c\($0)" }, header.line)
    }
    guard let header = headers.min(by: { rank($0) < rank($1) }), rank(header).1 < header.names.count else {
      throw .dataFile(path: name, reason: "no line of it is a header: names of columns with , ; or a tab between them")
    }
    if let odd = header.names.first(where: { !YAMLText.canHold($0) || $0.contains("\n") }) {
      throw .dataFile(
        path: "\(name):\(header.line)",
        reason: "the column \(odd.printable(limit: 60)) has a character in its name that YAML cannot hold")
    }
    let rows = CSVSheet(bytes, header: header).first(Self.mostRows)
    guard !rows.isEmpty else {
      throw .dataFile(path: name, reason: "the file has no row below the header on line \(header.line)")
    }
    (names, delimiter, self.rows) = (header.names, header.delimiter, rows)
    find()
    write(id)
  }

  // MARK: Fields beyond doubt

  /// The names that mean a field, in small letters, without what stands in parentheses.
  private static let usual: [(column: ImportReader.Column, names: Set<String>)] = [
    (.date, ["date", "time", "datetime", "timestamp", "datum"]), (.coin, ["coin", "asset", "ticker"]),
    (.sent, ["sent amount"]), (.sentCoin, ["sent currency"]), (.received, ["received amount"]),
    (.receivedCoin, ["received currency"]), (.fee, ["fee", "fees", "fee amount", "gebühren"]),
    (.feeCoin, ["fee currency", "fee coin", "fee asset"]), (.currency, ["currency", "fiat currency"]),
    (.notes, ["note", "notes", "notiz", "comment"]),
  ]

  private static let words = [
    "buy": "buy", "bought": "buy", "purchase": "buy", "kauf": "buy", "achat": "buy", "sell": "sell", "sold": "sell",
    "sale": "sell", "verkauf": "sell", "vente": "sell",
  ]

  private mutating func find() {
    for (column, usual) in Self.usual {
      let found = names.indices.filter { usual.contains(Self.plain(names[$0])) && fits(column, $0) }
      if found.count == 1 { set(column, found[0], "its name") }
    }
    let typed = names.indices.filter { place in
      let values = Set(values(place).map { $0.lowercased() })
      return !values.isEmpty && values.allSatisfy { Self.words[$0] != nil }
    }
    // Notes may repeat the type.
    if let first = typed.first, typed.allSatisfy({ values($0) == values(first) }) {
      set(.type, first, "every value is a word for buying or selling")
    }
    proveAmount()
  }

  /// Finds amount, price and total by amount × price = total in every row, and which of the factors is the price by its name.
  private mutating func proveAmount() {
    let numeric = names.indices.filter { place in
      let values = rows.map { $0[place] }
      return values.allSatisfy { Self.number($0, mark) != nil } && !values.allSatisfy { Self.number($0, mark) == 0 }
    }
    var proofs: [(amount: Int, price: Int, total: Int)] = []
    for (index, left) in numeric.enumerated() {
      for right in numeric[(index + 1)...] {
        for total in numeric where total != left && total != right && isProduct(left, right, total) {
          let isPrice = [left, right].map { Self.isPriceName(names[$0]) }
          if isPrice == [true, false] { proofs.append((right, left, total)) }
          if isPrice == [false, true] { proofs.append((left, right, total)) }
        }
      }
    }
    guard let proof = proofs.first, proofs.allSatisfy({ $0.amount == proof.amount && $0.price == proof.price }) else {
      return
    }
    let why = "amount × price = total in \(rows.count == 1 ? "the only row" : "all \(rows.count) rows")"
    set(.amount, proof.amount, why)
    set(.price, proof.price, why)
    set(.total, proof.total, why)
  }

  private func isProduct(_ left: Int, _ right: Int, _ total: Int) -> Bool {
    rows.allSatisfy { row in
      guard let a = Self.number(row[left], mark), let b = Self.number(row[right], mark),
        let whole = Self.number(row[total], mark)
      else { return false }
      // Totals are rounded to cents.
      return abs(abs(a * b) - abs(whole))
        <= max(abs(whole) / 10_000, Decimal(sign: .plus, exponent: -2, significand: 1) / 2)
    } && rows.contains { Self.number($0[left], mark) != 1 && Self.number($0[right], mark) != 1 }
  }

  private mutating func set(_ column: ImportReader.Column, _ place: Int, _ why: String) {
    places[column] = place
    outline.take(column.name, from: names[place], why)
  }

  private func fits(_ column: ImportReader.Column, _ place: Int) -> Bool {
    let values = values(place)
    return switch column {
    case .date:
      !values.isEmpty && (values.allSatisfy { ImportDate($0) != nil } || areOfJavaScript(values))
        && (values.contains { $0.contains(":") } || !names.indices.contains(where: hasTimes))
    case .sent, .received, .fee: values.allSatisfy { Self.number($0, mark) != nil }
    case .currency: values.allSatisfy { CurrencyCoin.isCurrency($0.lowercased()) }
    case .coin, .sentCoin, .receivedCoin, .feeCoin:
      values.allSatisfy { Self.number($0) == nil && !$0.contains("/") }
    default: true
    }
  }

  /// Returns whether a column has times of day, such as `10:30:00.250`, beside one of days.
  private func hasTimes(_ place: Int) -> Bool {
    let values = values(place)
    return !values.isEmpty && values.allSatisfy { $0.contains(":") && $0.allSatisfy { "0123456789:.".contains($0) } }
  }

  // MARK: The text

  private mutating func write(_ id: String) {
    var lines = [
      "# The outline of one file, by `bitpal imports new`. Each TODO is a decision; docs/imports.md explains the keys.",
      "# Its columns, with the first values:",
    ]
    lines += Outline.samples(names.indices.map { (names[$0], values($0)) })
    lines += ["id: \(id)", "name: \(id)", "header: [\(names.map { JSONText.quoted($0) }.joined(separator: ", "))]"]
    if delimiter != UInt8(ascii: ",") {
      lines.append(
        "delimiter: \(delimiter == UInt8(ascii: "\t") ? "tab" : "\"\(Character(Unicode.Scalar(delimiter)))\"")")
    }
    lines += dateLines() + decimalLines()
    lines += ["", "select: |", "  SELECT line,"] + selectLines().map { "    " + $0 } + ["  FROM rows ORDER BY line"]
    lines += [
      "", "# What each row says came in and, below zero, went out: by other columns than above where there are some.",
      "movements: |",
    ]
    lines += movementLines().map { "  " + $0 }
    lines += unreadLines(lines)
    lines += [
      "", "# TODO examples: some rows and what must come of them; \"bitpal imports check \(id)\" runs them.", "",
    ]
    outline.text = lines.joined(separator: "\n")
    outline.leave("write examples")
  }

  /// The notation of `Date.prototype.toString` (ECMA-262, 21.4.4.41), of which no part has two meanings.
  private static let javaScript = try? TimePattern("EEE MMM dd yyyy HH:mm:ss 'GMT'Z")

  private func areOfJavaScript(_ values: [String]) -> Bool {
    values.allSatisfy { Array($0.utf8).withUnsafeBufferPointer { Self.javaScript?.instant($0) } != nil }
  }

  private mutating func dateLines() -> [String] {
    guard let place = places[.date] else { return [] }
    if areOfJavaScript(values(place)) { return ["dates: \"\(Self.javaScript?.text ?? "")\""] }
    let dates = values(place).compactMap(ImportDate.init)
    let orders = DateOrder.allCases.filter { order in dates.allSatisfy { $0.instant(in: order) != nil } }
    if orders.count == 1 || dates.allSatisfy({ if case .numbers = $0 { false } else { true } }) {
      return ["dates: \(orders.count == 1 ? orders[0].rawValue : "ymd")"]
    }
    outline.leave("dates: in which order day, month and year stand")
    return ["# TODO dates: dmy   or mdy, ymd: in which order its dates have day, month and year"]
  }

  /// The decimal mark that all numbers with a comma allow; nil when there are none, or none or several fit.
  private var mark: DecimalMark? { marks.count == 1 ? marks[0] : nil }

  private var marks: [DecimalMark] {
    let numbers = rows.joined().filter {
      $0.contains(",") && $0.allSatisfy { "0123456789.,-+ \u{A0}\u{202F}'".contains($0) }
    }
    guard !numbers.isEmpty else { return [] }
    return DecimalMark.allCases.filter { mark in numbers.allSatisfy { Self.number($0, mark) != nil } }
  }

  private mutating func decimalLines() -> [String] {
    if let mark { return ["decimal: \(mark.rawValue)"] }
    guard marks.count > 1 else { return [] }
    outline.leave("decimal: whether its numbers have a comma or a point")
    return ["# TODO decimal: comma   or point: what stands before the decimals"]
  }

  private mutating func selectLines() -> [String] {
    var lines: [String] = []
    let hasLegs = [ImportReader.Column.sent, .sentCoin, .received, .receivedCoin].allSatisfy { places[$0] != nil }
    lines.append(dateLine())
    lines += hasLegs ? statusLines(or: nil) : statusLines(or: typeLine())
    for column in hasLegs
      ? [.sent, .sentCoin, .received, .receivedCoin] : [ImportReader.Column.coin, .amount, .price, .currency]
    {
      lines.append(line(column))
    }
    for column in [ImportReader.Column.fee, .feeCoin, .notes] where places[column] != nil { lines.append(line(column)) }
    let likeFee = names.filter {
      places[.fee] == nil && ["fee", "gebühr", "commission", "frais"].contains(where: $0.lowercased().contains)
    }
    if !likeFee.isEmpty {
      outline.leave("fee: which of \(likeFee.map { "\"\($0)\"" }.joined(separator: ", ")) it is")
      lines.append(
        "'TODO' AS fee,  -- TODO \(likeFee.joined(separator: ", ").replacing("\n", with: " ")), or none of them")
    }
    // The comma of the last column goes, which may stand before a comment.
    if let last = lines.popLast() {
      let parts = last.components(separatedBy: ",  -- ")
      lines.append(parts.count == 2 ? "\(parts[0])  -- \(parts[1])" : String(last.dropLast()))
    }
    return lines
  }

  private mutating func dateLine() -> String {
    if places[.date] != nil { return line(.date) }
    outline.leave("date: which column it is; dates: takes patterns")
    return "'TODO' AS date,  -- TODO a column; dates: takes patterns such as dd.MM.yyyy HH:mm"
  }

  private mutating func typeLine() -> String {
    let signed = places[.amount].map(signs) ?? []
    if let place = places[.type] {
      let cases = Set(values(place)).sorted().map { "WHEN \(Self.sql($0)) THEN '\(Self.words[$0.lowercased()] ?? "")'" }
      return "CASE \(identifier(place)) \(cases.joined(separator: " ")) END"
    }
    if signed == [false, true], let place = places[.amount] {
      return "CASE WHEN \(identifier(place)) LIKE '-%' THEN 'sell' ELSE 'buy' END"
    }
    let negative = names.indices.filter { signs($0) == [false, true] }.map { names[$0] }
    outline.leave(
      "type: buy, sell, receive, send or skip, by a column"
        + (negative.isEmpty ? "" : " or by the sign of \(negative.map { "\"\($0)\"" }.joined(separator: ", "))"))
    return "'TODO'"
  }

  /// The words of a column that says that a row was not executed.
  private static let failed = ["cancel", "reject", "fail", "expired", "pending", "open", "storniert", "abgelehnt"]

  /// Returns the type, with a TODO for the rows of a status that were not executed.
  private mutating func statusLines(or type: String?) -> [String] {
    for place in names.indices where place != places[.notes] && place != places[.type] {
      let words = Set(values(place))
      let failed = words.filter { word in Self.failed.contains { word.lowercased().hasPrefix($0) } }.sorted()
      guard !failed.isEmpty, words.count <= 12 else { continue }
      outline.leave(
        "\"\(names[place])\": what becomes of \(failed.map { "\"\($0)\"" }.joined(separator: ", ")), such as skip")
      return [
        "CASE WHEN \(identifier(place)) IN (\(failed.map(Self.sql).joined(separator: ", "))) THEN 'TODO'\(type.map { " ELSE \($0)" } ?? "") END AS type,"
          + "  -- TODO 'skip' for what was not executed"
      ]
    }
    return type.map { ["\($0) AS type,"] } ?? []
  }

  private mutating func line(_ column: ImportReader.Column) -> String {
    guard let place = places[column] else {
      if column == .currency {
        outline.leave("currency: a column, or a code such as 'EUR'")
        return "'TODO' AS currency,  -- TODO a column, or a code such as 'EUR'; NULL for that of the portfolio"
      }
      let taken = Set(places.values)
      let names = names.indices.filter { place in
        !taken.contains(place) && isNumeric(place) == (column != .coin) && !values(place).isEmpty
      }.map { self.names[$0] }
      outline.leave("\(column.name): which column it is")
      return "'TODO' AS \(column.name),  -- TODO \(names.prefix(8).joined(separator: ", ").replacing("\n", with: " "))"
    }
    guard Self.numeric.contains(column) else { return "\(identifier(place)) AS \(column.name)," }
    let signs = signs(place)
    guard signs.contains(true) else { return "number(\(identifier(place))) AS \(column.name)," }
    // The sign repeats the type, or takes a row back.
    let types = places[.type].map { type in
      rows.allSatisfy { row in (Self.words[row[type].lowercased()] == "sell") == row[place].hasPrefix("-") }
    }
    if types ?? (places[.type] == nil), column == .amount || column == .total {
      return "number(ltrim(\(identifier(place)), '-')) AS \(column.name),"
    }
    outline.leave("\(column.name): what the sign of \"\(names[place])\" means")
    return
      "'TODO' AS \(column.name),  -- TODO number(\(identifier(place).replacing("\n", with: " "))), which is below zero in some rows"
  }

  private mutating func movementLines() -> [String] {
    if outline.points.isEmpty, let coin = places[.coin], let amount = places[.amount], let total = places[.total],
      let type = places[.type]
    {
      let sells = Set(values(type)).filter { Self.words[$0.lowercased()] == "sell" }.sorted().map(Self.sql)
      let isSale = "\(identifier(type)) IN (\(sells.isEmpty ? "''" : sells.joined(separator: ", ")))"
      let money = places[.currency].map(identifier) ?? "NULL"
      var lines = [
        "SELECT line, \(identifier(coin)) AS coin, iif(\(isSale), '-', '') || number(\(identifier(amount))) AS change, '0' AS within FROM rows",
        "UNION ALL SELECT line, \(money), iif(\(isSale), '', '-') || number(\(identifier(total))), '0.01' FROM rows",
      ]
      if let fee = places[.fee] {
        lines.append(
          "UNION ALL SELECT line, \(places[.feeCoin].map(identifier) ?? money), decimal_sub('0', number(\(identifier(fee)))), '0' FROM rows"
        )
      }
      return lines
    }
    outline.leave("movements: what each row moves")
    return [
      "SELECT line, 'TODO' AS coin, '0' AS change FROM rows  -- TODO a column of signed amounts, or the sums with their fees"
    ]
  }

  /// Returns a TODO for the columns with numbers that no line of the file names, such as a tax.
  private mutating func unreadLines(_ lines: [String]) -> [String] {
    let named = Set(places.values)
    let unread = names.indices.filter { place in
      isNumeric(place) && values(place).contains { Self.number($0, mark) != 0 } && !named.contains(place)
        && !lines.contains { !$0.hasPrefix("#") && !$0.hasPrefix("header:") && $0.contains(names[place]) }
    }.map { names[$0] }
    guard !unread.isEmpty else { return [] }
    outline.leave(
      "nothing reads \(unread.map { "\"\($0)\"" }.joined(separator: ", ")): whether they are a part of what was paid")
    return ["", "# TODO nothing reads these columns yet: \(unread.joined(separator: ", ").replacing("\n", with: " "))"]
  }

  // MARK: Content of the file

  private static let numeric: Set<ImportReader.Column> = [.amount, .price, .total, .fee, .sent, .received]

  private func identifier(_ place: Int) -> String { "\"" + names[place].doubling("\"") + "\"" }

  private static func sql(_ text: String) -> String { "'" + text.doubling("'") + "'" }

  private func values(_ place: Int) -> [String] {
    rows.map { $0[place] }.filter { !$0.isEmpty && YAMLText.canHold($0) }
  }

  private func isNumeric(_ place: Int) -> Bool {
    let values = values(place)
    return !values.isEmpty && values.allSatisfy { Self.number($0, mark) != nil }
  }

  /// Returns whether the numbers of a column are below zero: `[false]`, `[true]`, or both for both.
  private func signs(_ place: Int) -> [Bool] {
    guard isNumeric(place) else { return [] }
    return Set(values(place).map { $0.hasPrefix("-") }).sorted { !$0 && $1 }
  }

  /// Returns a name in small letters, without what stands in parentheses behind it.
  private static func plain(_ name: String) -> String {
    name.lowercased().replacing(/\s*\(.*\)$/, with: "").replacing("_", with: " ")
  }

  private static func isPriceName(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["price", "kurs", "rate", "preis"].contains { name.contains($0) } && !name.contains("wechsel")
      && !name.contains("exchange")
  }

  private static func number(_ text: String, _ mark: DecimalMark? = nil) -> Decimal? {
    var text = text.filter { !" \u{A0}\u{202F}'".contains($0) }
    if let plain = text.withUTF8({ bytes in mark?.marks.plain(bytes).map { String(decoding: $0, as: UTF8.self) } }) {
      text = plain
    }
    return try? Decimal(strict: text)
  }
}
