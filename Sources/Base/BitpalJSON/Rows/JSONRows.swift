import BitpalFiles
import BitpalModel
package import FoundationEssentials

/// A reader of JSON that returns every number with the text that it has in the body.
///
/// A body passes ``StrictJSON`` first. Members at fixed paths are found in its text; SQL is for everything else. SQLite's
/// `->` operator returns a number's own text. `->>` on a number passes through a `double`; the SQL given here never uses
/// it for money. The memory of SQLite is bounded, and so is the time if ``ReadingTime`` has a limit.
package final class JSONRows {
  /// The reason why a body gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The body is not JSON; the associated value is its beginning.
    case notJSON(start: String)

    /// The SQL is wrong, or a value cannot be read as required; the message of SQLite.
    case failed(String)
  }

  /// Opened for the first SQL.
  private var connection: SQLiteConnection?
  private let bound = ReadingBound()

  package init() {}

  /// Runs `sql`, in which `?1` is the body and `?2`… are `parameters`, and calls `row` for each row of the result.
  ///
  /// - Throws: ``Failure``, or the errors of `row`.
  package func forEach(
    _ sql: String, in body: [UInt8], parameters: [String] = [], _ row: (JSONRow) throws -> Void
  ) throws {
    try read(body) { bytes in
      do {
        let connection = try connection ?? SQLiteConnection(path: ":memory:", busyTimeout: .zero)
        self.connection = connection
        let statement = try connection.cached(sql)
        defer { statement.reset() }
        try statement.bind(1, borrowedText: bytes)
        for (index, parameter) in parameters.enumerated() { try statement.bind(index + 2, parameter) }
        let current = JSONRow(statement: statement)
        var count = 0
        while try statement.step() {
          try row(current)
          try checkTime(&count)
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
  }

  /// Calls `row` with some members of each element of the array, or of the object, at `path`; once, without members, for
  /// any other value.
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
    let (steps, paths) = (try Self.steps(path), try Self.paths(of: members))
    let current = JSONMembers(names: members.map(\.key))
    try read(body) { bytes in
      guard let list = JSONNode(bytes).node(at: steps, isOpen: true) else { return }
      guard list.isContainer else { return try row(current) }
      var (elements, count) = (JSONElements(list), 0)
      while elements.next() {
        current.load(elements.value(isOpen: true), paths)
        try row(current)
        try checkTime(&count)
      }
    }
  }

  /// Calls `use` with some members of the body itself.
  ///
  /// - Throws: ``Failure``, or the errors of `use`.
  package func withMembers(
    of body: [UInt8], _ members: KeyValuePairs<String, String>, _ use: (JSONMembers) throws -> Void
  ) throws {
    let paths = try Self.paths(of: members)
    let current = JSONMembers(names: members.map(\.key))
    try read(body) { bytes in
      current.load(JSONNode(bytes), paths)
      try use(current)
    }
  }

  private static func paths(of members: KeyValuePairs<String, String>) throws(Failure) -> JSONPaths {
    var paths: [JSONSteps] = []
    for member in members { paths.append(try steps(member.value)) }
    return JSONPaths(paths)
  }

  private static func steps(_ path: String) throws(Failure) -> JSONSteps {
    var text = path
    guard let steps = text.withUTF8({ JSONSteps($0) }) else { throw .failed("JSON path error near '\(path)'") }
    return steps
  }

  /// Counts a row, and checks the time after each 1024.
  private func checkTime(_ count: inout Int) throws(Failure) {
    count += 1
    if count % 1024 == 0, bound.isOverTime { throw .failed(Self.overTime) }
  }

  private static let overTime = "reading it takes too long"

  /// Returns the most bytes that SQLite may hold while it reads a body of `count` bytes: a list of zeros takes eleven
  /// times its size.
  private static func memory(body count: Int) -> Int { (64 << 20) + 16 * count }

  /// Calls `use` with the text of a body, within the bounds on memory and time.
  private func read(_ body: [UInt8], _ use: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
    guard let canonical = StrictJSON.canonical(body) else { throw Failure.notJSON(start: Self.start(of: body)) }
    bound.start(bytes: Self.memory(body: body.count), time: ReadingTime.left ?? .seconds(Int64.max))
    defer { bound.stop() }
    try canonical.withUnsafeBufferPointer(use)
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
