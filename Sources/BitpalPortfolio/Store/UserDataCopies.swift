import BitpalFiles
import BitpalModel
import BitpalSQLite
import FoundationEssentials
import Glibc

/// Makes whole copies of the user's data beside a file, and puts one in its place.
///
/// A copy is made as `FILE.unfinished` and gets its name, which nothing may have, when it is whole. One process at a time
/// does so in a folder; what a killed one left unfinished the next removes.
struct UserDataCopies {
  private let path: String
  private let busyTimeout: Duration

  /// - Parameters:
  ///   - path: The file beside which copies are made.
  ///   - busyTimeout: The longest time to wait for another process.
  init(_ path: String, _ busyTimeout: Duration) {
    self.path = path
    self.busyTimeout = busyTimeout
  }

  private var unfinished: String { path + ".unfinished" }

  /// The endings of the files that SQLite may keep beside a database.
  private static let companions = ["-journal", "-wal", "-shm"]

  /// Runs `body` with the place for an unfinished file, which is empty, and is so again at the end.
  func withExclusiveAccess<Result>(_ body: (_ unfinished: String) throws -> Result) throws -> Result {
    do throws(FileFault) { try PrivateFolder.make(above: path) } catch { throw error.error(of: path) }
    let folder = open(PathText.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    defer { if folder >= 0 { close(folder) } }
    do throws(FileFault) {
      if folder >= 0 { try FileLock.take(folder, within: busyTimeout) }
    } catch {
      // A folder that cannot be locked, as on some network file systems, is used without a lock.
      if error == .refused(code: EWOULDBLOCK) { throw SQLiteError(code: .busy, message: "its folder is locked") }
    }
    removeUnfinished()
    defer { removeUnfinished() }
    return try body(unfinished)
  }

  private func removeUnfinished() {
    for companion in [""] + Self.companions { unlink(unfinished + companion) }
  }

  /// Copies a database to a new file, down to the disk.
  static func copy(_ source: SQLiteConnection, to file: String) throws {
    // What could not be removed may be another name of something that is kept.
    guard !FileStatus.exists(file) else { throw FileFault.taken.error(of: file) }
    let target = try SQLiteConnection(path: file, mode: .readWriteCreate, busyTimeout: .zero)
    // What is unfinished is never rolled back, but removed.
    try target.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL")
    try source.backup(to: target)
  }

  /// Keeps a copy of the database, named after `label`.
  func keep(_ connection: SQLiteConnection, as label: String) throws {
    try withExclusiveAccess { unfinished in
      try Self.copy(connection, to: unfinished)
      try move(unfinished, to: freeName(label))
    }
  }

  /// Puts a copy of `source` in the file's place.
  ///
  /// - Parameters:
  ///   - now: The instant for the name of the kept copy.
  ///   - check: Throws when the copy, before it is put there, is not sound.
  /// - Returns: The path of the kept copy of the former file; nil when there was none.
  func replace(
    by source: SQLiteConnection, now: Date, check: (SQLiteConnection) throws -> Void
  ) throws -> String? {
    try withExclusiveAccess { unfinished in
      try withPrevious { previous in
        var kept: String?
        if let previous {
          let name = freeName("before-restore.\(now.iso8601.replacing(":", with: "-"))")
          try keep(previous, as: name, unfinished)
          kept = name
        }
        do {
          try Self.copy(source, to: unfinished)
          let copy = try SQLiteConnection(path: unfinished, mode: .readWrite, busyTimeout: busyTimeout)
          // The header of a backup may ask for a write-ahead log.
          try copy.execute("PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE")
          try check(copy)
          try moveCompanions(to: kept ?? freeName("left-over"))
          guard rename(unfinished, path) == 0 else { throw FileFault(code: errno).error(of: path) }
        } catch {
          if let kept { forget(kept) }
          throw error
        }
        FileReplacement.synchronizeFolder(of: path)
        return kept
      }
    }
  }

  // MARK: What was there before

  private enum Previous {
    case database(SQLiteConnection)

    /// Not a database, or one that is broken.
    case unreadable
  }

  /// Runs `body` with the present file, to which no other process can write meanwhile; nil when there is nothing to
  /// keep.
  ///
  /// A process that waits to write then finds that the file was moved: SQLite refuses its write.
  private func withPrevious<Result>(_ body: (Previous?) throws -> Result) throws -> Result {
    let size: Int
    do throws(FileFault) {
      size = try FileStatus(path).size
    } catch {
      guard error == .missing else { throw error.error(of: path) }
      size = 0
    }
    if size == 0 { return try body(nil) }
    let holder: SQLiteConnection
    let isEmpty: Bool
    do throws(SQLiteError) {
      holder = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
      // The log of what was written ahead would stay behind.
      try holder.execute("PRAGMA journal_mode = DELETE")
      isEmpty = try holder.integer("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      guard Self.isDamage(error) else { throw error }
      return try body(.unreadable)
    }
    if isEmpty { return try body(nil) }
    try holder.execute("BEGIN IMMEDIATE")
    // Nothing is written, so there is nothing to commit: the lock ends with the connection.
    return try withExtendedLifetime(holder) {
      let reader = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
      return try body(.database(reader))
    }
  }

  private static func isDamage(_ error: SQLiteError) -> Bool {
    [.corrupt, .notADatabase, .inputOutput].contains(error.code.primary)
  }

  /// Keeps a copy of what is in the file, or the file itself when it cannot be copied.
  private func keep(_ previous: Previous, as name: String, _ unfinished: String) throws {
    if case .database(let connection) = previous {
      do {
        try Self.copy(connection, to: unfinished)
        return try move(unfinished, to: name)
      } catch let error as SQLiteError where Self.isDamage(error) {
        unlink(unfinished)
      }
    }
    try giveSecondName(name)
  }

  /// Gives the file a second name, so that there is no moment without it.
  private func giveSecondName(_ name: String) throws(BitpalError) {
    guard link(path, name) != 0 else { return }
    // A file system without second names.
    guard rename(path, name) == 0 else { throw FileFault(code: errno).error(of: name) }
  }

  /// Moves the companions of a file that is gone or broken, because SQLite would apply them to the new one.
  private func moveCompanions(to name: String) throws(BitpalError) {
    for companion in Self.companions where FileStatus.exists(path + companion) {
      try move(path + companion, to: name + companion)
    }
  }

  /// Removes what was kept of a file that is as it was after all.
  private func forget(_ kept: String) {
    for companion in Self.companions where FileStatus.exists(kept + companion) {
      rename(kept + companion, path + companion)
    }
    if FileStatus.exists(path) { unlink(kept) } else { rename(kept, path) }
  }

  // MARK: Names

  /// A name beside the file that nothing has.
  private func freeName(_ label: String) -> String {
    let name = "\(path).\(label)"
    if !FileStatus.exists(name) { return name }
    var number = 2
    while FileStatus.exists("\(name).\(number)") { number += 1 }
    return "\(name).\(number)"
  }

  private func move(_ file: String, to name: String) throws(BitpalError) {
    do throws(FileFault) { try FileReplacement.move(file, to: name) } catch { throw error.error(of: name) }
  }
}
