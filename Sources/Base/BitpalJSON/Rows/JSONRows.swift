import BitpalFiles
import BitpalModel
package import FoundationEssentials

/// A reader of JSON by SQL that returns every number with the text that it has in the body.
///
/// A body passes ``StrictJSON`` before SQLite reads it. SQLite's `->` operator returns a number's own text. `->>` on a number passes through a `double`; the SQL given here never uses it for
/// money. The memory of SQLite is bounded, and so is the time if ``ReadingTime`` has a limit.
package final class JSONRows {
  /// The reason why a body gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The body is not JSON; the associated value is its beginning.
    case notJSON(start: String)

    /// The SQL is wrong, or a value cannot be read as required; the message of SQLite.
    case failed(String)
  }

  private let connection: SQLiteConnection
  private let bound = ReadingBound()

  /// Opens a reader.
  ///
  /// - Throws: ``Failure/failed(_:)`` when SQLite cannot open a database in memory.
  package init() throws(Failure) {
    do {
      connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    } catch {
      throw .failed(error.message)
    }
  }

  /// Runs `sql`, in which `?1` is the body and `?2`… are `parameters`, and calls `row` for each row of the result.
  ///
  /// - Throws: ``Failure``, or the errors of `row`.
  package func forEach(
    _ sql: String, in body: [UInt8], parameters: [String] = [], _ row: (JSONRow) throws -> Void
  ) throws {
    try run(sql, in: body, parameters) { statement, _ in
      let current = JSONRow(statement: statement)
      try forEach(of: statement) { try row(current) }
    }
  }

  /// Calls `row` with some members of each element of the array, or of the object, at `path`.
  ///
  /// It is `SELECT value->'$.a', value->'$.b' FROM json_each(?1)` in half the time: SQLite 3.40 serializes an element
  /// again for each mention of `value`, whereas here all its members are extracted in one call.
  ///
  /// - Parameters:
  ///   - path: The array or object, in SQLite's notation: `$.prices`.
  ///   - body: The JSON.
  ///   - members: The names, for errors, and the paths inside the element.
  ///   - row: Called with one element after the other; the members are valid only during the call.
  /// - Throws: ``Failure``, or the errors of `row`.
  package func forEachElement(
    of path: String = "$", in body: [UInt8], members: KeyValuePairs<String, String>,
    _ row: (JSONMembers) throws -> Void
  ) throws {
    let current = JSONMembers(names: members.map(\.key), reader: self)
    // To run the statement for each of many small elements takes longer than to have SQLite write them.
    if path == "$", body.first == UInt8(ascii: "["), body.last == UInt8(ascii: "]"),
      !body.prefix(256).contains(UInt8(ascii: "}"))
    {
      return try forEachElement(of: body, Self.paths(of: members, from: 2).paths, current) { try row(current) }
    }
    let (paths, places) = Self.paths(of: members, from: 3)
    // A text element has no members, and its content need not be JSON.
    let element = "iif(type='text',NULL,value)"
    let sql = "SELECT json_extract(\(element),\(places)) FROM json_each(?1,?2)"
    try run(sql, in: body, [path] + paths) { statement, _ in
      try forEach(of: statement) {
        try statement.withUTF8(0) { text in
          current.load(text)
          try row(current)
        }
      }
    }
  }

  /// Calls `row` with the members at some paths of each element of a body that is an array: its text is split here, and SQLite
  /// reads one element after the other, which it would otherwise write again first.
  private func forEachElement(
    of body: [UInt8], _ paths: [String], _ current: JSONMembers, _ row: () throws -> Void
  ) throws {
    // The paths are a part of the SQL, so that only the element is bound again.
    let texts = paths.map { "'\($0.doubling("'"))'" }.joined(separator: ",")
    try run("SELECT json_extract(?1,\(texts))", in: body, []) { statement, list in
      var elements: [UnsafeBufferPointer<UInt8>] = []
      JSONArrayText.split(list, into: &elements)
      for (index, element) in elements.enumerated() {
        if index % 1024 == 1023, bound.isOverTime { throw Failure.failed(Self.overTime) }
        // White space alone is the content of an empty array. A text has no members, and its content need not be JSON.
        guard let first = element.first(where: { $0 > 0x20 }) else { continue }
        if first == UInt8(ascii: "\"") {
          current.load(nil)
          try row()
          continue
        }
        statement.rewind()
        try statement.bind(1, borrowedText: element)
        guard try statement.step() else { continue }
        try statement.withUTF8(0) { text in
          current.load(text)
          try row()
        }
      }
    }
  }

  /// Calls `use` with some members of the body itself.
  ///
  /// - Throws: ``Failure``, or the errors of `use`.
  package func withMembers(
    of body: [UInt8], _ members: KeyValuePairs<String, String>, _ use: (JSONMembers) throws -> Void
  ) throws {
    let (paths, places) = Self.paths(of: members, from: 2)
    try run("SELECT json_extract(?1,\(places))", in: body, paths) { statement, _ in
      let current = JSONMembers(names: members.map(\.key), reader: self)
      guard try statement.step() else { return }
      try statement.withUTF8(0) { text in
        current.load(text)
        try use(current)
      }
    }
  }

  /// Returns the paths for `json_extract`, and the parameters to which they are bound.
  ///
  /// For a single path `json_extract` returns the value, for several an array; so a single one gets a second.
  private static func paths(
    of members: KeyValuePairs<String, String>, from first: Int
  ) -> (paths: [String], places: String) {
    let paths = members.count == 1 ? members.map(\.value) + ["$.x"] : members.map(\.value)
    return (paths, paths.indices.map { "?\($0 + first)" }.joined(separator: ","))
  }

  /// Calls `row` for each row of a statement; the time is checked every 1024 rows.
  private func forEach(of statement: SQLiteStatement, _ row: () throws -> Void) throws {
    var count = 0
    while try statement.step() {
      try row()
      count += 1
      if count % 1024 == 0, bound.isOverTime { throw Failure.failed(Self.overTime) }
    }
  }

  private static let overTime = "reading it takes too long"

  /// Returns the most bytes that SQLite may hold while it reads a body of `count` bytes: a list of zeros takes eleven
  /// times its size.
  private static func memory(body count: Int) -> Int { (64 << 20) + 16 * count }

  /// Returns the content of a JSON string, without its quotes and escapes.
  ///
  /// - Throws: The error of SQLite.
  func unescaped(_ string: UnsafeBufferPointer<UInt8>) throws -> String? {
    let statement = try connection.cached("SELECT ?1->>'$'")
    defer { statement.reset() }
    try statement.bind(1, borrowedText: string)
    return try statement.step() ? statement.text(0) : nil
  }

  private func run(
    _ sql: String, in body: [UInt8], _ parameters: [String],
    _ use: (SQLiteStatement, UnsafeBufferPointer<UInt8>) throws -> Void
  ) throws {
    guard let canonical = StrictJSON.canonical(body) else { throw Failure.notJSON(start: Self.start(of: body)) }
    bound.start(bytes: Self.memory(body: body.count), time: ReadingTime.left ?? .seconds(Int64.max))
    defer { bound.stop() }
    do {
      let statement = try connection.cached(sql)
      try canonical.withUnsafeBufferPointer { bytes in
        defer { statement.reset() }
        try statement.bind(1, borrowedText: bytes)
        for (index, parameter) in parameters.enumerated() { try statement.bind(index + 2, parameter) }
        try use(statement, bytes)
      }
    } catch let error as SQLiteError {
      // SQLite 3.40 has no separate error code for this.
      if error.message == "malformed JSON" { throw Failure.notJSON(start: Self.start(of: body)) }
      switch bound.refusal {
      case .time?: throw Failure.failed(Self.overTime)
      case .memory?: throw Failure.failed("reading it needs too much memory")
      case nil: throw Failure.failed(error.message)
      }
    }
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

  /// The positions of the columns, by the names that the SQL gives them (`AS name`).
  private let positions: [String: Int]

  init(statement: SQLiteStatement) {
    self.statement = statement
    let names = (0..<statement.columnCount).map { (statement.columnName($0), $0) }
    positions = Dictionary(names) { first, _ in first }
  }

  /// Returns the text of a named column; nil for null, and for a column that the SQL does not have.
  package func text(_ name: String) -> String? { positions[name].flatMap { statement.text($0) } }

  /// Returns the integer in a named column.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, including null, and for a column that the SQL does not have.
  package func integer(_ name: String) throws(ColumnProblem) -> Int64 {
    guard let position = positions[name] else {
      throw .wrong(column: name, expected: "a whole number", found: "no column")
    }
    return try integer(position)
  }

  /// Returns the text of a column (`->>` of a JSON string); nil for JSON null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` for a number or a boolean.
  package func string(_ column: Int) throws(ColumnProblem) -> String? {
    switch statement.type(column) {
    case .null: return nil
    case .text: return statement.text(column)
    case .integer, .real, .blob: throw wrong(column, expected: "a string")
    }
  }

  /// Returns an integer that fits 64 bits (`->>` or `->`).
  ///
  /// - Throws: ``ColumnProblem`` for any other value, including null.
  package func integer(_ column: Int) throws(ColumnProblem) -> Int64 {
    if statement.type(column) == .integer { return statement.integer(column) }
    guard let text = statement.text(column), let value = Int64(text) else {
      throw wrong(column, expected: "a whole number")
    }
    return value
  }

  /// Returns the column's text, whatever its type; nil for NULL.
  package func text(_ column: Int) -> String? { statement.text(column) }

  /// Returns the ISO 8601 instant of a text column; nil for NULL.
  ///
  /// - Throws: ``ColumnProblem`` for any other text.
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
