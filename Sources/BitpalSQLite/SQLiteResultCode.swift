import CSQLite

/// A result code of SQLite, extended where SQLite gave an extended one.
package struct SQLiteResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: Int32

  package init(rawValue: Int32) {
    self.rawValue = rawValue
  }

  package static let ok = SQLiteResultCode(rawValue: SQLITE_OK)
  package static let row = SQLiteResultCode(rawValue: SQLITE_ROW)
  package static let done = SQLiteResultCode(rawValue: SQLITE_DONE)
  package static let error = SQLiteResultCode(rawValue: SQLITE_ERROR)
  package static let busy = SQLiteResultCode(rawValue: SQLITE_BUSY)
  package static let readOnly = SQLiteResultCode(rawValue: SQLITE_READONLY)
  package static let inputOutput = SQLiteResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = SQLiteResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = SQLiteResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = SQLiteResultCode(rawValue: SQLITE_CANTOPEN)
  package static let notADatabase = SQLiteResultCode(rawValue: SQLITE_NOTADB)

  /// The file has been moved, or another put in its place, since it was opened; an extended code.
  package static let moved = SQLiteResultCode(rawValue: SQLITE_READONLY | (4 << 8))

  /// The code without its extension: all kinds of `SQLITE_IOERR_…` are ``inputOutput``.
  package var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }
}
