package import BitpalModel
import CSQLite

/// The rows of a sheet as a table of SQLite, in a sandbox of its own.
///
/// The table is called `rows`. Its columns are those of the sheet, as texts without surrounding spaces and tabs, NULL
/// when empty; `line` is the first line of the row.
package final class SheetTable {
  static let name = "rows"

  fileprivate let sandbox: Sandbox
  private let insertion: OpaquePointer
  private let columns: [String]

  /// The numbers of rows and of bytes of the sheet that was loaded last.
  fileprivate private(set) var size = (rows: 0, bytes: 0)

  /// Creates an empty table.
  ///
  /// - Parameter columns: The columns of the table; those that a sheet lacks are NULL.
  /// - Throws: ``Sandbox/Failure`` when SQLite cannot create it.
  package init(columns: [String]) throws(Sandbox.Failure) {
    var known: Set<String> = ["line"]
    self.columns = columns.filter { known.insert($0.lowercased()).inserted }
    let names = self.columns.map(Self.identifier)
    let table = "CREATE TABLE \(Self.name)(line INTEGER PRIMARY KEY\(names.map { ",\($0) TEXT" }.joined()))"
    let places = names.indices.map { ",?\($0 + 2)" }.joined()
    sandbox = try Sandbox()
    let prepared = sandbox.withoutGuard { handle -> OpaquePointer? in
      var insertion: OpaquePointer?
      sqlite3_exec(handle, table, nil, nil, nil)
      sqlite3_prepare_v2(handle, "INSERT INTO \(Self.name) VALUES(?1\(places))", -1, &insertion, nil)
      return insertion
    }
    guard let prepared else { throw .failed("a table with these columns cannot be made") }
    insertion = prepared
    sandbox.guardian.hasSheet = true
  }

  deinit {
    sqlite3_finalize(insertion)
  }

  /// Replaces the rows by those of a sheet.
  ///
  /// - Parameter report: Receives the faults of the sheet; a row that is not valid CSV is skipped.
  /// - Returns: The number of rows.
  package func load(_ sheet: CSVSheet, report: (BodyFault) -> Void) -> Int {
    let places = columns.map(sheet.header.index)
    var count = 0
    sandbox.withoutGuard { handle in
      sqlite3_exec(handle, "BEGIN; DELETE FROM \(Self.name)", nil, nil, nil)
      sqlite3_clear_bindings(insertion)
      sheet.forEachRow(
        { row in
          count += 1
          sqlite3_bind_int64(insertion, 1, Int64(row.line))
          for (index, place) in places.enumerated() {
            if let place { bind(index + 2, row.fields[place], row.scanner) }
          }
          sqlite3_step(insertion)
          sqlite3_reset(insertion)
        }, report: report)
      sqlite3_clear_bindings(insertion)
      sqlite3_exec(handle, "COMMIT", nil, nil, nil)
    }
    size = (count, sheet.bytes.count)
    return count
  }

  /// The lines of the rows, sorted.
  package var lines: [Int] {
    var lines: [Int] = []
    lines.reserveCapacity(size.rows)
    try? SheetQuery("SELECT line FROM \(Self.name) ORDER BY line", over: self).forEach(marks: nil) {
      lines.append(try $0.whole(0))
    }
    return lines
  }

  /// Returns the name of a column in SQL.
  package static func identifier(_ name: String) -> String { "\"" + name.doubling("\"") + "\"" }

  /// Leaves out the rows that are equal to an earlier one and have a text in a column; returns their number.
  ///
  /// - Parameter column: The column whose text no other row has; nothing is left out where the file lacks it.
  package func leaveOutRepeated(by column: String) -> Int {
    guard let own = identifier(of: column) else { return 0 }
    let all = columns.map(Self.identifier).joined(separator: ", ")
    return delete("\(own) IS NOT NULL AND line NOT IN (SELECT min(line) FROM \(Self.name) GROUP BY \(all))")
  }

  /// Leaves out the rows of lines.
  package func leaveOut(_ lines: [Int]) {
    if !lines.isEmpty { _ = delete("line IN (\(lines.map(String.init).joined(separator: ", ")))") }
  }

  private func delete(_ condition: String) -> Int {
    sandbox.withoutGuard { handle in
      let result = sqlite3_exec(handle, "DELETE FROM \(Self.name) WHERE \(condition)", nil, nil, nil)
      return result == SQLITE_OK ? Int(sqlite3_changes(handle)) : 0
    }
  }

  /// Returns the lines of the rows of each text that several rows have in a column, without regard to case; none where the file lacks it.
  package func repeatedRows(by column: String) -> [[Int]] {
    guard let own = identifier(of: column).map({ "lower(\($0))" }) else { return [] }
    let sql = """
      SELECT \(own), line FROM \(Self.name) WHERE \(own) IN (SELECT \(own) FROM \(Self.name) GROUP BY 1 HAVING count(*) > 1)
      ORDER BY 1, 2
      """
    var (last, repeated): (String?, [[Int]]) = (nil, [])
    try? SheetQuery(sql, over: self).forEach(marks: nil) { row in
      let text = try row.plain(0)
      if text != last { repeated.append([]) }
      last = text
      repeated[repeated.count - 1].append(try row.whole(1))
    }
    return repeated
  }

  /// Returns the first line whose value in a column is a number that a spreadsheet has rounded, such as `6.12346E+17`; nil for none.
  package func roundedRow(in column: String) -> Int? {
    guard let own = identifier(of: column) else { return nil }
    let sql = "SELECT min(line) FROM \(Self.name) WHERE lower(\(own)) GLOB '[0-9]*e+[0-9]*'"
    var line: Int?
    try? SheetQuery(sql, over: self).forEach(marks: nil) { line = try $0.whole(0) }
    return line
  }

  /// Returns the name in SQL of a column in any letter case; nil where the file lacks it.
  private func identifier(of column: String) -> String? {
    columns.first { $0.lowercased() == column.lowercased() }.map(Self.identifier)
  }

  private func bind(_ index: Int, _ content: CSVScanner.Content, _ scanner: CSVScanner) {
    if content.hasDoubledQuotes {
      var text = scanner.text(of: content)
      text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          _ = bitpal_bind_text(insertion, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
        }
      }
      return
    }
    let range = scanner.trimmed(content)
    guard !range.isEmpty else {
      sqlite3_bind_null(insertion, Int32(clamping: index))
      return
    }
    let bytes = UnsafeBufferPointer(rebasing: scanner.bytes[range])
    bytes.withMemoryRebound(to: CChar.self) { characters in
      _ = bitpal_bind_borrowed_text(insertion, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
    }
  }
}

/// A SELECT from a file over a ``SheetTable``.
package final class SheetQuery {
  private let table: SheetTable
  private let statement: SandboxStatement

  /// Compiles the SELECT.
  ///
  /// - Throws: ``Sandbox/Failure``.
  package init(_ sql: String, over table: SheetTable) throws(Sandbox.Failure) {
    self.table = table
    statement = try table.sandbox.prepare(sql)
    let (names, aliases) = Self.identifiers(in: sql)
    // What a `*` reads is used where it is a result.
    let results = Set(statement.columns.map { $0.lowercased() }).subtracting(aliases)
    columnsRead = table.sandbox.guardian.columnsRead.intersection(names.union(results))
    floatingPointOperation = table.sandbox.withoutGuard { Self.floatingPointOperation(in: sql, $0) }
  }

  /// The columns of the table that the SELECT reads and names, in lower case: a `*` reads all, and uses none by itself but as a result.
  package let columnsRead: Set<String>

  /// Returns the identifiers in SQL, in lower case, and apart from them those that `AS` gives; what stands in texts and comments is
  /// not among them.
  private static func identifiers(in sql: String) -> (names: Set<String>, aliases: Set<String>) {
    var (names, aliases): (Set<String>, Set<String>) = ([], [])
    var isAlias = false
    func add(_ name: some Collection<UInt8>) {
      let name = String(decoding: name, as: UTF8.self).lowercased()
      if isAlias { aliases.insert(name) } else { names.insert(name) }
      isAlias = name == "as"
    }
    var rest = sql.utf8[...]
    while let first = rest.first {
      switch Character(Unicode.Scalar(first)) {
      case "'", "\"", "`":
        var text: [UInt8] = []
        repeat {
          rest = rest.dropFirst()
          if !text.isEmpty { text.append(first) }
          text += rest.prefix { $0 != first }
          rest = rest.drop { $0 != first }.dropFirst()
        } while rest.first == first
        if first == UInt8(ascii: "'") { isAlias = false } else { add(text) }
      case "[":
        add(rest.dropFirst().prefix { $0 != UInt8(ascii: "]") })
        rest = rest.drop { $0 != UInt8(ascii: "]") }
      case "-" where rest.starts(with: "--".utf8): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case "/" where rest.starts(with: "/*".utf8):
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
      case " ", "\n", "\t", "\r": rest = rest.dropFirst()
      case _ where isOfWord(first):
        add(rest.prefix(while: isOfWord))
        rest = rest.drop(while: isOfWord)
      default:
        isAlias = false
        rest = rest.dropFirst()
      }
    }
    return (names, aliases)
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || byte &- UInt8(ascii: "0") <= 9 || (byte | 0x20) &- 0x61 <= 25
  }

  /// The first operation of the compiled SELECT that uses floating point, or converts texts to it; nil when there is
  /// none.
  package let floatingPointOperation: String?

  private static func floatingPointOperation(in sql: String, _ handle: OpaquePointer) -> String? {
    var program: OpaquePointer?
    sqlite3_prepare_v2(handle, "EXPLAIN " + sql, -1, &program, nil)
    defer { sqlite3_finalize(program) }
    while sqlite3_step(program) == SQLITE_ROW {
      let operation = sqlite3_column_text(program, 1).map { String(cString: $0) } ?? ""
      // The third operand holds the affinity of CAST: D is INTEGER, E is REAL, C is NUMERIC.
      let affinity = sqlite3_column_int(program, 3)
      switch operation {
      case "Multiply": return "*"
      case "Divide": return "/"
      case "Real": return "a number with a point"
      case "Cast" where affinity == Int32(UInt8(ascii: "E")): return "CAST AS REAL"
      default: break
      }
    }
    return nil
  }

  /// The names of the result columns, in their order.
  package var results: [String] { statement.columns }

  /// The names of the statement's parameters, of which it may have none.
  package var parameters: [String] { statement.parameters }

  /// Runs the SELECT over the rows of the table and calls `row` for each row of the result.
  ///
  /// - Parameters:
  ///   - marks: The number format of the texts that `number` reads; nil for JSON's format.
  ///   - row: Called with one row after the other; the row is valid only during the call.
  /// - Throws: ``Sandbox/Failure``, or the errors of `row`.
  package func forEach(marks: NumberMarks?, _ row: (SandboxRow) throws -> Void) throws {
    // The files that we ship take some hundred steps per row.
    let budget = Sandbox.Budget(
      steps: 20_000_000 + 5_000 * table.size.rows, time: .seconds(60), output: (64 << 20) + 4 * table.size.bytes)
    try statement.forEach(overTablesOf: table.size.bytes, budget: budget, marks: marks, row)
  }
}
