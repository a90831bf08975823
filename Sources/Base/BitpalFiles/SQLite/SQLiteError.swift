import CSQLite

/// An error of SQLite, with its code and message.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The result code; extended where SQLite has an extended one.
  package let code: SQLiteResultCode

  /// SQLite's message, with the system's reason for input, output and open errors.
  package let message: String

  /// The byte offset of the fault in the SQL; nil where SQLite does not know it.
  package let offset: Int?

  package init(code: SQLiteResultCode, message: String, offset: Int? = nil) {
    self.code = code
    self.message = message
    self.offset = offset
  }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String {
    message + " (SQLite code \(code.rawValue))"
  }
}

/// A result code of SQLite, primary or extended ("Result and Error Codes" in its documentation).
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

  /// The extended code `SQLITE_READONLY_DBMOVED`: the file was moved or replaced after it was opened.
  package static let moved = SQLiteResultCode(rawValue: SQLITE_READONLY | (4 << 8))

  /// The code without its extension: all kinds of `SQLITE_IOERR_…` are ``inputOutput``.
  package var primary: SQLiteResultCode { SQLiteResultCode(rawValue: rawValue & 0xFF) }
}

/// The SQLite that this process uses.
package enum SQLiteLibrary {
  /// The library's version, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
