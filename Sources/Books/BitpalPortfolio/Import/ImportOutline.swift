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

  let names: [String]
  private let delimiter: UInt8
  let rows: [[String]]

  /// The first row below the others that is not like them; nil for none.
  private let footer: [String]?

  /// The decimal marks that all numbers with a comma allow; none when there are none.
  let marks: [DecimalMark]
  private(set) var places: [ImportReader.Column: Int] = [:]

  /// The columns that hold what was taken from a trade, by their names.
  private let costs: Set<Int>

  /// The columns that a TODO names as candidates, and those whose words decide what becomes of a row.
  private var named: Set<Int> = []
  private var states: Set<Int> = []

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
      return (-header.names.count, data, header.names.indices.count { !header.isNamed($0) }, header.line)
    }
    guard let header = headers.min(by: { rank($0) < rank($1) }), rank(header).1 < header.names.count else {
      throw .dataFile(path: name, reason: "no line of it is a header: names of columns with , ; or a tab between them")
    }
    if let odd = header.names.first(where: { !YAMLText.canHold($0) || $0.contains("\n") }) {
      throw .dataFile(
        path: "\(name):\(header.line)",
        reason: "the column \(odd.printable(limit: 60)) has a character in its name that YAML cannot hold")
    }
    let sheet = CSVSheet(bytes, header: header)
    let rows = sheet.first(Self.mostRows)
    if rows.isEmpty, let fault = sheet.firstFault {
      throw .dataFile(path: "\(name):\(fault.line)", reason: "\(fault.message), and so has every other row")
    }
    guard !rows.isEmpty else {
      throw .dataFile(path: name, reason: "the file has no row below the header on line \(header.line)")
    }
    let footers = Self.footers(of: rows)
    (names, delimiter, self.rows) = (header.names, header.delimiter, rows.dropLast(footers))
    footer = footers > 0 ? rows[rows.count - footers] : nil
    marks = Self.marks(of: self.rows)
    costs = Set(header.names.indices.filter { UnreadColumns.isCost(header.names[$0]) })
    find()
    write(id)
  }

  // MARK: Fields beyond doubt

  /// The names that mean a field, in small letters, without what stands in parentheses.
  private static let usual: [(column: ImportReader.Column, names: Set<String>)] = [
    (.date, ["date", "time", "datetime", "timestamp", "datum"]), (.coin, ["coin", "asset"]),
    (.fee, ["fee", "fees", "fee amount", "gebühren"]),
    (.currency, ["currency", "fiat currency"]), (.notes, ["note", "notes", "notiz", "comment"]),
  ]

  private static let words = [
    "buy": "buy", "bought": "buy", "purchase": "buy", "kauf": "buy", "achat": "buy", "sell": "sell", "sold": "sell",
    "sale": "sell", "verkauf": "sell", "vente": "sell",
  ]

  /// The columns of what was sent and received, each with the beginnings of its names.
  private static let legs: [(column: ImportReader.Column, beginnings: Set<String>)] = {
    let sent: Set = ["sent", "sell", "sold", "out", "outgoing", "input", "from"]
    let received: Set = ["received", "buy", "bought", "in", "incoming", "output", "to"]
    return [(.sent, sent), (.sentCoin, sent), (.received, received), (.receivedCoin, received)]
  }()

  /// Whether the file has the form of what was sent and received.
  private var hasLegs: Bool { places[.sent] != nil }

  /// Finds the columns of what was sent and received, with their coins, where each of the four is there once.
  private mutating func findLegs() {
    let found = Self.legs.map { column, beginnings in
      let units = [.sent, .received].contains(column) ? ["amount", "quantity"] : UnreadColumns.units
      return names.indices.filter { place in
        let words = UnreadColumns.words(of: names[place])
        return words.count == 2 && beginnings.contains(words[0]) && units.contains(words[1]) && fits(column, place)
      }
    }
    guard found.allSatisfy({ $0.count == 1 }) else { return }
    for (leg, places) in zip(Self.legs, found) { set(leg.column, places[0], "its name") }
  }

  private mutating func find() {
    findLegs()
    for (column, usual) in Self.usual where !hasLegs || [.date, .fee, .notes].contains(column) {
      let found = names.indices.filter { usual.contains(Self.plain(names[$0])) && fits(column, $0) }
      if found.count == 1 { set(column, found[0], "its name") }
    }
    let first = { [names] (place: Int) in UnreadColumns.words(of: names[place]).first?.prefix(3) }
    if let fee = places[.fee], unitsOfCosts.count == 1, let unit = unitsOfCosts.first, fits(.feeCoin, unit),
      first(unit) == first(fee)
    {
      set(.feeCoin, unit, "its name")
    }
    if hasLegs { return }
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
        && !costs.contains(place) && !Self.isOfParts(names[place])
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
      guard let difference = difference(row, left, right, total), let whole = Self.number(row[total], mark) else {
        return false
      }
      // A total with its fee in it is not the product.
      if difference > Self.cent,
        costs.contains(where: { abs(abs(Self.number(row[$0], mark) ?? 0) - difference) <= Self.cent })
      {
        return false
      }
      // Totals are rounded to cents.
      return difference <= max(abs(whole) / 10_000, Self.cent / 2)
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
        && (values.contains { $0.contains(":") } || !names.indices.contains { $0 != place && hasTimes($0) })
        && !hasForeignZone(place)
    case .fee where !costs.contains(place): false
    case .sent, .received, .fee: !Self.isOfParts(names[place]) && values.allSatisfy { Self.number($0, mark) != nil }
    case .currency:
      areCurrencies(place) && !names.indices.contains { areCurrencies($0) && self.values($0) != values }
    case .coin where isOfShares: false
    case .coin, .sentCoin, .receivedCoin, .feeCoin:
      values.allSatisfy { Self.number($0) == nil && !$0.contains("/") }
    default: true
    }
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
    lines += ["", "select: |", "  SELECT line,"] + selectLines().map { "    " + $0 }
    lines += ["  FROM rows \(restriction())ORDER BY line"]
    lines += [
      "", "# What each row says came in and, below zero, went out: by other columns than above where there are some.",
      "movements: |",
    ]
    lines += movementLines().map { "  " + $0 }
    lines += [
      "", "# TODO examples: some rows and what must come of them; \"bitpal imports check \(id)\" runs them.", "",
    ]
    outline.text = lines.joined(separator: "\n")
    outline.leave("write examples")
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

  private mutating func decimalLines() -> [String] {
    if let mark { return ["decimal: \(mark.rawValue)"] }
    guard marks.count > 1 else { return [] }
    outline.leave("decimal: whether its numbers have a comma or a point")
    return ["# TODO decimal: comma   or point: what stands before the decimals"]
  }

  /// Returns what leaves out the rows below the others: a TODO, in SQL.
  private mutating func restriction() -> String {
    guard let footer, let place = names.indices.first(where: { footer[$0].isEmpty && !values($0).isEmpty }) else {
      return ""
    }
    let row = footer.filter { !$0.isEmpty }.joined(separator: " ").printable(limit: 60)
    outline.leave("the last rows are not like the others (\(row)): whether they can be left out")
    return "/* TODO WHERE \(identifier(place)) IS NOT NULL leaves out: \(row.replacing("*/", with: "")) */ "
  }

  private mutating func selectLines() -> [String] {
    var lines: [String] = []
    lines.append(dateLine())
    lines += statusLines(or: hasLegs ? nil : typeLine())
    for column in hasLegs ? Self.legs.map(\.column) : [.coin, .amount, isExact ? .price : .total, .currency] {
      lines.append(line(column))
    }
    lines += feeLines()
    if places[.notes] != nil { lines.append(line(.notes)) }
    lines += faultLines()
    // The comma of the last column goes, which may stand before a comment.
    if let last = lines.popLast() {
      let parts = last.components(separatedBy: ",  -- ")
      lines.append(parts.count == 2 ? "\(parts[0])  -- \(parts[1])" : String(last.dropLast()))
    }
    return lines
  }

  /// Returns the columns of the fee and of what it is in.
  private mutating func feeLines() -> [String] {
    guard let fee = places[.fee] else {
      let costs = costs.sorted().filter { !values($0).isEmpty }
      guard !costs.isEmpty else { return [] }
      outline.leave("fee: which of \(quoted(costs)) it is")
      named.formUnion(unitsOfCosts)
      return ["'TODO' AS fee,  -- TODO \(candidates(costs)), or none of them"]
    }
    guard let unit = feeUnit(fee) else {
      let what = (unitsOfCosts.map { "\"\(names[$0])\"" } + ["a code such as 'BTC'", "NULL for money"]).joined(
        separator: ", ")
      outline.leave("fee_coin: what \"\(names[fee])\" is in: \(what)")
      named.formUnion(unitsOfCosts)
      return [line(.fee), "'TODO' AS fee_coin,  -- TODO \(what)"]
    }
    return [line(.fee)] + (unit == "NULL" ? [] : ["\(unit) AS fee_coin,"])
  }

  /// Returns what the fee is in, in SQL: a column, the unit in the name of its column, or NULL for the money where each fee is
  /// too large to be coins; nil when nothing says it.
  private func feeUnit(_ fee: Int) -> String? {
    if let place = places[.feeCoin] { return identifier(place) }
    if let unit = names[fee].firstMatch(of: /\((.*)\)$/)?.1 {
      let isCoin = places[.coin].map { values($0).contains(String(unit)) } ?? false
      return isCoin || CurrencyCoin.isCurrency(unit.lowercased()) ? Self.sql(String(unit)) : nil
    }
    guard let amount = places[.amount], let total = places[.total],
      unitsOfCosts.isEmpty
    else { return nil }
    let fees = rows.filter { Self.number($0[fee], mark) != 0 && !$0[fee].isEmpty }
    let isMoney = fees.allSatisfy { row in
      guard let fee = Self.number(row[fee], mark), let amount = Self.number(row[amount], mark),
        let total = Self.number(row[total], mark)
      else { return false }
      return abs(fee) * 10 > abs(amount) && abs(fee) * 10 < abs(total)
    }
    return isMoney && !fees.isEmpty ? "NULL" : nil
  }

  private mutating func dateLine() -> String {
    if places[.date] != nil { return line(.date) }
    let times = names.indices.filter(hasTimes)
    let days = names.indices.filter { place in
      !times.contains(place) && !values(place).isEmpty
        && values(place).allSatisfy { ImportDate($0) != nil && Self.number($0) == nil }
    }
    named.formUnion(days + times)
    let dated = names.indices.filter(hasDays)
    let isParted = days.count == 1 && times.count == 1
    let both = isParted ? "\(identifier(days[0])) || ' ' || \(identifier(times[0]))" : ""
    if let place = (days + times).first(where: hasForeignZone) {
      let column = isParted ? both : identifier(place)
      outline.leave("date: \(column), with its zone as in zone: America/New_York")
      return "'TODO' AS date,  -- TODO \(column), and above a line such as zone: America/New_York"
    }
    outline.leave("date: \(isParted ? "such as \(both)" : "which column it is"); dates: takes patterns")
    return
      "'TODO' AS date,  -- TODO \(isParted ? both : dated.isEmpty ? "a column" : candidates(dated)); dates: takes patterns such as dd.MM.yyyy HH:mm"
  }

  private mutating func typeLine() -> String {
    let signed = places[.amount].map(signs) ?? []
    if let place = places[.type] {
      let cases = Set(values(place)).sorted().map { "WHEN \(Self.sql($0)) THEN '\(Self.words[$0.lowercased()] ?? "")'" }
      return "CASE \(identifier(place)) \(cases.joined(separator: " ")) ELSE \(unknown(place)) END"
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

  /// Returns a text that is not a type, which the import reports: `Side: Redeem`.
  private func unknown(_ place: Int) -> String {
    "\(Self.sql(names[place] + ": ")) || ifnull(\(identifier(place)), 'empty')"
  }

  /// Returns the type by the words of each column of states: a TODO for rows that were not executed, and a fault for a word
  /// that this file does not have.
  private mutating func statusLines(or type: String?) -> [String] {
    var (sql, comment) = (type, "")
    let read = Set(places.values).subtracting(places[.notes].map { [$0] } ?? [])
    for place in names.indices where !read.contains(place) {
      let (column, words) = words(place)
      let isState = place != places[.notes] && UnreadColumns.isState(names[place])
      let isOpen = { (word: String) in
        isState ? !UnreadColumns.executed.contains(word.lowercased()) : UnreadColumns.isFailure(word)
      }
      guard words != [""], isState || words.contains(where: isOpen) else { continue }
      states.insert(place)
      let open = words.filter(isOpen)
      let done = words.filter { !isOpen($0) }
      var cases: [String] = []
      if !open.isEmpty {
        outline.leave("\"\(names[place])\": what becomes of \(Self.listed(open)), such as skip")
        cases.append("WHEN \(column) IN (\(open.map(Self.sql).joined(separator: ", "))) THEN 'TODO'")
        comment = "  -- TODO 'skip' for what was not executed"
      }
      // Notes may say anything else.
      if place == places[.notes] || !isOfWords(place) {
        sql = "CASE \(cases.joined(separator: " ")) ELSE \(sql ?? "NULL") END"
        continue
      }
      if !done.isEmpty {
        cases.append("WHEN \(column) IN (\(done.map(Self.sql).joined(separator: ", "))) THEN \(sql ?? "NULL")")
      }
      sql = "CASE \(cases.joined(separator: " ")) ELSE \(unknown(place)) END"
    }
    return sql.map { ["\($0) AS type,\(comment)"] } ?? []
  }

  private mutating func line(_ column: ImportReader.Column) -> String {
    guard let place = places[column] else {
      if column == .currency {
        outline.leave("currency: a column, or a code such as 'EUR'")
        let found = names.indices.filter(areCurrencies).filter { $0 != places[.coin] }
        let columns = found.count > 1 ? candidates(found) : "a column"
        let signs = Set(
          names.indices.filter(hasUnits).flatMap(values).compactMap(Self.unit).filter { !$0.allSatisfy(\.isLetter) })
        let money = signs.isEmpty ? "" : " for its \(signs.sorted().joined(separator: ", "))"
        return
          "'TODO' AS currency,  -- TODO \(columns), or a code such as 'EUR'\(money); NULL for that of the portfolio"
      }
      let free = names.indices.filter { !places.values.contains($0) && !values($0).isEmpty && !isOfNames($0) }
      let found = free.filter { isNumeric($0) == (column != .coin) && !hasUnits($0) }
      outline.leave("\(column.name): which column it is")
      let withUnits = column == .coin ? [] : free.filter(hasUnits)
      let example = withUnits.first.map { ", with units: \(withoutUnit($0))" } ?? ""
      let shares = column == .coin && isOfShares ? "; of a share 'id:' || its ticker" : ""
      return "'TODO' AS \(column.name),  -- TODO \(candidates(Array((found + withUnits).prefix(8))))\(example)\(shares)"
    }
    guard Self.numeric.contains(column) else { return "\(identifier(place)) AS \(column.name)," }
    // The total is always positive to us, and its sign repeats the type.
    if column == .total, signsRepeatType(place) { return "\(absolute(place)) AS total," }
    let signs = signs(place)
    guard signs.contains(true) else { return "number(\(identifier(place))) AS \(column.name)," }
    // The sign repeats the type, or takes a row back.
    let types = places[.type].map { type in
      rows.allSatisfy { row in (Self.words[row[type].lowercased()] == "sell") == row[place].hasPrefix("-") }
    }
    if types ?? (places[.type] == nil), column == .amount {
      return "number(ltrim(\(identifier(place)), '-')) AS \(column.name),"
    }
    outline.leave("\(column.name): what the sign of \"\(names[place])\" means")
    return
      "'TODO' AS \(column.name),  -- TODO number(\(identifier(place).replacing("\n", with: " "))), which is below zero in some rows"
  }

  /// Returns whether all sales of a column have one sign, and all purchases.
  private func signsRepeatType(_ place: Int) -> Bool {
    let kinds = Set(rows.map { [isSale($0), $0[place].hasPrefix("-")] })
    return kinds.count == Set(kinds.map(\.first)).count
  }

  /// Returns whether a row is a sale, by its type or else by the sign of its amount.
  private func isSale(_ row: [String]) -> Bool {
    places[.type].map { Self.words[row[$0].lowercased()] == "sell" }
      ?? places[.amount].map { row[$0].hasPrefix("-") } ?? false
  }

  private mutating func movementLines() -> [String] {
    if outline.points.isEmpty, let coin = places[.coin], let amount = places[.amount], let total = places[.total],
      let type = places[.type], signsRepeatType(total)
    {
      let isSale = saleCondition(type)
      let money = places[.currency].map(identifier) ?? "NULL"
      var lines = [
        "SELECT line, \(identifier(coin)) AS coin, iif(\(isSale), '-', '') || \(absolute(amount)) AS change, '0' AS within FROM rows",
        "UNION ALL SELECT line, \(money), iif(\(isSale), '', '-') || \(absolute(total)), '0.01' FROM rows",
      ]
      if let fee = places[.fee], let unit = feeUnit(fee) {
        lines.append(
          "UNION ALL SELECT line, \(unit == "NULL" ? money : unit), decimal_sub('0', number(\(identifier(fee)))), '0' FROM rows"
        )
      }
      return lines
    }
    outline.leave("movements: what each row moves")
    return [
      "SELECT line, 'TODO' AS coin, '0' AS change FROM rows  -- TODO a column of signed amounts, or the sums with their fees"
    ]
  }

  private func saleCondition(_ type: Int) -> String {
    let sells = Set(values(type)).filter { Self.words[$0.lowercased()] == "sell" }.sorted().map(Self.sql)
    return "\(identifier(type)) IN (\(sells.isEmpty ? "''" : sells.joined(separator: ", ")))"
  }

  /// Returns a fault for each row with something in a column that no line reads: a TODO where this file has numbers or several words
  /// there, or one of a contract, and for later files a fault for anything that this one does not have.
  private mutating func faultLines() -> [String] {
    let free = names.indices.filter { !places.values.contains($0) && !states.contains($0) && !isOfNames($0) }
    let amounts = free.filter { isOfAmounts($0) || costs.contains($0) && !values($0).isEmpty }
    let open = amounts.filter { values($0).contains { $0.contains { "123456789".contains($0) } } }
    let numbers = { [self] (places: [Int]) in places.map { "\(identifier($0)) GLOB '*[1-9]*'" } }
    var cases = [ImportReader.Column.amount, .total].compactMap(signCase)
    if !open.isEmpty {
      outline.leave("nothing reads \(quoted(open)): whether they change what was paid or moved")
      cases.append(
        "WHEN \(numbers(open).joined(separator: " OR ")) THEN 'TODO'  -- TODO nothing reads \(candidates(open)) yet")
    }
    let zero = amounts.filter { !open.contains($0) && !named.contains($0) }
    let empty = free.filter { place in rows.allSatisfy { $0[place].isEmpty } }
    let any = numbers(zero) + empty.map { "\(identifier($0)) IS NOT NULL" }
    if !any.isEmpty {
      let text = Self.sql("this import does not read \(quoted((zero + empty).sorted())); its SELECT has to")
      cases.append("WHEN \(any.joined(separator: " OR ")) THEN \(text)")
    }
    for place in free where !isOfAmounts(place) && !costs.contains(place) && !empty.contains(place) {
      cases += wordCases(place)
    }
    return cases.isEmpty ? [] : ["CASE"] + cases.map { "  " + $0 } + ["END AS fault,"]
  }

  /// Returns a TODO for the words of a column that no line reads, and a fault for any other.
  private mutating func wordCases(_ place: Int) -> [String] {
    let (column, words) = words(place)
    let isCandidate = named.contains(place) && values(place).allSatisfy { $0 == $0.uppercased() }
    // A market has the coin in its name.
    let isMarket = places[.coin].map { coin in
      rows.allSatisfy { $0[place].uppercased().contains($0[coin].uppercased()) }
    }
    guard isOfWords(place), !isCandidate, isMarket != true else { return [] }
    let list = words.map(Self.sql).joined(separator: ", ")
    let other = "WHEN \(column) NOT IN (\(list)) THEN \(unknown(place)) || ' is not known to this import'"
    let isOfType = places[.type].map { type in rows.allSatisfy { $0[place].lowercased() == $0[type].lowercased() } }
    guard words.count > 1 && isOfType != true || isOfContracts(place) else { return [other] }
    outline.leave("\"\(names[place])\": what becomes of \(Self.listed(words)), such as skip or a label")
    return [other, "WHEN \(column) IN (\(list)) THEN 'TODO'  -- TODO without this line they mean nothing"]
  }

  /// Returns a fault for the rows whose number has the sign of the other type, as one that takes a row back has; nil where the sign
  /// does not follow from the type.
  private func signCase(_ column: ImportReader.Column) -> String? {
    guard let place = places[column], let type = places[.type], signs(place).contains(true), signsRepeatType(place)
    else {
      return nil
    }
    func sign(ofSales: Bool) -> Bool? { rows.first { isSale($0) == ofSales }.map { $0[place].hasPrefix("-") } }
    let purchases = sign(ofSales: false) ?? (sign(ofSales: true) == false)
    let sales = sign(ofSales: true) ?? !purchases
    let isBelow = sales == purchases ? "true" : "\(sales ? "" : "NOT ")\(saleCondition(type))"
    let text = Self.sql("\(names[place]): its sign is not that of its type, as where a row is taken back")
    return "WHEN (\(identifier(place)) LIKE '-%') <> (\(isBelow)) THEN \(text)"
  }

  // MARK: SQL

  private static let numeric: Set<ImportReader.Column> = [.amount, .price, .total, .fee, .sent, .received]

  func identifier(_ place: Int) -> String { SheetTable.identifier(names[place]) }

  private static func sql(_ text: String) -> String { "'" + text.doubling("'") + "'" }

  /// Returns the names of columns, which are then named by a TODO.
  private mutating func candidates(_ places: [Int]) -> String {
    named.formUnion(places)
    return places.map { names[$0] }.joined(separator: ", ").replacing("\n", with: " ")
  }

  private func quoted(_ places: [Int]) -> String { places.map { "\"\(names[$0])\"" }.joined(separator: ", ") }

  /// Returns words in quotation marks, the first of many.
  private static func listed(_ words: [String]) -> String {
    words.prefix(6).map { "\"\($0)\"" }.joined(separator: ", ") + (words.count > 6 ? ", …" : "")
  }

  /// Returns the number of a column without the unit beside it, in SQL.
  private func withoutUnit(_ place: Int) -> String {
    let units = Set(values(place).compactMap(Self.unit)).sorted()
    if let sign = units.first(where: { !$0.allSatisfy(\.isLetter) }) {
      return "number(replace(\(identifier(place)), \(Self.sql(sign)), ''))"
    }
    if values(place).contains(where: { $0.contains(" ") }) {
      return "number(substr(\(identifier(place)), 1, instr(\(identifier(place)), ' ') - 1))"
    }
    return "number(rtrim(\(identifier(place)), \(Self.sql(String(Set(units.joined()).sorted())))))"
  }

  /// Returns the number of a column without its sign, in SQL.
  private func absolute(_ place: Int) -> String {
    signs(place).contains(true) ? "number(ltrim(\(identifier(place)), '-'))" : "number(\(identifier(place)))"
  }
}
