import CSQLite

/// A refusal of SQLite, in its own words.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The code, extended where SQLite gave an extended one.
  package let code: SQLiteResultCode

  /// SQLite's own message.
  package let message: String

  /// The byte within the SQL at which it is wrong, where SQLite knows.
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

/// The SQLite that this process uses.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Whether its JSON functions take JSON5 too: comments, trailing commas, NaN, hexadecimal numbers, names without quotes.
  package static let readsJSON5 = sqlite3_libversion_number() >= 3_042_000

  /// Whether a text is JSON5 but not JSON; only for a library that reads both.
  package static let almostJSON = "SELECT json_error_position(?1) = 0 AND NOT json_valid(?1)"
}
