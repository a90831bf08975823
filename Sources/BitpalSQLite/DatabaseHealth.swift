import Glibc

/// What an examination says of a database file; nothing is changed by it.
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

  /// How long to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(2)

  /// Examines a file with `PRAGMA quick_check`.
  ///
  /// - Parameter migrations: Those by which the file is known as one of ours.
  package init(path: String, migrations: SQLiteMigrations) {
    guard access(path, F_OK) == 0 else {
      self = errno == ENOENT || errno == ENOTDIR ? .absent : .unreadable(String(cString: strerror(errno)))
      return
    }
    do {
      let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: Self.busyTimeout)
      _ = try migrations.isCurrent(connection)
      let verdict = try connection.prepare("PRAGMA quick_check(1)")
      let words = try verdict.step() ? verdict.text(0) : nil
      self = words == "ok" ? .sound : .damaged(words ?? "the check says nothing")
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
