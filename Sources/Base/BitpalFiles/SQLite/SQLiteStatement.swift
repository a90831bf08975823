import CSQLite

/// A compiled statement: bind, step, read columns, reset.
package final class SQLiteStatement {
  private let handle: OpaquePointer
  // Unowned for cached statements, which the connection owns; others keep their connection alive.
  private unowned let connection: SQLiteConnection
  private var strongConnection: SQLiteConnection?

  init(handle: OpaquePointer, connection: SQLiteConnection) {
    self.handle = handle
    self.connection = connection
    strongConnection = connection
  }

  deinit {
    sqlite3_finalize(handle)
  }

  /// Whether the connection keeps this statement, which then must not keep the connection alive.
  var isCached: Bool {
    get { strongConnection == nil }
    set { strongConnection = newValue ? nil : connection }
  }

  /// The kind of value in a column of the current row.
  package enum ColumnType: Sendable {
    case integer
    case real
    case text
    case blob
    case null
  }

  // MARK: Parameters

  /// Binds an integer; parameters count from 1.
  ///
  /// - Throws: `SQLiteError` for an index that the statement does not have.
  package func bind(_ index: Int, _ value: Int64) throws(SQLiteError) {
    try connection.check(sqlite3_bind_int64(handle, Int32(clamping: index), value))
  }

  /// Binds a text, which is copied, or NULL for nil.
  ///
  /// - Throws: `SQLiteError` for an index that the statement does not have, or a text that is too long.
  package func bind(_ index: Int, _ value: String?) throws(SQLiteError) {
    guard var value else {
      try connection.check(sqlite3_bind_null(handle, Int32(clamping: index)))
      return
    }
    let code = value.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) { characters in
        bitpal_bind_text(handle, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
      }
    }
    try connection.check(code)
  }

  /// Binds bytes as a blob, which are copied.
  ///
  /// - Throws: `SQLiteError` for an index that the statement does not have, or a blob that is too long.
  package func bind(_ index: Int, blob value: [UInt8]) throws(SQLiteError) {
    let code = value.withUnsafeBytes { bytes in
      bitpal_bind_blob(handle, Int32(clamping: index), bytes.baseAddress, UInt64(bytes.count))
    }
    try connection.check(code)
  }

  /// Binds UTF-8 bytes as a text without copying them; they must stay valid until the statement is reset.
  ///
  /// - Throws: `SQLiteError` for an index that the statement does not have, or a text that is too long.
  package func bind(_ index: Int, borrowedText bytes: UnsafeBufferPointer<UInt8>) throws(SQLiteError) {
    let code = bytes.withMemoryRebound(to: CChar.self) { characters in
      bitpal_bind_borrowed_text(handle, Int32(clamping: index), characters.baseAddress, UInt64(characters.count))
    }
    try connection.check(code)
  }

  // MARK: Rows

  /// Advances to the next row, and returns whether there is one.
  ///
  /// - Throws: `SQLiteError` when the statement fails; it is then reset, with its parameters still bound.
  package func step() throws(SQLiteError) -> Bool {
    let code = sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    if code == SQLITE_DONE { return false }
    let error = connection.lastError(code)
    sqlite3_reset(handle)
    throw error
  }

  /// Runs a statement that returns no rows, and resets it.
  ///
  /// - Throws: As ``step()``.
  package func run() throws(SQLiteError) {
    _ = try step()
    reset()
  }

  /// Makes the statement ready to run again, with nothing bound.
  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  /// Makes the statement ready to run again, with what is bound.
  package func rewind() { sqlite3_reset(handle) }

  /// The number of columns of a row.
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  /// Returns the name of a column, counted from 0.
  package func columnName(_ column: Int) -> String {
    sqlite3_column_name(handle, Int32(clamping: column)).map { String(cString: $0) } ?? ""
  }

  /// Returns the kind of value in a column of the current row.
  package func type(_ column: Int) -> ColumnType {
    switch sqlite3_column_type(handle, Int32(clamping: column)) {
    case SQLITE_INTEGER: .integer
    case SQLITE_FLOAT: .real
    case SQLITE_TEXT: .text
    case SQLITE_BLOB: .blob
    default: .null
    }
  }

  /// Returns a column as an integer; 0 for NULL.
  package func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(handle, Int32(clamping: column))
  }

  /// Returns a column as a text; nil for NULL.
  package func text(_ column: Int) -> String? {
    withUTF8(column) { $0.map { String(decoding: $0, as: UTF8.self) } }
  }

  /// Calls `body` with a column's text in UTF-8, valid during the call only; nil for NULL.
  package func withUTF8<Result, Failure: Error>(
    _ column: Int, _ body: (UnsafeBufferPointer<UInt8>?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let start = sqlite3_column_text(handle, Int32(clamping: column)) else { return try body(nil) }
    let count = Int(sqlite3_column_bytes(handle, Int32(clamping: column)))
    return try body(UnsafeBufferPointer(start: start, count: count))
  }

  /// Returns a column's bytes; empty for NULL.
  package func blob(_ column: Int) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, Int32(clamping: column)) else { return [] }
    return Array(
      UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, Int32(clamping: column)))))
  }
}
