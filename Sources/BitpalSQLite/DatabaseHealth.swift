import BitpalFiles
import Glibc

/// The result of an examination of a database file, which changes nothing.
package enum DatabaseHealth: Hashable, Sendable {
  /// There is no file yet.
  case absent

  /// It is ours, and SQLite finds nothing wrong.
  case sound

  /// It belongs to another program.
  case foreign

  /// A newer version wrote it.
  case newer

  /// It is broken; SQLite's words.
  case damaged(String)

  /// It cannot be examined; SQLite's words.
  case unreadable(String)

  /// The longest time to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(2)

  /// Examines a file with `PRAGMA quick_check`.
  ///
  /// - Parameters:
  ///   - path: The file, which need not be there.
  ///   - migrations: Those by which the file is known as one of ours.
  ///   - damage: Returns what else is wrong with a file of this version; nil for nothing.
  package init(
    path: String, migrations: SQLiteMigrations, damage: (SQLiteConnection) throws -> String? = { _ in nil }
  ) {
    guard access(path, F_OK) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(String(cString: strerror(errno)))
      return
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: Self.busyTimeout)
      let isCurrent = try migrations.isCurrent(connection)
      let verdict = try connection.prepare("PRAGMA quick_check(1)")
      let message = try verdict.step() ? verdict.text(0) : nil
      if message != "ok" {
        self = .damaged(message ?? "the check says nothing")
      } else {
        self = try isCurrent ? damage(connection).map { .damaged($0) } ?? .sound : .sound
      }
    } catch SQLiteMigrations.Failure.foreign {
      self = .foreign
    } catch SQLiteMigrations.Failure.newer {
      self = .newer
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
/// SQLite, once it has a file open, may finish another program's transaction in it.
package enum SQLiteFileHeader: Hashable, Sendable {
  /// There is no regular file, nothing in it, or no way to read it: SQLite will say which.
  case none

  /// Something else than a database.
  case other

  /// A database; `applicationID` identifies its program, 0 when none is set yet, as while it is being made.
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
