import BitpalModel
import BitpalSQLite
package import FoundationEssentials
import Glibc

/// Reads JSON with SQL: a body in, rows out, every number as the very text that the body has.
///
/// SQLite's reader is strict (RFC 8259; what newer versions take beyond that is refused before), and its `->` operator
/// hands back a number's own text. `->>` on a number passes through a `double`; the SQL given here never uses it for
/// money. What SQLite may hold is bounded, and so is the time when ``ReadingTime`` says so.
package final class JSONRows {
  /// Why a body gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The body is not JSON; the start of what it is instead.
    case notJSON(start: String)

    /// The SQL is wrong, or a value cannot be read as asked; SQLite's words.
    case failed(String)
  }

  private let connection: SQLiteConnection
  private let bound = ReadingBound()

  package init() throws(Failure) {
    do {
      connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    } catch {
      throw .failed(error.message)
    }
  }

  /// Runs `sql`, in which `?1` is the body and `?2`… are `parameters`, and calls `row` for each row of the result.
  package func forEach(
    _ sql: String, in body: [UInt8], parameters: [String] = [], _ row: (JSONRow) throws -> Void
  ) throws {
    try run(sql, in: body, parameters) { statement in
      let current = JSONRow(statement: statement)
      try forEach(of: statement) { try row(current) }
    }
  }

  /// Calls `row` with some members of each element of the array, or of the object, at `path`.
  ///
  /// It is `SELECT value->'$.a', value->'$.b' FROM json_each(?1)` in half the time: SQLite 3.40 writes an element out
  /// again wherever `value` is named, whereas here all its members are taken out at once.
  ///
  /// - Parameters:
  ///   - path: The array or object, in SQLite's notation: `$.prices`.
  ///   - body: The JSON.
  ///   - members: Names, for errors, and paths inside the element.
  ///   - row: Called with one element after the other; the members are good only within the call.
  package func forEachElement(
    of path: String = "$", in body: [UInt8], members: KeyValuePairs<String, String>,
    _ row: (JSONMembers) throws -> Void
  ) throws {
    let (paths, places) = Self.paths(of: members, from: 3)
    // An element that is a text has no members, and need not be JSON within its quotes.
    let element = "iif(type='text',NULL,value)"
    try run("SELECT json_extract(\(element),\(places)) FROM json_each(?1,?2)", in: body, [path] + paths) { statement in
      let current = JSONMembers(names: members.map(\.key), reader: self)
      try forEach(of: statement) {
        try statement.withUTF8(0) { text in
          current.load(text)
          try row(current)
        }
      }
    }
  }

  /// Calls `use` with some members of the body itself.
  package func withMembers(
    of body: [UInt8], _ members: KeyValuePairs<String, String>, _ use: (JSONMembers) throws -> Void
  ) throws {
    let (paths, places) = Self.paths(of: members, from: 2)
    try run("SELECT json_extract(?1,\(places))", in: body, paths) { statement in
      let current = JSONMembers(names: members.map(\.key), reader: self)
      guard try statement.step() else { return }
      try statement.withUTF8(0) { text in
        current.load(text)
        try use(current)
      }
    }
  }

  /// The paths for `json_extract`, and the parameters that they are bound to.
  ///
  /// Of a single path it gives the value, of several an array.
  private static func paths(
    of members: KeyValuePairs<String, String>, from first: Int
  ) -> (paths: [String], places: String) {
    let paths = members.count == 1 ? members.map(\.value) + ["$.x"] : members.map(\.value)
    return (paths, paths.indices.map { "?\($0 + first)" }.joined(separator: ","))
  }

  /// Calls `row` for each row of a statement; the time is looked at now and then, as no row takes long.
  private func forEach(of statement: SQLiteStatement, _ row: () throws -> Void) throws {
    var count = 0
    while try statement.step() {
      try row()
      count += 1
      if count % 1024 == 0, bound.isOverTime { throw Failure.failed(Self.overTime) }
    }
  }

  private static let overTime = "reading it takes too long"

  /// What SQLite may hold while it reads a body of `count` bytes: a list of zeros takes eleven times its size.
  private static func memory(body count: Int) -> Int { (64 << 20) + 16 * count }

  /// What a JSON string says, without its quotes and escapes.
  func unescaped(_ string: UnsafeBufferPointer<UInt8>) throws -> String? {
    let statement = try connection.cached("SELECT ?1->>'$'")
    defer { statement.reset() }
    try statement.bind(1, borrowedText: string)
    return try statement.step() ? statement.text(0) : nil
  }

  private func run(
    _ sql: String, in body: [UInt8], _ parameters: [String], _ use: (SQLiteStatement) throws -> Void
  ) throws {
    guard Self.isText(body) else { throw Failure.notJSON(start: Self.start(of: body)) }
    bound.start(bytes: Self.memory(body: body.count), time: ReadingTime.left ?? .seconds(Int64.max))
    defer { bound.stop() }
    do {
      let statement = try connection.cached(sql)
      try body.withUnsafeBufferPointer { bytes in
        if SQLiteLibrary.readsJSON5 { try checkStrictness(of: bytes) }
        defer { statement.reset() }
        try statement.bind(1, borrowedText: bytes)
        for (index, parameter) in parameters.enumerated() { try statement.bind(index + 2, parameter) }
        try use(statement)
      }
    } catch let error as SQLiteError {
      // SQLite 3.40 has no code of its own for this.
      if error.message == "malformed JSON" { throw Failure.notJSON(start: Self.start(of: body)) }
      switch bound.refusal {
      case .time?: throw Failure.failed(Self.overTime)
      case .memory?: throw Failure.failed("reading it needs too much memory")
      case nil: throw Failure.failed(error.message)
      }
    }
  }

  /// Refuses what SQLite would read although it is no JSON.
  private func checkStrictness(of body: UnsafeBufferPointer<UInt8>) throws {
    let statement = try connection.cached(SQLiteLibrary.almostJSON)
    defer { statement.reset() }
    try statement.bind(1, borrowedText: body)
    guard try statement.step(), statement.integer(0) == 1 else { return }
    throw Failure.notJSON(start: Self.start(of: Array(body)))
  }

  /// SQLite reads a text up to its first NUL and does not check UTF-8, so both are refused before.
  private static func isText(_ body: [UInt8]) -> Bool {
    let hasNUL = body.withUnsafeBytes { bytes in bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false }
    return !body.isEmpty && !hasNUL && String(validating: body, as: UTF8.self) != nil
  }

  private static func start(of body: [UInt8]) -> String {
    body.isEmpty ? "nothing" : String(decoding: body.prefix(80), as: UTF8.self).printable(limit: 60)
  }
}

/// The current row of a `JSONRows` query, with typed access to its columns.
///
/// Columns made with `->` hold JSON text, those made with `->>` hold SQL values.
package struct JSONRow {
  let statement: SQLiteStatement

  /// Where each column is that the SQL gives a name to (`AS name`).
  private let positions: [String: Int]

  init(statement: SQLiteStatement) {
    self.statement = statement
    let names = (0..<statement.columnCount).map { (statement.columnName($0), $0) }
    positions = Dictionary(names) { first, _ in first }
  }

  /// The text of the column of that name; nil for null, and for a column that the SQL does not have.
  package func text(_ name: String) -> String? { positions[name].flatMap { statement.text($0) } }

  /// The whole number in the column of that name.
  ///
  /// - Throws: ``ColumnProblem`` for anything else, null and a column that the SQL does not have too.
  package func integer(_ name: String) throws(ColumnProblem) -> Int64 {
    guard let position = positions[name] else {
      throw .wrong(column: name, expected: "a whole number", found: "no column")
    }
    return try integer(position)
  }

  /// A text column (`->>` of a JSON string); nil for JSON null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for a number or a boolean.
  package func string(_ column: Int) throws(ColumnProblem) -> String? {
    switch statement.type(column) {
    case .null: return nil
    case .text: return statement.text(column)
    case .integer, .real, .blob: throw wrong(column, expected: "a string")
    }
  }

  /// A column that must be a whole number that fits 64 bits (`->>` or `->`).
  package func integer(_ column: Int) throws(ColumnProblem) -> Int64 {
    if statement.type(column) == .integer { return statement.integer(column) }
    guard let text = statement.text(column), let value = Int64(text) else {
      throw wrong(column, expected: "a whole number")
    }
    return value
  }

  /// The column's text, whatever its type.
  package func text(_ column: Int) -> String? { statement.text(column) }

  /// An ISO 8601 instant in a text column; nil for null.
  package func instant(_ column: Int) throws(ColumnProblem) -> Date? {
    try statement.withUTF8(column) { (bytes: UnsafeBufferPointer<UInt8>?) throws(ColumnProblem) -> Date? in
      guard let bytes else { return nil }
      guard let value = Date(utcUTF8: bytes) else { throw wrong(column, expected: "an ISO 8601 time") }
      return value
    }
  }

  private func wrong(_ column: Int, expected: String) -> ColumnProblem {
    .wrong(
      column: statement.columnName(column), expected: expected,
      found: (statement.text(column) ?? "null").printable(limit: 60))
  }
}
