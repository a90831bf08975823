import Glibc

/// The result of an examination of a database file, which changes nothing.
package enum DatabaseHealth: Hashable, Sendable {
  /// The file does not exist.
  case absent

  /// The file is one of bitpal's, and SQLite finds nothing wrong with it.
  case sound

  /// The file belongs to another program.
  case foreign

  /// A newer version of bitpal wrote the file.
  case newer

  /// The file is damaged; the message of SQLite or of the caller's check.
  case damaged(String)

  /// The file cannot be examined; the message of SQLite or the system.
  case unreadable(String)

  /// The longest time to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(2)

  /// Examines a file with `PRAGMA integrity_check`, which compares the indexes with their tables.
  ///
  /// - Parameters:
  ///   - path: The file, which need not exist.
  ///   - schema: The application number, format and tables that the file must have.
  ///   - damage: Returns the message for further damage to a file of this version, or nil; not called for an empty file.
  package init(
    path: String, schema: SQLiteSchema, damage: (SQLiteConnection) throws -> String? = { _ in nil }
  ) {
    guard access(path, F_OK) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(String(cString: strerror(errno)))
      return
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: Self.busyTimeout)
      let exists = try schema.exists(in: connection)
      let verdict = try connection.prepare("PRAGMA integrity_check(1)")
      let message = try verdict.step() ? verdict.text(0) : nil
      if message != "ok" {
        self = .damaged(message ?? "the check says nothing")
      } else {
        self = try exists ? damage(connection).map { .damaged($0) } ?? .sound : .sound
      }
    } catch SQLiteSchema.Failure.foreign {
      self = .foreign
    } catch SQLiteSchema.Failure.newer {
      self = .newer
    } catch SQLiteSchema.Failure.older {
      self = .unreadable("it was written by a bitpal from before its first release")
    } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code.primary) {
      self = .damaged(error.message)
    } catch let error as SQLiteError {
      self = .unreadable(error.message)
    } catch {
      self = .unreadable("\(error)")
    }
  }
}

/// The meaning of the first bytes of a file, read without SQLite.
///
/// SQLite is avoided here because opening a file with it may roll back another program's transaction.
package enum SQLiteFileHeader: Hashable, Sendable {
  /// The path has no regular file, an empty one, or an unreadable one; opening it with SQLite says which.
  case none

  /// The file is not an SQLite 3 database.
  case other

  /// A database; `applicationID` identifies its program and is 0 while none is set, as in a new file.
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

  /// The header's length and the offset of the application's number in it, from SQLite's "Database File Format".
  private static let length = 100
  private static let applicationID = 68
}
