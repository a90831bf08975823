package import BitpalFiles
import BitpalModel
public import FoundationEssentials
import Glibc

/// The SQLite file that holds what the user entered: transactions and watchlist.
///
/// Unlike the cache it is never discarded, set aside, or written when its content is unknown. Its status is checked
/// before it is opened, because SQLite takes an empty file for a new database. Every write is one transaction that is
/// on the disk before it is acknowledged.
public final class UserDataFile: Sendable {
  /// The path of the file.
  public let path: String

  private let opened = Locked<Opened?>(nil)

  /// An open file with its status, by which a replacement of the file is noticed.
  private struct Opened {
    let connection: SQLiteConnection
    let file: FileStatus

    /// SQLite's number of the changes by others at which the seal was checked; nil before that.
    var checked: Int64?

    /// Checks the seal, unless no other connection has written since the last check; within a transaction.
    mutating func checkSeal() throws {
      let version = try connection.integer("PRAGMA data_version")
      if version == checked { return }
      try UserDataSeal.check(connection)
      checked = version
    }
  }

  /// The time to wait for other writers: on a busy disk, a dozen writers may need a second each to sync.
  private static let busyTimeout: Duration = .seconds(15)

  /// Creates a user data file.
  ///
  /// - Parameter path: The file; the first write creates it and its folders.
  public init(path: String) {
    self.path = path
  }

  // MARK: Reading and writing

  /// Runs `body` in one read transaction; nil before the file exists.
  ///
  /// - Throws: The error of `body`; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result? {
    try withErrorsExplained {
      try withFile { opened in
        // SQLite rolls back the unfinished write of a killed process at the first read.
        guard let connection = try open(&opened) else { return nil }
        return try connection.transaction(.deferred) {
          try opened?.checkSeal()
          return try body(connection)
        }
      }
    }
  }

  /// Runs `body` in one write transaction, all or nothing; creates a missing file.
  ///
  /// - Throws: The error of `body`, with nothing written; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the
  ///   file cannot be used.
  func write<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try withErrorsExplained {
      try withFile { opened in
        while true {
          guard let connection = try open(&opened) else {
            try make()
            continue
          }
          do {
            return try connection.transaction(.immediate) {
              try opened?.checkSeal()
              let result = try body(connection)
              try UserDataSeal.renew(connection)
              return result
            }
          } catch let error as SQLiteError where error.code == .moved {
            // A restore replaced the file while this waited for the lock.
            opened = nil
          }
        }
      }
    }
  }

  /// Runs `body` with the open file, which one thread uses at a time.
  ///
  /// - Throws: `SQLiteError` with the code `busy` when other threads keep the file for too long.
  private func withFile<Result: Sendable>(_ body: (inout Opened?) throws -> Result) throws -> Result {
    let patience = min(Self.busyTimeout, Deadline.left ?? Self.busyTimeout)
    guard let result = try opened.withLock(within: patience, body) else {
      throw SQLiteError(code: .busy, message: "database is locked")
    }
    return result
  }

  /// Whether the file exists yet.
  var exists: Bool { FileStatus.exists(path) }

  /// Returns the connection to the file, which is opened if necessary; nil without a file.
  private func open(_ opened: inout Opened?) throws -> SQLiteConnection? {
    guard let file = try status() else {
      opened = nil
      return nil
    }
    if let opened, opened.file.isSame(as: file) { return opened.connection }
    opened = nil
    let connection = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: Self.busyTimeout)
    // An import puts its ids, which have no order, into an index: with a smaller cache each one waits for a page of the file.
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cache_size = -8000")
    try UserDataSchema.current.check(connection)
    // Another program may have set a write-ahead log; it stays while others use the file.
    try? connection.execute("PRAGMA journal_mode = DELETE")
    opened = Opened(connection: connection, file: file)
    return connection
  }

  /// The size in bytes up to which SQLite takes a file for a new database.
  static let largestEmpty = 1

  /// Returns the status of the file at the path; nil when there is none.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` for a file that cannot be a database.
  private func status() throws(BitpalError) -> FileStatus? {
    let file: FileStatus
    do throws(FileFault) {
      file = try FileStatus(path)
    } catch {
      guard error == .missing else { throw error.error(of: path) }
      // A file that exists by now was created by another process; the next attempt opens it.
      if let obstacle = PathText.obstacle(to: path) { throw .dataFile(path: obstacle.path, reason: obstacle.reason) }
      return nil
    }
    guard file.kind == .regular else { throw FileFault.notAFile(file.kind).error(of: path) }
    guard file.size > Self.largestEmpty else {
      throw .dataFile(
        path: path,
        reason: "is empty: what it held is gone; \"bitpal portfolio restore FILE\" brings a backup back; to start "
          + "again, remove the file")
    }
    return file
  }

  /// Returns the error for a link without a target, which is not replaced: its disk may be mounted again.
  private static func leadsNowhere(_ path: String) -> BitpalError {
    .dataFile(path: path, reason: "is a link that leads nowhere")
  }

  /// Creates the file with its tables under another name and moves it into place, so that no process finds it empty.
  private func make() throws {
    try UserDataCopies(path, Self.busyTimeout).withExclusiveAccess { unfinished in
      try UserDataSchema.current.make(
        in: SQLiteConnection(path: unfinished, mode: .readWriteCreate, busyTimeout: Self.busyTimeout),
        finish: UserDataSeal.renew)
      do throws(FileFault) {
        try FileReplacement.move(unfinished, to: path)
      } catch {
        // Another process may have created the file first, which is then used.
        guard error == .taken else { throw error.error(of: path) }
      }
    }
  }

  // MARK: Copies

  /// Copies the file, in the state between two writes, to a new file, after every row of the copy was read.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when there is nothing to copy or `copy` exists.
  public func backUp(to copy: String) throws {
    guard !FileStatus.exists(copy) else {
      throw BitpalError.dataFile(path: copy, reason: "is there already; a backup never overwrites a file")
    }
    try withErrorsExplained {
      try withFile { opened in
        guard let connection = try open(&opened) else {
          throw BitpalError.dataFile(path: path, reason: "there is nothing to back up yet")
        }
        try withErrorsExplained(copy) {
          try UserDataCopies(copy, Self.busyTimeout).withExclusiveAccess { unfinished in
            try UserDataCopies.copy(connection, to: unfinished)
            try check(SQLiteConnection(path: unfinished, mode: .readOnly, busyTimeout: Self.busyTimeout))
            do throws(FileFault) { try FileReplacement.move(unfinished, to: copy) } catch {
              throw error.error(of: copy)
            }
          }
        }
      }
    }
  }

  /// Replaces the file by a copy of a backup, and keeps the former content beside it under a name of its own.
  ///
  /// Even after a kill or on a full disk, the former content is complete in the file or in its copy. The copy is made
  /// first; the backup is then copied beside the file, checked, and renamed in one step.
  ///
  /// - Parameters:
  ///   - backup: The path of the backup.
  ///   - now: The instant for the name of the kept copy.
  ///   - acceptingDamage: Whether what differs from what was recorded is taken as it is, where it can be read at all.
  /// - Returns: The path of the former content; nil when there was none.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` with nothing changed.
  public func restore(from backup: String, now: Date, acceptingDamage: Bool = false) throws -> String? {
    do throws(FileFault) { _ = try FileStatus(backup) } catch { throw error.error(of: backup) }
    return try withErrorsExplained {
      try withFile { opened in
        opened = nil
        let source = try withErrorsExplained(backup) {
          let source = try SQLiteConnection(path: backup, mode: .readOnly, busyTimeout: Self.busyTimeout)
          if !acceptingDamage { try check(source) }
          return source
        }
        // A link stays a link.
        guard let place = PathText.real(path) ?? (exists ? nil : path) else { throw Self.leadsNowhere(path) }
        return try UserDataCopies(place, Self.busyTimeout).replace(by: source, now: now) { copy in
          try withErrorsExplained(backup) {
            if acceptingDamage { try accept(copy) }
            try check(copy)
          }
        }
      }
    }
  }

  /// Checks that a file is an undamaged data file of this format: its pages, indexes, seal, and every row.
  private func check(_ source: SQLiteConnection) throws {
    try UserDataSchema.current.checkCompleteness(of: source)
    let verdict = try source.prepare("PRAGMA integrity_check(1)")
    guard try verdict.step(), verdict.text(0) == "ok" else {
      throw SQLiteError(code: .corrupt, message: verdict.text(0) ?? "the integrity check says nothing")
    }
    if let row = try DamagedTransaction.first(in: source) { throw row }
    try UserDataSeal.check(source)
  }

  /// Makes the rows of a damaged copy count as recorded, as they are.
  ///
  /// - Throws: ``DamagedTransaction`` for a row without a transaction in it; `SQLiteError` for a file that is not a
  ///   database or has damaged pages.
  private func accept(_ copy: SQLiteConnection) throws {
    try UserDataSchema.current.checkCompleteness(of: copy)
    try copy.execute("REINDEX")
    try TransactionRows.renewChecksums(copy)
    for portfolio in try PortfolioRows(copy).all() { _ = try TransactionRows(copy, portfolio.name).recorded() }
    try UserDataSeal.renew(copy)
  }

  /// Runs `body`, and translates the failures of SQLite into errors of the file.
  private func withErrorsExplained<Result>(_ path: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure {
      throw UserDataFailure.error(for: failure, path: path ?? self.path, isBackup: path != nil)
    }
  }
}

extension UserDataFile {
  /// Returns the health of the file, without changing anything.
  package static func health(of path: String) -> DatabaseHealth {
    if let file = try? FileStatus(path), file.kind == .regular, file.size <= largestEmpty {
      return .damaged("it is empty")
    }
    return DatabaseHealth(path: path, schema: UserDataSchema.current) { connection in
      if let row = try DamagedTransaction.first(in: connection) {
        return "\(row.message); \(UserDataFailure.advice(row, path))"
      }
      do {
        try UserDataSeal.check(connection)
        return nil
      } catch let broken as BrokenSeal {
        return broken.message
      }
    }
  }
}
