import BitpalModel
package import FoundationEssentials

/// The current row of a `JSONRows` query, with typed access to its columns.
///
/// Columns made with `->` hold JSON text, those made with `->>` hold SQL values.
package struct JSONRow {
  let statement: SQLiteStatement

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

  /// A column that must be a JSON number's own text (`->`); nil for null or a missing member.
  ///
  /// - Throws: ``ColumnProblem`` when it is anything else, or does not fit a decimal.
  package func number(_ column: Int) throws(ColumnProblem) -> Decimal? {
    try statement.withUTF8(column) { (bytes: UnsafeBufferPointer<UInt8>?) throws(ColumnProblem) -> Decimal? in
      guard let bytes else { return nil }
      if bytes.count == 4, bytes.elementsEqual("null".utf8) { return nil }
      // SQLite would hand a floating-point value on as text; it has lost digits already.
      guard statement.type(column) != .real, let value = try? Decimal(strictUTF8: bytes) else {
        throw wrong(column, expected: "a number")
      }
      return value
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
