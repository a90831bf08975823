import BitpalJSON
import BitpalModel
import FoundationEssentials

/// A reader of the rows of a CSV file as transactions, which collects every fault.
struct TransactionSheet {
  private typealias Column = TransactionCSV.Column
  private typealias Field = CSVRecords.Field

  private let bytes: [UInt8]
  private let file: String
  private let now: Date
  private let names: [String: String]
  private let dates: DateOrder?

  /// The time zone of times without an offset.
  private let zone: ClockZone
  private let marks: NumberMarks?

  /// Whether rows without an id get the one that follows from their content.
  private let isNumbering: Bool

  /// The currency of the portfolio, or of the first row that names one.
  private var currency: String?
  private let isEmptyPortfolio: Bool
  private var issues: [ConfigurationIssue] = []
  private var count = 0

  /// The number of fields of the header.
  private var width = 0

  /// The first number that may have a point before its thousands; fields between semicolons are often of a country that
  /// writes it so.
  private var uncertain: Field?

  /// Whether another number shows that the point stands before decimals.
  private var isPointCertain = false

  init(
    _ bytes: [UInt8], file: String, now: Date, currency: String?, names: [String: String], dates: DateOrder? = nil,
    decimal: DecimalMark? = nil, zone: ClockZone = .utc, isNumbering: Bool = true
  ) {
    self.isNumbering = isNumbering
    self.dates = dates
    self.zone = zone
    marks = decimal?.marks
    self.currency = currency
    isEmptyPortfolio = currency == nil
    self.names = names
    self.bytes = bytes
    self.file = file
    self.now = now
  }

  /// Returns the transactions, in the order of the file.
  ///
  /// - Throws: ``CSVFaults`` with the fault of the CSV, else with those of the header, else with those of all rows.
  mutating func read() throws(CSVFaults) -> [ImportedTransaction] {
    var columns: Columns?
    var isKnown = false
    var content = Content()
    let bytes = bytes
    // Few rows are shorter than 32 bytes. Memory that is not used costs nothing, a list that grows is copied.
    content.transactions.reserveCapacity(bytes.count / 32)
    do throws(BodyFault) {
      try CSVRecords.forEach(in: bytes, delimiter: delimiter) { record in
        if let columns {
          // Spreadsheets leave rows of empty cells behind.
          if isKnown, !record.allSatisfy(\.text.isEmpty) { read(record, columns, into: &content) }
        } else if !record[0].text.hasPrefix(Self.excelMark) {
          columns = self.columns(of: record)
          isKnown = issues.isEmpty
        }
      }
    } catch {
      (issues, count) = ([], 0)
      report(error.message, line: error.line, column: error.column)
    }
    if columns == nil, issues.isEmpty {
      throw CSVFaults(
        issues: [ConfigurationIssue(file: file, message: "the file is empty; it needs a header such as \(Self.header)")]
      )
    }
    if let uncertain, !isPointCertain, delimiter == UInt8(ascii: ";") {
      report(
        "\"\(uncertain.text)\" may be a thousand times as much; say what its point is: --decimal point or --decimal comma",
        at: uncertain)
    }
    guard issues.isEmpty else {
      throw CSVFaults(
        issues: issues.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }, count: count)
    }
    if content.hasTimes { for place in content.midnights { content.transactions[place].keepTime() } }
    return content.transactions
  }

  /// The places of the columns in a row; an array, because each row asks for each of them.
  private struct Columns {
    private var places = [Int?](repeating: nil, count: Column.allCases.count)

    subscript(column: Column) -> Int? {
      get { places[column.place] }
      set { places[column.place] = newValue }
    }
  }

  /// The byte between two fields, of which the header has the most: spreadsheets of many countries write semicolons.
  private var delimiter: UInt8 {
    if bytes.starts(with: Self.excelMark.utf8), bytes.count > Self.excelMark.utf8.count {
      return bytes[Self.excelMark.utf8.count]
    }
    let header = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    let counts = ImportSpecification.usualDelimiters.map { delimiter in (delimiter, header.count { $0 == delimiter }) }
    return counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? UInt8(ascii: ",")
  }

  /// The transactions so far.
  private struct Content {
    var transactions: [ImportedTransaction] = []
    var numbering = TransactionNumbering()

    /// Whether a row has a time of day other than midnight without an offset, which is how spreadsheets write days.
    var hasTimes = false

    /// The places of the transactions at midnight without an offset, which are days unless ``hasTimes``.
    var midnights: [Int] = []

    /// The lines of the transactions by their ids, from the first row on that has an id of its own: ids that follow from
    /// the content are all different.
    private var linesByID: [UUID: Int] = [:]

    /// Records the line of an id; returns the line that has it already.
    mutating func note(_ id: UUID, isOwn: Bool, line: Int) -> Int? {
      if linesByID.isEmpty {
        guard isOwn else { return nil }
        for row in transactions { linesByID[row.transaction.id] = row.line }
      }
      if let first = linesByID[id] { return first }
      linesByID[id] = line
      return nil
    }
  }

  private mutating func read(_ record: [Field], _ columns: Columns, into content: inout Content) {
    guard let row = row(record, columns) else { return }
    // Ids of their own may be those of others in the file.
    let isNumbered = isNumbering || columns[.id] != nil
    let id = row.id ?? (isNumbered ? content.numbering.next(row.draft.identity) : Self.noID)
    let line = record[0].line
    if let first = content.note(id, isOwn: row.id != nil, line: line) {
      return report("the transaction is on line \(first) already", at: record[0])
    }
    if row.isMidnight == false { content.hasTimes = true }
    if row.isMidnight == true { content.midnights.append(content.transactions.count) }
    do throws(PortfolioError) {
      var draft = row.draft
      if draft.pricePerCoin == nil, let total = draft.total { try draft.setTotal(total) }
      content.transactions.append(
        ImportedTransaction(
          transaction: try draft.transaction(id: id), line: line, hasOwnID: row.id != nil, currency: row.currency))
    } catch {
      report(error.description, at: record[0])
    }
  }

  private static let noID = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

  private struct Row {
    let id: UUID?
    let draft: TransactionDraft
    let currency: String?

    /// Whether the time is midnight without an offset; nil for a day without a time.
    let isMidnight: Bool?
  }

  /// The beginning of a first line that says to Excel what stands between two fields.
  private static let excelMark = "sep="

  private static let header = Column.allCases.map(\.rawValue).joined(separator: ",")

  private mutating func columns(of header: [Field]) -> Columns {
    var columns = Columns()
    width = header.count
    for (index, field) in header.enumerated() {
      let name = field.text.lowercased()
      // A spreadsheet's empty column, and what "portfolio transactions" adds.
      if name.isEmpty || name == "closed_position" { continue }
      guard let column = Column(rawValue: name) else {
        let names = Column.allCases.map(\.rawValue)
        let nearest = NearestName.match(name, among: names).map { "did you mean \"\($0)\"?" }
        report(
          "unknown column \"\(field.text.printable(limit: 40))\"; "
            + (nearest ?? "the columns are \(names.joined(separator: ", "))"),
          at: field)
        continue
      }
      if columns[column] != nil { report("the column \"\(name)\" is there twice", at: field) }
      columns[column] = index
    }
    // The total says the price too.
    let missing = Column.required.filter { columns[$0] == nil && ($0 != .price || columns[.total] == nil) }.map(
      \.rawValue)
    if issues.isEmpty, !missing.isEmpty, let first = header.first {
      report("missing \(missing.count == 1 ? "column" : "columns"): \(missing.joined(separator: ", "))", at: first)
    }
    return columns
  }

  private mutating func row(_ record: [Field], _ columns: Columns) -> Row? {
    guard record.count == width else {
      report("\(record.count) \(record.count == 1 ? "field" : "fields") where the header has \(width)", at: record[0])
      return nil
    }
    func field(_ column: Column) -> Field? { columns[column].map { record[$0] } }
    let before = count
    let id = field(.id).flatMap { readID($0) }
    let time = field(.date).flatMap { readTime($0, isOwn: id != nil) }
    let type = field(.type).flatMap { readType($0) }
    // A row with an id was written by bitpal and has the coin's exact id; other rows may have invisible characters.
    let written = CSVField.unguarded(field(.coin)?.text ?? "")
    let coin = id == nil ? Self.visible(written) : written
    if coin.isEmpty, let field = field(.coin) { report("coin: it is empty", at: field) }
    let amount = field(.amount).flatMap { readNumber($0, "amount", isAllowed: { $0.isPositive }, rule: "above zero") }
    let (price, total) = readWorth(field(.price), field(.total), of: type)
    var fee: Decimal? = 0
    if let field = field(.fee), !field.text.isEmpty {
      fee = readNumber(field, "fee", isAllowed: { $0 >= 0 }, rule: "zero or above")
    }
    let currency = field(.currency).flatMap { readCurrency($0) }
    let label = type.flatMap { type in field(.label).flatMap { readLabel($0, of: type) } }
    guard count == before, let time, let type, let amount, let fee else { return nil }
    return Row(
      id: id,
      draft: TransactionDraft(
        coinId: id == nil ? names[coin] ?? coin : coin, type: type, amount: amount, pricePerCoin: price,
        total: total, fee: fee, date: time.date, notes: (field(.notes)?.text).map(CSVField.unguarded), label: label,
        group: (field(.group)?.text).map(CSVField.unguarded)),
      currency: currency, isMidnight: time.isMidnight)
  }

  /// Returns a text without white space and invisible format characters at its ends.
  private static func visible(_ text: String) -> String {
    func isPlain(_ byte: UInt8?) -> Bool { byte.map { (0x21...0x7E).contains($0) } ?? true }
    if isPlain(text.utf8.first), isPlain(text.utf8.last) { return text }
    let isInvisible = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
    }
    let scalars = text.unicodeScalars.drop(while: isInvisible)
    return String(scalars[..<(scalars.lastIndex { !isInvisible($0) }.map(scalars.index(after:)) ?? scalars.startIndex)])
  }

  private mutating func readID(_ field: Field) -> UUID? {
    if field.text.isEmpty { return nil }
    let id = UUID(uuidString: field.text)
    if id == nil { report("id: \"\(field.text.printable(limit: 40))\" is not a UUID", at: field) }
    return id
  }

  /// Reads a date, and whether its time is midnight without an offset; nil for a day without a time.
  ///
  /// A time that falls on midnight in UTC is not a day, except in a row that bitpal wrote, and without an offset, where
  /// the other rows decide.
  private mutating func readTime(_ field: Field, isOwn: Bool) -> (date: Date, isMidnight: Bool?)? {
    let written = ImportDate(field.text)
    var local: Date?
    if zone != .utc, case .local? = written { local = written?.instant(in: .ymd, zone: zone) }
    let ordered = dates.flatMap { written?.instant(in: $0, zone: zone) }
    guard let date = local ?? Date(utcText: field.text) ?? ordered else {
      if case .numbers? = written, dates == nil {
        let orders = DateOrder.allCases.filter { written?.instant(in: $0) != nil }.map(\.rawValue)
        report(
          "date: \"\(field.text.printable(limit: 40))\" "
            + (orders.count == 1 ? "has its parts in another order" : "may be several days")
            + "; say in which order they stand: --dates \(orders.joined(separator: " or "))",
          at: field)
        return nil
      }
      report(
        "date: \"\(field.text.printable(limit: 40))\" is not an instant; write it like 2025-01-15T10:30:00Z or "
          + "2025-01-15T12:30:00+02:00",
        at: field)
      return nil
    }
    if date.startOfSecond > now {
      report("date: \(date.utcText) is in the future; it is \(now.utcText) now", at: field)
    }
    if written?.hasTimeOfDay == false { return (date, nil) }
    if isOwn, case .instant? = written { return (Date(utcText: field.text) ?? date, false) }
    let isMidnight = zone == .utc && written?.asDay != nil
    return (isMidnight ? date.startOfSecond : date.withTimeOfDay, isMidnight)
  }

  private mutating func readType(_ field: Field) -> TransactionType? {
    let type = TransactionType(rawValue: field.text.lowercased())
    if type == nil {
      report("type: \"\(field.text.printable(limit: 40))\" is not one of \(TransactionType.words)", at: field)
    }
    return type
  }

  /// Reads the price and the total, one of which may be missing; both may where coins were sent.
  private mutating func readWorth(
    _ price: Field?, _ total: Field?, of type: TransactionType?
  ) -> (price: Decimal?, total: Decimal?) {
    let isMoney = type?.isForMoney ?? true
    if let total, !total.text.isEmpty {
      let read = readNumber(total, "total", isAllowed: { $0.isPositive }, rule: "above zero")
      guard let price, !price.text.isEmpty else { return (nil, read) }
      return (readPrice(price, "price", isMoney), read)
    }
    guard let field = price ?? total, type != .send || !field.text.isEmpty else { return (nil, nil) }
    return (readPrice(field, price == nil ? "total" : "price", isMoney), nil)
  }

  private mutating func readPrice(_ field: Field, _ name: String, _ isMoney: Bool) -> Decimal? {
    readNumber(
      field, name, isAllowed: { isMoney ? $0.isPositive : !$0.isSignMinus },
      rule: isMoney ? "above zero" : "zero or above")
  }

  private mutating func readCurrency(_ field: Field) -> String? {
    if field.text.isEmpty { return nil }
    if let problem = MinorUnit.problem(of: field.text) { report("currency: \(problem)", at: field) }
    let asked = field.text.lowercased()
    let expected = currency ?? asked
    currency = expected
    if asked != expected {
      report(
        "currency: the row is in \(asked.printable(limit: 20)), "
          + (isEmptyPortfolio ? "those before it in \(expected)" : "the portfolio in \(expected)"),
        at: field)
    }
    return asked
  }

  private mutating func readLabel(_ field: Field, of type: TransactionType) -> TransactionLabel? {
    if field.text.isEmpty { return nil }
    let label = TransactionLabel(rawValue: field.text.lowercased())
    if label.map(type.labels.contains) != true {
      report(PortfolioError.invalidLabel(field.text, type: type).message, at: field)
    }
    return label
  }

  private mutating func readNumber(
    _ field: Field, _ name: String, isAllowed: (Decimal) -> Bool, rule: String
  ) -> Decimal? {
    do throws(DecimalError) {
      let number = try Decimal(strict: plain(field.text))
      if marks == nil, !isPointCertain { notePoint(in: field) }
      if isAllowed(number) { return number }
      report("\(name): it must be \(rule), not \(number.plainText)", at: field)
    } catch {
      let isComma = marks == nil && field.text.contains(",")
      report(
        "\(name): \(error)" + (isComma ? "; say what its comma is: --decimal comma or --decimal point" : ""), at: field)
    }
    return nil
  }

  /// Notes whether the point of a number stands before decimals: three digits behind it may be thousands.
  private mutating func notePoint(in field: Field) {
    let parts = field.text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return }
    if parts[1].count != 3 || parts[0].count > 3 || parts[0].drop(while: { $0 == "-" }).hasPrefix("0") {
      isPointCertain = true
    } else {
      uncertain = uncertain ?? field
    }
  }

  /// Returns a number of the file in JSON's form; any other text stays unchanged and is then refused.
  private func plain(_ text: String) -> String { marks?.plain(text) ?? text }

  private mutating func report(_ message: String, at field: Field) {
    report(message, line: field.line, column: field.column)
  }

  private mutating func report(_ message: String, line: Int, column: Int) {
    count += 1
    guard issues.count < CSVFaults.mostTold else { return }
    issues.append(
      ConfigurationIssue(file: file, line: line, column: column, message: message, excerpt: text(ofLine: line)))
  }

  /// Returns the text of a line; nil after the last one.
  ///
  /// Only CSV's line ends separate lines; Unicode's other line separators are text.
  private func text(ofLine wanted: Int) -> String? {
    var (index, line) = (0, 1)
    while line < wanted, index < bytes.count {
      let byte = bytes[index]
      index += 1
      let isPair = byte == UInt8(ascii: "\r") && index < bytes.count && bytes[index] == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r"), !isPair { line += 1 }
    }
    guard line == wanted else { return nil }
    let rest = bytes[index...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: rest, as: UTF8.self)
  }
}
