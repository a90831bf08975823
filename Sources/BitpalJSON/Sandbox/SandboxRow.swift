package import BitpalModel
import CSQLite
package import FoundationEssentials

/// The current row of a sandboxed SELECT; a column may hold JSON text (made with `->`) or an SQL value (`->>`).
package struct SandboxRow {
  let handle: OpaquePointer
  let guardian: SandboxGuard

  /// Whether a number of this row or one before had more digits than fit, and was rounded half-even.
  package var hasRounded: Bool { guardian.hasRounded }

  /// An amount: a number's own text or a string that holds one; nil for null and for what is not there.
  package func decimal(_ column: Int) throws(ColumnProblem) -> Decimal? {
    try checkResult(column)
    let index = Int32(clamping: column)
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_FLOAT: throw .floatingPoint(column: name(column), value: text(column) ?? "")
    default: break
    }
    return try withUnquoted(column) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Decimal? in
      if !isQuoted, bytes.count == 4, bytes.elementsEqual("null".utf8) { return nil }
      guard let number = try? Decimal.nearest(toUTF8: bytes) else { throw wrong(column, expected: "a number") }
      if number.isRounded { guardian.hasRounded = true }
      return number.value
    }
  }

  /// Whether a column is SQL's NULL: nothing was there, not even JSON's null.
  package func isMissing(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL
  }

  /// A name or an id; nil for null, for what is not there and for an empty text.
  package func name(in column: Int) throws(ColumnProblem) -> String? {
    try checkResult(column)
    guard let text = text(column), !text.isEmpty else { return nil }
    if text == "null" || text.hasPrefix("\"") && text.hasSuffix("\"") && text.utf8.count > 1 {
      throw .jsonText(column: name(column), value: text.printable(limit: 60))
    }
    return text
  }

  /// A number of units of 1970 (`millisecondsPerUnit` 1000 or 1), whole or with a fraction; nil for null.
  package func instant(_ column: Int, millisecondsPerUnit unit: Int64) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    let index = Int32(clamping: column)
    let milliseconds: Int64
    switch sqlite3_column_type(handle, index) {
    case SQLITE_NULL: return nil
    case SQLITE_INTEGER:
      let (product, overflow) = sqlite3_column_int64(handle, index).multipliedReportingOverflow(by: unit)
      milliseconds = overflow ? -1 : product
    default:
      let value = try withUnquoted(column) {
        (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Int64? in
        if let whole = Self.whole(bytes) {
          let (product, overflow) = whole.multipliedReportingOverflow(by: unit)
          return overflow ? -1 : product
        }
        if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
        guard let fraction = try? Decimal(strictUTF8: bytes),
          let rounded = Int64((fraction * Decimal(unit)).rounded(scale: 0).plainText)
        else { throw wrong(column, expected: Self.words(unit)) }
        return rounded
      }
      guard let value else { return nil }
      milliseconds = value
    }
    guard (0...253_402_300_799_999).contains(milliseconds) else {
      throw wrong(column, expected: Self.words(unit))
    }
    return Date(milliseconds: milliseconds)
  }

  /// An ISO 8601 instant; nil for null.
  package func instant(_ column: Int) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    if sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL { return nil }
    return try withUnquoted(column) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Date? in
      if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
      guard let value = Date(utcUTF8: bytes) else { throw wrong(column, expected: "an ISO 8601 time") }
      return value
    }
  }

  /// Whether the column is as long as a day without a time: `2025-01-15`, in quotes or without.
  package func isDayAlone(_ column: Int) -> Bool {
    let index = Int32(clamping: column)
    guard let start = sqlite3_column_text(handle, index) else { return false }
    return sqlite3_column_bytes(handle, index) == (start[0] == UInt8(ascii: "\"") ? 12 : 10)
  }

  /// An instant in a way of the source's own; nil for null.
  package func instant(_ column: Int, pattern: TimePattern) throws(ColumnProblem) -> Date? {
    try checkResult(column)
    if sqlite3_column_type(handle, Int32(clamping: column)) == SQLITE_NULL { return nil }
    return try withUnquoted(column) {
      (bytes: UnsafeBufferPointer<UInt8>, isQuoted: Bool) throws(ColumnProblem) -> Date? in
      if !isQuoted, bytes.elementsEqual("null".utf8) { return nil }
      guard let value = pattern.instant(bytes) else { throw wrong(column, expected: "a time like \(pattern.text)") }
      return value
    }
  }

  /// The column's text, whatever its type; nil for NULL.
  package func text(_ column: Int) -> String? {
    guard let start = sqlite3_column_text(handle, Int32(clamping: column)) else { return nil }
    let count = Int(sqlite3_column_bytes(handle, Int32(clamping: column)))
    guardian.countOutput(count)
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }

  /// Refuses the column of a function of ours that had no result.
  private func checkResult(_ column: Int) throws(ColumnProblem) {
    let index = Int32(clamping: column)
    guard sqlite3_column_type(handle, index) == SQLITE_BLOB, let start = sqlite3_column_blob(handle, index) else {
      return
    }
    let bytes = UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
    guard bytes.starts(with: SandboxCall.failureMark) else { return }
    throw .failed(String(decoding: bytes.dropFirst(SandboxCall.failureMark.count), as: UTF8.self))
  }

  /// Hands out the bytes of a column without the quotes of a JSON string.
  private func withUnquoted<Result>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>, Bool) throws(ColumnProblem) -> Result
  ) throws(ColumnProblem) -> Result {
    let index = Int32(clamping: column)
    let start = sqlite3_column_text(handle, index)
    let bytes = UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index)))
    let quote = UInt8(ascii: "\"")
    guard bytes.count >= 2, bytes.first == quote, bytes.last == quote else { return try body(bytes, false) }
    return try body(UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast()), true)
  }

  private static func words(_ unit: Int64) -> String {
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
    sqlite3_column_name(handle, Int32(clamping: column)).map { String(cString: $0) } ?? ""
  }

  private func wrong(_ column: Int, expected: String) -> ColumnProblem {
    .wrong(column: name(column), expected: expected, found: (text(column) ?? "null").printable(limit: 60))
  }
}
