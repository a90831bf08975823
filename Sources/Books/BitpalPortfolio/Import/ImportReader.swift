import BitpalFiles
import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// A reader of files by an import's specification: its SELECT turns rows of the file into transactions.
package struct ImportReader {
  /// The columns that a SELECT may return.
  enum Column: Int, CaseIterable {
    case line, date, type, coin, amount, price, total, fee, feeCoin, notes, label, group, currency
    case sent, sentCoin, received, receivedCoin, value, fault

    /// The names of the columns in SQL, in the order of the cases.
    static let names = [
      "line", "date", "type", "coin", "amount", "price", "total", "fee", "fee_coin", "notes", "label", "group",
      "currency",
      "sent", "sent_coin", "received", "received_coin", "value", "fault",
    ]

    /// Finds the column of a name in any letter case; nil when there is none.
    init?(name: String) {
      guard let place = Self.names.firstIndex(of: name.lowercased()) else { return nil }
      self.init(rawValue: place)
    }

    var name: String { Self.names[rawValue] }
  }

  /// The import's specification.
  package let specification: ImportSpecification

  /// Checks the SELECT of an import.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with the faults of the SELECT.
  package init(_ specification: ImportSpecification) throws(BitpalError) {
    self.specification = specification
    let table = try table(specification.columns)
    _ = try columns(of: try query(specification.select, table))
    if let movements = specification.movements { _ = try proofColumns(of: try query(movements, table), movements) }
  }

  private func table(_ columns: [String]) throws(BitpalError) -> SheetTable {
    do {
      return try SheetTable(columns: columns)
    } catch {
      throw .configuration([Self.issue(error, in: specification.select)])
    }
  }

  /// Compiles a SELECT over a table, and checks it.
  private func query(_ select: DeclaredText, _ table: SheetTable) throws(BitpalError) -> SheetQuery {
    let query: SheetQuery
    do {
      query = try SheetQuery(select.text, over: table)
    } catch {
      throw .configuration([Self.issue(error, in: select)])
    }
    if let operation = query.floatingPointOperation {
      throw .configuration([
        select.issue(
          "the SELECT calculates in floating point (\(operation)); use decimal_add, decimal_sub, decimal_mul and decimal_div"
        )
      ])
    }
    guard query.parameters.isEmpty else {
      throw .configuration([select.issue("the SELECT of an import has no parameters")])
    }
    return query
  }

  private static func issue(_ failure: Sandbox.Failure, in select: DeclaredText) -> ConfigurationIssue {
    switch failure {
    case .syntax(let message, let offset): select.issue("SQL: \(message)", at: offset)
    case .forbidden(let what, let offset): select.issue("the SELECT may read the table rows, not \(what)", at: offset)
    case .overBudget(let message), .failed(let message), .notJSON(let message): select.issue(message)
    }
  }

  /// Returns the meaning of each column of the result; a column without one is an error.
  private func columns(of query: SheetQuery) throws(BitpalError) -> [Column?] {
    let select = specification.select
    var issues: [ConfigurationIssue] = []
    let columns = query.results.map { name -> Column? in
      let column = Column(name: name)
      if column == nil {
        let nearest = NearestName.match(name, among: Column.names)
        issues.append(
          select.issue(
            "the SELECT gives a column \"\(name.printable(limit: 60))\" that has no meaning ("
              + (nearest.map { "did you mean \"\($0)\"?" } ?? "there are \(Self.columnNames)") + ")"))
      }
      return column
    }
    for (index, column) in columns.enumerated() {
      guard let column, columns[..<index].contains(column) else { continue }
      issues.append(select.issue("the SELECT gives the column \"\(column.name)\" twice"))
    }
    for column in [Column.line, .date] where !columns.contains(column) {
      issues.append(select.issue("the SELECT lacks the column \"\(column.name)\""))
    }
    guard issues.isEmpty else { throw .configuration(issues) }
    return columns
  }

  private static let columnNames = Column.names.joined(separator: ", ")

  /// Returns the columns of the SELECT of the movements, which must all have a meaning.
  private func proofColumns(
    of query: SheetQuery, _ select: DeclaredText
  ) throws(BitpalError) -> [ImportProof.Column] {
    let columns = query.results.map { ImportProof.Column(rawValue: $0.lowercased()) }
    let lacking = ImportProof.Column.required.filter { !columns.contains($0) }.map { "lacks \"\($0.rawValue)\"" }
    let foreign = zip(query.results, columns).filter { $0.1 == nil }.map { "gives \"\($0.0.printable(limit: 60))\"" }
    guard lacking.isEmpty, foreign.isEmpty, Set(columns).count == columns.count else {
      let names = ImportProof.Column.allCases.map(\.rawValue).joined(separator: ", ")
      let problem = lacking.first ?? foreign.first ?? "gives a column twice"
      throw .configuration([select.issue("the SELECT of the movements \(problem); its columns are \(names)")])
    }
    return columns.compactMap(\.self)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The file's name in messages.
  ///   - options: The user's choices.
  /// - Returns: The content of the file, whose faults are thrown when its transactions are asked for.
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the SELECT cannot be run over the file,
  ///   ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for any other failure.
  package func read(
    _ file: RecognizedFile, name: String, options: ImportOptions
  ) throws(BitpalError) -> ImportedSheet {
    // The sandbox allows 100 columns; the columns of the specification come first so that they are among them.
    let header = file.sheet.header
    let names = Array((specification.columns + header.names(without: specification.columns)).prefix(95))
    var faults = ImportFaults(file: name, sheet: file.sheet)
    let marks = (options.decimal ?? specification.decimal)?.marks
    let table = try table(names)
    let query = try query(specification.select, table)
    let count = table.load(file.sheet) { faults.add($0) }
    var rows = ImportRows(options: options, money: specification.money, most: count)
    if let unique = specification.unique { try leaveOutRepeated(by: unique, of: table, query, marks, &rows, &faults) }
    let question =
      options.decimal == nil
      ? CommaQuestion(specification, of: file.sheet, table, query.columnsRead) : nil
    do throws(BitpalError) {
      try select(query, name, marks, into: &rows, &faults)
      rows.joinFees(&faults)
      // Without marks each number with a comma has a fault already.
      if let question, marks != nil || faults.count == 0 { question.add(to: &faults) }
    } catch {
      // A SELECT cannot calculate with such a number.
      guard let question else { throw error }
      question.add(to: &faults)
    }
    if count == 0, faults.count == 0 {
      faults.add("the file has no row below the header", line: header.line)
    }
    var sums: [ImportProof.Sum] = []
    var read = query.columnsRead
    if let movements = specification.movements {
      let movements = (query: try self.query(movements, table), select: movements)
      read.formUnion(movements.query.columnsRead)
      if faults.count == 0 { sums = try prove(rows, movements.query, movements.select, of: table, marks, &faults) }
    }
    // The import knows its optional columns, also those that it does not need.
    read.formUnion(specification.optional)
    var unread = UnreadColumns(header.names(without: read), of: table, among: names)
    let zone = Self.zone(of: file, name, query)
    unread.judgeZone(zone, declared: specification.zone, above: file.sheet, at: options.now)
    return ImportedSheet(
      rows, count: count, sums, zone: zone?.clocks, specification, options, faults, unread: unread)
  }

  /// Leaves out the rows of a table that say what an earlier one with their id says, which are counted; contradictions are faults.
  ///
  /// - Parameters:
  ///   - column: The column with an id of its own for each row.
  ///   - select: The SELECT of the transactions.
  private func leaveOutRepeated(
    by column: String, of table: SheetTable, _ select: SheetQuery, _ marks: NumberMarks?, _ rows: inout ImportRows,
    _ faults: inout ImportFaults
  ) throws(BitpalError) {
    guard !table.repeatedRows(by: column).isEmpty else { return }
    if let line = table.roundedRow(in: column) {
      return faults.add(
        "\(column): a spreadsheet has rounded the ids, so that rows cannot be distinguished; take the file as it was exported",
        line: line)
    }
    let reason = "equal to another row with the same \(column)"
    rows.leaveOut(reason, count: table.leaveOutRepeated(by: column))
    let different = table.repeatedRows(by: column)
    guard !different.isEmpty, let movements = specification.movements else { return }
    let changes = try query(movements, table)
    let (own, stated) = (try columns(of: select), try proofColumns(of: changes, movements))
    // A file in which the SELECTs cannot read something has faults that say so.
    guard let repeated = try? RepeatedRows(different, (select, own), (changes, stated), specification.dates, marks)
    else { return }
    table.leaveOut(repeated.twins)
    rows.leaveOut(reason, count: repeated.twins.count)
    for (line, other) in repeated.contradictions {
      faults.add(
        "\(column): it is that of line \(other) as well, which states other amounts; take the wrong one out", line: line
      )
    }
  }

  /// Adds the rows of the SELECT.
  private func select(
    _ query: SheetQuery, _ name: String, _ marks: NumberMarks?, into rows: inout ImportRows,
    _ faults: inout ImportFaults
  ) throws(BitpalError) {
    let columns = try columns(of: query)
    do {
      try query.forEach(marks: marks) { row in
        rows.add(row, columns, specification.dates, hasMarks: marks != nil, &faults)
      }
    } catch let error as Sandbox.Failure {
      throw .configuration([Self.issue(error, in: specification.select)])
    } catch {
      throw .dataFile(path: name, reason: "\(error)")
    }
  }

  /// Returns the time zone that a column read by the SELECT has in its name, as in `Time (UTC+8)` and `UTC_Time`, or
  /// else that a line above the header names, as `Time Zone:UTC+8` and `Time zone: Europe/Berlin` do, or else the name of the
  /// file, as `(UTC--6)` does, with its place; nil for none, and for several.
  private static func zone(of file: RecognizedFile, _ name: String, _ select: SheetQuery) -> StatedZone? {
    var zones = select.columnsRead.compactMap(file.sheet.header.index).compactMap { column in
      zone(in: file.header[column]).map { StatedZone(clocks: $0, place: .column) }
    }
    if zones.isEmpty {
      zones = file.sheet.linesAbove.enumerated().compactMap { index, line in
        let words = UnreadColumns.zone(statedIn: line)
        let name = words?.firstMatch(of: /[A-Z][A-Za-z_]+(?:\/[A-Z][A-Za-z0-9_+-]+)+/)
        let clocks =
          name.flatMap { try? ZoneFiles.system.zone(String($0.0)) } ?? words.flatMap { zone(in: $0) }
          ?? (words != nil || line.contains(/(?i)zone|times are/) ? zone(in: line) : nil)
        return clocks.map { StatedZone(clocks: $0, place: .line(index + 1)) }
      }
    }
    if zones.isEmpty {
      zones = [zone(inFileName: name).map { StatedZone(clocks: $0, place: .fileName) }].compactMap(\.self)
    }
    return Set(zones.map(\.clocks.name)).count == 1 ? zones.first : nil
  }

  /// Returns the zone that the last part of a path has in parentheses, as `(UTC--6)`, or `(UTC+5_30)` where no name has a colon.
  static func zone(inFileName path: String) -> ClockZone? {
    let name = path.split(separator: "/").last ?? ""
    guard let match = name.firstMatch(of: /\((?:UTC|GMT)(?:([+-])-?(\d{1,2})(?:[:_.-]?(\d{2}))?)?\)/) else {
      return nil
    }
    return clocks(match.1, match.2, match.3)
  }

  /// Returns the zone in a text, such as the name of a column: `UTC` or `GMT` as a word, with an offset in hours and
  /// minutes behind it; nil where something else behind it may be one.
  static func zone(in text: String) -> ClockZone? {
    let text = text.uppercased().replacing("UTC/GMT", with: "UTC").replacing("GMT/UTC", with: "UTC").replacing(
      "−", with: "-")
    guard
      let match = text.firstMatch(of: /(?:^|[^A-Z])(?:UTC|GMT)(?:\s*([+-])\s*(\d{1,2})(?::?(\d{2}))?)?(?![A-Z0-9])/),
      match.1 != nil || !text[match.range.upperBound...].contains(/^\s*(?:[+\/\d-]|STANDARD|SUMMER|OR )/)
    else { return nil }
    return clocks(match.1, match.2, match.3)
  }

  private static func clocks(_ sign: Substring?, _ hours: Substring?, _ minutes: Substring?) -> ClockZone? {
    guard let sign, let hours else { return .utc }
    return ClockZone(offset: "\(sign)\(hours.count == 1 ? "0" : "")\(hours):\(minutes ?? "00")")
  }

  /// Proves that what is recorded and left out adds up to what the file states; see ``ImportProof``.
  private func prove(
    _ rows: ImportRows, _ query: SheetQuery, _ select: DeclaredText, of table: SheetTable, _ marks: NumberMarks?,
    _ faults: inout ImportFaults
  ) throws(BitpalError) -> [ImportProof.Sum] {
    var proof = ImportProof(try proofColumns(of: query, select), recorded: rows.changes)
    do {
      try query.forEach(marks: marks) { proof.add($0, money: rows.money, &faults) }
    } catch let error as Sandbox.Failure {
      throw .configuration([Self.issue(error, in: select)])
    } catch {
      throw .configuration([select.issue("\(error)")])
    }
    guard faults.count == 0 else { return [] }
    for line in table.lines where !proof.lines.contains(line) && !rows.skippedLines.contains(line) {
      faults.add(
        "nothing of this row is an amount that the import reads, and it does not say why it is left out; take it out of the file, or "
          + "fill it in", line: line, cause: "nothing")
    }
    return proof.sums(&faults)
  }
}

/// The zone of the times of a file, and where the file says so.
struct StatedZone {
  /// The places of a zone.
  enum Place: Hashable {
    /// The name of a column that is read.
    case column

    /// A line above the header, counted from 1.
    case line(Int)
    case fileName
  }

  let clocks: ClockZone
  let place: Place
}

/// A file whose header matches an import's specification.
package struct RecognizedFile: Sendable {
  let sheet: CSVSheet

  /// The names of its columns.
  package var header: [String] { sheet.header.names }

  /// The bytes of the file.
  package var bytes: [UInt8] { sheet.bytes }
}
