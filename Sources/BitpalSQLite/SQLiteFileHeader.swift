import Glibc

/// What the first bytes of a file say of it, read without SQLite.
///
/// SQLite, once it has a file open, may finish what another program has begun in it.
package enum SQLiteFileHeader: Hashable, Sendable {
  /// There is no file, nothing in it, or no way to read it: SQLite will say which.
  case none

  /// Something else than a database.
  case other

  /// A database; `applicationID` says whose, 0 when nobody has said so yet, as while it is being made.
  case database(applicationID: Int32)

  /// Reads the header of a file.
  package init(path: String) {
    // Without O_NONBLOCK, opening a pipe waits until somebody writes to it.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard descriptor >= 0 else {
      self = .none
      return
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: Self.length)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else {
      self = .none
      return
    }
    guard bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      self = .other
      return
    }
    let id = bytes[Self.applicationID].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    self = .database(applicationID: Int32(bitPattern: id))
  }

  /// The header's length and the place of the application's number in it, by SQLite's "Database File Format".
  private static let length = 100
  private static let applicationID = 68..<72
}
