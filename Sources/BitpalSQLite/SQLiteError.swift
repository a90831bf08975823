/// What SQLite refused, in its own words.
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
