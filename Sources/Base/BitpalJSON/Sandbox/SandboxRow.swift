package import BitpalModel
import CSQLite
package import FoundationEssentials
import Glibc

/// The current row of a sandboxed SELECT; a column may hold JSON text (made with `->`) or an SQL value (`->>`).
package struct SandboxRow {
  private let source: Source
  let guardian: SandboxGuard

  /// The origin of the columns.
  private enum Source {
    case statement(OpaquePointer)
    case cells([UnsafeBufferPointer<UInt8>], columns: [String])
  }

  /// Creates the current row of a statement.
  init(handle: OpaquePointer, guardian: SandboxGuard) {
    source = .statement(handle)
    self.guardian = guardian
  }

  /// Creates a row of texts; see ``FlatRows``.
  init(cells: [UnsafeBufferPointer<UInt8>], columns: [String], guardian: SandboxGuard) {
    source = .cells(cells, columns: columns)
    self.guardian = guardian
  }

  /// Whether a number of this or an earlier row had more digits than fit, and was rounded half-even.
  package var hasRounded: Bool { guardian.hasRounded }

  /// Returns a number from its own text or from a string that holds it; nil for null, for an empty text, as in the empty
  /// fields of CSV, and for a missing value.
  ///
  /// - Throws: ``ColumnProblem`` for floating point, any other text, and a function without a result.
  package func decimal(_ column: Int) throws(ColumnProblem) -> Decimal? {
    guard let content = try checkedBytes(of: column) else { return nil }
    return try JSONEscape.withContent(of: content) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Decimal? in
      if bytes.isEmpty || !isQuoted && bytes.count == 4 && bytes.elementsEqual("null".utf8) { return nil }
      guard let number = try? Decimal.nearest(toUTF8: bytes) else { throw wrong(column, expected: "a number") }
      if number.isRounded { guardian.hasRounded = true }
      return number.value
    }
  }

  /// Returns a column as a text, unchanged; nil for NULL and for an empty text.
  ///
  /// - Throws: ``ColumnProblem`` for a function without a result, and for a number that went through floating point.
  package func plain(_ column: Int) throws(ColumnProblem) -> String? {
    guard let bytes = try checkedBytes(of: column), !bytes.isEmpty else { return nil }
    guardian.countOutput(bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns a column that must be an integer.
  ///
  /// - Throws: ``ColumnProblem`` for any other type.
  package func whole(_ column: Int) throws(ColumnProblem) -> Int {
    guard type(of: column) == SQLITE_INTEGER else { throw wrong(column, expected: "a whole number") }
    return Int(clamping: integer(column))
  }

  /// Returns whether a column is SQL's NULL, which also means that the body has not even JSON's null there.
  package func isMissing(_ column: Int) -> Bool { type(of: column) == SQLITE_NULL }

  /// Returns a name or an id; nil for null, for a missing value and for an empty text.
  ///
  /// - Throws: ``ColumnProblem`` for JSON text (of `->`, not a name that merely looks like it), and for a function
  ///   without a result.
  package func name(in column: Int) throws(ColumnProblem) -> String? {
    try checkResult(column)
    guard let text = text(column), !text.isEmpty else { return nil }
    guard !isJSON(column) else {
      if "[{".contains(text.prefix(1)) { throw wrong(column, expected: "a text") }
      throw .jsonText(column: name(column), value: text.printable(limit: 60))
    }
    return text
  }

  /// Returns whether a column is marked as JSON text.
  private func isJSON(_ column: Int) -> Bool {
    guard case .statement(let handle) = source else { return false }
    return sqlite3_value_subtype(sqlite3_column_value(handle, Int32(clamping: column))) == UInt32(UInt8(ascii: "J"))
  }

  /// Returns the instant of a number of units since 1970 (`millisecondsPerUnit` 1000 or 1), whole or with a fraction;
  /// nil for null.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, for an instant before 1800 or after 9999, and for a function
  ///   without a result.
  package func instant(_ column: Int, millisecondsPerUnit unit: Int64) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    let milliseconds: Int64
    switch type(of: column) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER:
      let (product, overflow) = integer(column).multipliedReportingOverflow(by: unit)
      milliseconds = overflow ? .min : product
    default:
      let value = try withUnquoted(column) {
        (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Int64? in
        if let whole = Self.whole(bytes) {
          let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
          return overflow ? .min : product
        }
        if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
        guard let fraction = try? Decimal(strictUTF8: bytes),
          let rounded = Int64((fraction * Decimal(unit)).rounded(scale: 0).plainText)
        else { throw wrong(column, expected: Self.description(unit)) }
        return rounded
      }
      guard let value else { return nil }
      milliseconds = value
    }
    // From 1800, because the prices of some shares are older than Unix time, to the end of 9999.
    guard (-5_364_662_400_000...253_402_300_799_999).contains(milliseconds) else {
      throw wrong(column, expected: Self.description(unit))
    }
    return Date(milliseconds: milliseconds)
  }

  /// Returns an ISO 8601 instant; nil for null.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, and for a function without a result.
  package func instant(_ column: Int) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    if type(of: column) == SQLITE_NULL { return nil }
    return try withUnquoted(column) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Date? in
      if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
      guard let value = Date(utcUTF8: bytes) else { throw wrong(column, expected: "an ISO 8601 time") }
      return value
    }
  }

  /// Returns whether the column has the ten characters of a date without a time: `2025-01-15`, with or without quotes.
  package func isDayAlone(_ column: Int) -> Bool {
    (try? withUnquoted(column) { (bytes: UnsafeBufferPointer<UInt8>, _) throws(ColumnProblem) in bytes.count == 10 })
      ?? false
  }

  /// Returns an instant in the source's own format; nil for null.
  ///
  /// - Throws: ``ColumnProblem`` for any other value, and for a function without a result.
  package func instant(_ column: Int, pattern: TimePattern) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    if type(of: column) == SQLITE_NULL { return nil }
    return try withUnquoted(column) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Date? in
      if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
      guard let value = pattern.instant(bytes) else { throw wrong(column, expected: "a time like \(pattern.text)") }
      return value
    }
  }

  /// Returns the column's text, whatever its type; nil for NULL.
  package func text(_ column: Int) -> String? {
    guard let bytes = bytes(of: column) else { return nil }
    guardian.countOutput(bytes.count)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Columns

  /// Returns SQLite's type of a column.
  private func type(of column: Int) -> Int32 {
    switch source {
    case .statement(let handle): sqlite3_column_type(handle, Int32(clamping: column))
    case .cells(let cells, _): cells.indices.contains(column) ? SQLITE_TEXT : SQLITE_NULL
    }
  }

  /// Returns a column of SQLite's type integer.
  private func integer(_ column: Int) -> Int64 {
    if case .statement(let handle) = source { sqlite3_column_int64(handle, Int32(clamping: column)) } else { 0 }
  }

  /// Returns the text of a column as UTF-8; nil for NULL.
  ///
  /// The bytes are read as those of a blob, because SQLite copies a text to put a NUL behind it.
  private func bytes(of column: Int) -> UnsafeBufferPointer<UInt8>? {
    switch source {
    case .statement(let handle):
      let index = Int32(clamping: column)
      guard let start = sqlite3_column_blob(handle, index)?.assumingMemoryBound(to: UInt8.self) else {
        return type(of: column) == SQLITE_NULL ? nil : UnsafeBufferPointer(start: nil, count: 0)
      }
      return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
    case .cells(let cells, _): return cells.indices.contains(column) ? cells[column] : nil
    }
  }

  /// Returns the text of a column as UTF-8; nil for NULL.
  ///
  /// - Throws: ``ColumnProblem`` for a function without a result, and for floating point.
  private func checkedBytes(of column: Int) throws(ColumnProblem) -> UnsafeBufferPointer<UInt8>? {
    if type(of: column) == SQLITE_FLOAT { throw .floatingPoint(column: name(column), value: text(column) ?? "") }
    guard let bytes = bytes(of: column) else { return nil }
    try Self.check(bytes)
    return bytes
  }

  /// Throws the failure that an SQL function of ours has left in a column.
  private func checkResult(_ column: Int) throws(ColumnProblem) {
    let type = type(of: column)
    if type == SQLITE_BLOB || type == SQLITE_TEXT, let bytes = bytes(of: column) { try Self.check(bytes) }
  }

  private static func check(_ bytes: UnsafeBufferPointer<UInt8>) throws(ColumnProblem) {
    // The SQL may have put a text before it.
    guard let start = bytes.baseAddress, let mark = memchr(start, 0, bytes.count) else { return }
    let rest = bytes[(mark - UnsafeMutableRawPointer(mutating: start))...]
    guard rest.starts(with: SandboxCall.failureMark) else { return }
    throw .failed(String(decoding: rest.dropFirst(SandboxCall.failureMark.count), as: UTF8.self))
  }

  /// Calls `body` with the bytes of a column without the quotes and escapes of a JSON string.
  private func withUnquoted<Result>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>, Bool) throws(ColumnProblem) -> Result
  ) throws(ColumnProblem) -> Result {
    let bytes = bytes(of: column) ?? UnsafeBufferPointer(start: nil, count: 0)
    return try JSONEscape.withContent(of: bytes, body)
  }

  private static func description(_ unit: Int64) -> String {
    unit == 1 ? "milliseconds since 1970" : "seconds since 1970"
  }

  private static func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
    guard (1...18).contains(bytes.count) else { return nil }
    var value: Int64 = 0
    for byte in bytes {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int64(digit)
    }
    return value
  }

  private func name(_ column: Int) -> String {
    switch source {
    case .statement(let handle): sqlite3_column_name(handle, Int32(clamping: column)).map { String(cString: $0) } ?? ""
    case .cells(_, let columns): columns.indices.contains(column) ? columns[column] : ""
    }
  }

  private func wrong(_ column: Int, expected: String) -> ColumnProblem {
    .wrong(column: name(column), expected: expected, found: (text(column) ?? "null").printable(limit: 60))
  }
}
