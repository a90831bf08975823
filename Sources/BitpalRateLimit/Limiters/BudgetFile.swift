import BitpalFiles
package import BitpalModel
package import BitpalSQLite
import Glibc

/// Others hold the lock of the file with the budgets for longer than could be waited.
struct BudgetLocked: Error, Hashable {
  /// The file.
  let path: String
}

/// The file with the request budgets of all processes of a user, and this process's connection to it.
///
/// Its state is disposable: a damaged file is set aside and a new one begun. One of a newer version or of another program
/// is left untouched, and the processes of this version share one beside it. When there is none to be had, each process
/// has budgets of its own. What is not shared is told once.
package final class BudgetFile: Sendable {
  private enum State {
    case unopened
    case open(SQLiteConnection)
    case unusable
  }

  /// A folder in which somebody else could put a file in our way.
  private struct FolderOfOthers: Error {}

  /// Where the file is.
  package let path: String

  private let tell: FirstWarning
  private let state = Locked(State.unopened)

  /// How long to wait for other processes, each of which holds the lock for well under a millisecond.
  private static let busyTimeout: Duration = .seconds(2)

  /// - Parameters:
  ///   - path: The file; made, with its folder, when first used.
  ///   - warn: Told, once, what is not shared and why.
  package init(path: String, warn: @escaping @Sendable (String) -> Void = { _ in }) {
    self.path = path
    tell = FirstWarning(warn)
  }

  /// Runs `body` in one transaction, under the file's write lock.
  ///
  /// - Returns: Nil when the file cannot be used.
  func write<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws(BudgetLocked) -> Result? {
    do {
      return try state.withLock { state in
        do {
          guard let connection = try connection(&state) else { return nil }
          return try connection.transaction { try body(connection) }
        } catch let error where (error as? SQLiteError)?.code.primary != .busy {
          state = .unusable
          tell("the request budgets in \(path) \(Self.words(for: error)); each command counts its requests alone")
          return nil
        }
      }
    } catch {
      throw BudgetLocked(path: path)
    }
  }

  /// Forgets how many requests were made, and the pauses that sources asked for.
  ///
  /// - Returns: How many budgets there were.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)``.
  package func clear() throws(BitpalError) -> Int {
    guard access(path, F_OK) == 0 else { return 0 }
    do {
      let count = try write { connection in
        try connection.execute("DELETE FROM budget")
        return connection.changes
      }
      guard let count else { throw BitpalError.dataFile(path: path, reason: "cannot be written; nothing was changed") }
      return count
    } catch let error as BitpalError {
      throw error
    } catch {
      throw .dataFile(path: path, reason: "another program is writing to it; nothing was changed")
    }
  }

  /// What an examination says of the file; nothing is changed by it.
  package var health: DatabaseHealth { DatabaseHealth(path: path, migrations: BudgetRow.migrations) }

  /// A pause that a source has asked for and that is not over.
  package struct Pause: Hashable, Sendable {
    /// The provider's id.
    package let provider: String

    /// How much longer it lasts.
    package let left: Duration
  }

  /// The pauses of all budgets; none when the file cannot be read.
  package func pauses(clock: BootClock = .system) -> [Pause] {
    let pauses = try? state.withLock { state in
      guard access(path, F_OK) == 0, let connection = try connection(&state) else { return [Pause]() }
      return try BudgetRow.pauses(connection, clock)
    }
    return pauses ?? []
  }

  // MARK: Opening

  /// The connection, opened when first needed; nil when the file has been found unusable.
  private func connection(_ state: inout State) throws -> SQLiteConnection? {
    switch state {
    case .unusable: return nil
    // Whoever goes on with a file that was removed counts alone.
    case .open(let connection) where !connection.isMoved: return connection
    case .open, .unopened: break
    }
    // Failing is told by the opening that follows.
    try? PrivateFolder.make(above: path)
    try checkFolder()
    do {
      let connection = try Self.openedSound(path)
      state = .open(connection)
      return connection
    } catch let failure as SQLiteMigrations.Failure {
      let apart = "\(path).v\(BudgetRow.version)"
      let connection = try Self.openedSound(apart)
      tell("the request budgets in \(path) \(Self.words(for: failure)); this version counts its requests in \(apart)")
      state = .open(connection)
      return connection
    }
  }

  /// Opens a file; one that is damaged is set aside.
  private static func openedSound(_ path: String) throws -> SQLiteConnection {
    let before = fileNumber(path)
    do {
      return try opened(path)
    } catch let error as SQLiteError where [.notADatabase, .corrupt].contains(error.code.primary) {
      // Nothing in it is worth keeping; but another process may have begun a new one in the meantime.
      if fileNumber(path) == before, rename(path, path + ".damaged") != 0 { throw error }
      return try opened(path)
    }
  }

  /// Opens a file and brings it up to date; one of another's is left as it is.
  ///
  /// Nothing is synced to the disk: what a crash of the machine could lose is void after it anyway, and the death of a
  /// process loses nothing.
  private static func opened(_ path: String) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: busyTimeout)
    _ = try BudgetRow.migrations.isCurrent(connection)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE")
    try BudgetRow.migrations.apply(to: connection)
    return connection
  }

  private static func fileNumber(_ path: String) -> ino_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ino : nil
  }

  /// Refuses a folder of somebody else's, or a link of theirs to one of ours, as there may be in `/tmp`.
  private func checkFolder() throws {
    guard let slash = path.lastIndex(of: "/") else { return }
    let folder = String(path[..<slash])
    var link = stat()
    var target = stat()
    // What is not there is told by whoever opens the file.
    guard lstat(folder, &link) == 0, stat(folder, &target) == 0 else { return }
    let isOurs = [geteuid(), 0].contains(link.st_uid) && target.st_uid == geteuid()
    guard isOurs, target.st_mode & S_IWOTH == 0 else { throw FolderOfOthers() }
  }

  private static func words(for error: any Error) -> String {
    switch error {
    case SQLiteMigrations.Failure.newer: "were written by a newer bitpal"
    case SQLiteMigrations.Failure.foreign: "belong to another program"
    case is FolderOfOthers: "cannot be used: others can write in the folder"
    case let error as SQLiteError: "cannot be used: \(error.message)"
    default: "cannot be used: \(error)"
    }
  }
}
