import BitpalFiles

/// What the first bytes of a file say of it, read without SQLite.
///
/// SQLite, once it has a file open, may finish what another program has begun in it.
package enum SQLiteFileHeader: Hashable, Sendable {
  /// There is no regular file, nothing in it, or no way to read it: SQLite will say which.
  case none

  /// Something else than a database.
  case other

  /// A database; `applicationID` says whose, 0 when nobody has said so yet, as while it is being made.
  case database(applicationID: Int32)

  /// Reads the header of a file.
  package init(path: String) {
    guard let bytes = try? BoundedFile(prefixOf: path, limit: Self.length).bytes, !bytes.isEmpty else {
      self = .none
      return
    }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      self = .other
      return
    }
    let id = bytes.dropFirst(Self.applicationID).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self = .database(applicationID: Int32(bitPattern: id))
  }

  /// The header's length and the place of the application's number in it, by SQLite's "Database File Format".
  private static let length = 100
  private static let applicationID = 68
}
