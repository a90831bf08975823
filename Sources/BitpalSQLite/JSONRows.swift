import BitpalModel

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
        while try statement.step() { try row(JSONRow(statement: statement)) }
      } catch let error as SQLiteError {
        // SQLite 3.40 has no code of its own for this.
        if error.message == "malformed JSON" { throw Failure.notJSON(start: Self.start(of: body)) }
        throw Failure.sql(error)
      }
    }
  }

  /// SQLite reads a text up to its first NUL and does not check UTF-8, so both are refused before.
  private static func isText(_ body: [UInt8]) -> Bool {
    !body.isEmpty && !body.contains(0) && String(validating: body, as: UTF8.self) != nil
  }

  private static func start(of body: [UInt8]) -> String {
    body.isEmpty ? "nothing" : String(decoding: body.prefix(80), as: UTF8.self).printable(limit: 60)
  }
}
