import CSQLite

/// The SQLite that this process uses.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Whether its JSON functions take JSON5 too: comments, trailing commas, NaN, hexadecimal numbers, names without quotes.
  package static let readsJSON5 = sqlite3_libversion_number() >= 3_042_000

  /// Whether a text is JSON5 but not JSON; only for a library that reads both.
  package static let almostJSON = "SELECT json_error_position(?1) = 0 AND NOT json_valid(?1)"
}
