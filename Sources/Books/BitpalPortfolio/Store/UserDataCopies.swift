import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// The copies of the user's data beside its file, and the replacement of the file by one of them.
///
/// A copy is written as `FILE.unfinished` and renamed to an unused name when it is complete. A lock on the folder
/// admits one process at a time; the unfinished file of a killed process is removed by the next one.
struct UserDataCopies {
  private let path: String
  private let busyTimeout: Duration

  /// Creates the copies of a file.
  ///
  /// - Parameters:
  ///   - path: The file beside which copies are made.
  ///   - busyTimeout: The longest time to wait for another process.
  init(_ path: String, _ busyTimeout: Duration) {
    self.path = path
    self.busyTimeout = busyTimeout
  }

  private var unfinished: String { path + ".unfinished" }

  /// The suffixes of the files that SQLite may keep beside a database.
  private static let companions = ["-journal", "-wal", "-shm"]

  /// Runs `body` with the path of the unfinished file, which does not exist before and is removed afterwards.
  ///
  /// - Throws: The error of `body`; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the folder cannot be made;
  ///   `SQLiteError` with the code `busy` when another process keeps the lock of the folder.
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

  /// Copies a database to a new file, and syncs it to the disk.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when `file` exists,
  ///   `SQLiteError` for other failures.
  static func copy(_ source: SQLiteConnection, to file: String) throws {
    // A file that could not be removed may be a second name of a kept copy, which must not be overwritten.
    guard !FileStatus.exists(file) else { throw FileFault.taken.error(of: file) }
    let target = try SQLiteConnection(path: file, mode: .readWriteCreate, busyTimeout: .zero)
    // An unfinished copy is removed, never rolled back, so its journal need not be on the disk.
    try target.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = FULL")
    try source.backup(to: target)
  }

  /// Puts a copy of `source` in the file's place.
  ///
  /// - Parameters:
  ///   - source: The database to copy.
  ///   - now: The instant for the name of the kept copy.
  ///   - check: Throws when the finished copy is not sound, which stops the replacement.
  /// - Returns: The path of the kept copy of the former file; nil when there was none.
  /// - Throws: The error of `check`, or ``/BitpalModel/BitpalError/dataFile(path:reason:)`` or `SQLiteError` when
  ///   copying fails; the former file is then in its place.
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

  // MARK: The former file

  private enum Previous {
    case database(SQLiteConnection)

    /// Not a database, or a damaged one.
    case unreadable
  }

  /// Runs `body` with the current file, locked against writes of other processes; nil when there is nothing to keep.
  ///
  /// A process that waits to write finds afterwards that the file was moved, and SQLite refuses its write.
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
      // A write-ahead log would stay behind when the file is replaced, so it is merged into the file first.
      try holder.execute("PRAGMA journal_mode = DELETE")
      isEmpty = try holder.integer("SELECT count(*) FROM sqlite_schema") == 0
    } catch {
      guard Self.isDamage(error) else { throw error }
      return try body(.unreadable)
    }
    if isEmpty { return try body(nil) }
    try holder.execute("BEGIN IMMEDIATE")
    // Nothing is written, so nothing is committed: the lock ends when the connection closes.
    return try withExtendedLifetime(holder) {
      let reader = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: busyTimeout)
      return try body(.database(reader))
    }
  }

  private static func isDamage(_ error: SQLiteError) -> Bool {
    [.corrupt, .notADatabase, .inputOutput].contains(error.code.primary)
  }

  /// Keeps a copy of the file's content, or the file itself under a second name when it cannot be copied.
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

  /// Gives the file a second name by a hard link, so that the path always has a file.
  private func giveSecondName(_ name: String) throws(BitpalError) {
    guard link(path, name) != 0 else { return }
    // The file system has no hard links.
    guard rename(path, name) == 0 else { throw FileFault(code: errno).error(of: name) }
  }

  /// Moves SQLite's companions of the former file away, because SQLite would apply them to the new one.
  private func moveCompanions(to name: String) throws(BitpalError) {
    for companion in Self.companions where FileStatus.exists(path + companion) {
      try move(path + companion, to: name + companion)
    }
  }

  /// Removes the kept copy after a failed replacement, and puts the companions back.
  private func forget(_ kept: String) {
    for companion in Self.companions where FileStatus.exists(kept + companion) {
      rename(kept + companion, path + companion)
    }
    if FileStatus.exists(path) { unlink(kept) } else { rename(kept, path) }
  }

  // MARK: Names

  /// Returns an unused path beside the file: `FILE.LABEL`, or with `.2`, `.3` and so on at the end.
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
