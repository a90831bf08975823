import BitpalModel
import Glibc

/// Reads JSON with SQL: a body in, rows out, every number as the very text that the body has.
///
/// SQLite's reader is strict (RFC 8259) and its `->` operator hands back a number's own text. `->>` on a number passes
/// through a `double`; the SQL given here never uses it for money.
package final class JSONRows {
  /// Why a body gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The body is not JSON; the start of what it is instead.
    case notJSON(start: String)

    /// The SQL is wrong, or a value cannot be read as asked.
    case sql(SQLiteError)
  }

  private let connection: SQLiteConnection

  package init() throws(Failure) {
    do {
      connection = try SQLiteConnection(path: ":memory:", busyTimeout: .zero)
    } catch {
      throw .sql(error)
    }
  }

  /// Runs `sql`, in which `?1` is the body and `?2`… are `parameters`, and calls `row` for each row of the result.
  package func forEach(
    _ sql: String, in body: [UInt8], parameters: [String] = [], _ row: (JSONRow) throws -> Void
  ) throws {
    try run(sql, in: body, parameters) { statement in
      let current = JSONRow(statement: statement)
      while try statement.step() { try row(current) }
    }
  }

  /// Calls `row` with some members of each element of the array, or of the object, at `path`.
  ///
  /// It is `SELECT value->'$.a', value->'$.b' FROM json_each(?1)` in half the time: SQLite 3.40 writes an element out
  /// again wherever `value` is named, whereas here all its members are taken out at once.
  ///
  /// - Parameter members: Names, for errors, and paths inside the element.
  package func forEachElement(
    of path: String = "$", in body: [UInt8], members: KeyValuePairs<String, String>,
    _ row: (JSONMembers) throws -> Void
  ) throws {
    // For a single path `json_extract` gives its value, for several an array.
    let paths = members.count == 1 ? members.map(\.value) + ["$.x"] : members.map(\.value)
    let places = paths.indices.map { "?\($0 + 3)" }.joined(separator: ",")
    try run("SELECT json_extract(value,\(places)) FROM json_each(?1,?2)", in: body, [path] + paths) { statement in
      let current = JSONMembers(names: members.map(\.key), reader: self)
      while try statement.step() {
        try statement.withUTF8(0) { text in
          current.load(text)
          try row(current)
        }
      }
    }
  }

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
    let statement: SQLiteStatement
    do {
      statement = try connection.cached(sql)
    } catch {
      throw Failure.sql(error)
    }
    try body.withUnsafeBufferPointer { bytes in
      defer { statement.reset() }
      do {
        try statement.bind(1, borrowedText: bytes)
        for (index, parameter) in parameters.enumerated() { try statement.bind(index + 2, parameter) }
        try use(statement)
      } catch let error as SQLiteError {
        // SQLite 3.40 has no code of its own for this.
        if error.message == "malformed JSON" { throw Failure.notJSON(start: Self.start(of: body)) }
        throw Failure.sql(error)
      }
    }
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
