import BitpalFiles
import BitpalModel
import BitpalSQLite
import Glibc

/// The SQLite file that holds what the user entered: transactions and watchlist.
///
/// Unlike the cache it is never thrown away, never set aside and never written when it is not understood. Every write is
/// one transaction that is on the disk before it is acknowledged.
public final class UserDataFile: Sendable {
  /// Where the file is.
  public let path: String

  private let schema: UserDataSchema
  private let connection = Locked<SQLiteConnection?>(nil)

  /// How long to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(5)

  /// - Parameter path: The file; it and its folders are made at the first write.
  public convenience init(path: String) {
    self.init(path: path, schema: .current)
  }

  init(path: String, schema: UserDataSchema) {
    self.path = path
    self.schema = schema
  }

  /// Whether there is one yet.
  var exists: Bool { Self.exists(path) }

  private static func exists(_ path: String) -> Bool { (try? FileStatus(path)) != nil }

  /// Reads; nil when there is no file yet.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result? {
    try connection.withLock { connection in
      if connection == nil, !exists { return nil }
      return try telling {
        let opened = try open(&connection, .readWrite)
        // What was left by a process that died is rolled back by the first read.
        return try opened.transaction(.deferred) { try body(opened) }
      }
    }
  }

  /// Writes in one transaction: all or nothing.
  ///
  /// - Throws: What `body` throws, with nothing written; ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the
  ///   file cannot be used.
  func write<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
    try connection.withLock { connection in
      try telling {
        let opened = try open(&connection, .readWriteCreate)
        return try opened.transaction(.immediate) { try body(opened) }
      }
    }
  }

  /// Copies the file, as it is between two writes, to a new file.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when there is nothing to copy or `copy` exists.
  public func backUp(to copy: String) throws {
    guard !FileStatus.exists(copy) else {
      throw BitpalError.dataFile(path: copy, reason: "is there already; a backup never overwrites a file")
    }
    try connection.withLock { connection in
      guard connection != nil || exists else {
        throw BitpalError.dataFile(path: path, reason: "there is nothing to back up yet")
      }
      let opened = try telling { try open(&connection, .readWrite) }
      try telling(copy) { try Self.copy(opened, to: copy) }
    }
  }

  /// Replaces what is in the file by what is in a backup; what was there before is kept beside it.
  ///
  /// - Returns: Where the previous content is; nil when there was none.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` with nothing changed when the backup is not sound.
  public func restore(from backup: String) throws -> String? {
    guard Self.exists(backup) else { throw BitpalError.dataFile(path: backup, reason: "no such file") }
    return try connection.withLock { connection in
      let source = try telling(backup) {
        let source = try SQLiteConnection(path: backup, mode: .readOnly, busyTimeout: Self.busyTimeout)
        try check(source)
        return source
      }
      return try telling {
        let kept = try setPreviousAside(&connection)
        connection = nil
        let target = try SQLiteConnection(path: path, mode: .readWriteCreate, busyTimeout: Self.busyTimeout)
        try source.backup(to: target)
        return kept
      }
    }
  }

  /// Keeps a copy of the file that is about to be replaced, or the file itself when it cannot be read.
  private func setPreviousAside(_ connection: inout SQLiteConnection?) throws -> String? {
    guard exists else { return nil }
    let kept = path + ".before-restore"
    do {
      let opened = try SQLiteConnection(path: path, mode: .readWrite, busyTimeout: Self.busyTimeout)
      guard try opened.integer("SELECT count(*) FROM sqlite_schema") != 0 else { return nil }
      try Self.copy(opened, to: kept)
    } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code.primary) {
      connection = nil
      try Self.rename(path, to: kept)
    }
    return kept
  }

  /// Whether a file is a sound one of ours that this version can read.
  private func check(_ source: SQLiteConnection) throws {
    try schema.migrations.check(source)
    let verdict = try source.prepare("PRAGMA integrity_check(1)")
    guard try verdict.step(), verdict.text(0) == "ok" else {
      throw SQLiteError(code: .corrupt, message: verdict.text(0) ?? "the integrity check says nothing")
    }
  }

  private func open(
    _ connection: inout SQLiteConnection?, _ mode: SQLiteConnection.Mode
  ) throws -> SQLiteConnection {
    if let connection { return connection }
    let opened = try SQLiteConnection(path: path, mode: mode, busyTimeout: Self.busyTimeout)
    try opened.execute("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON")
    try keepCopyBeforeMigration(opened)
    try schema.migrations.apply(to: opened)
    // Version 0.1 made the user's data a write-ahead log when it was named as the cache.
    try opened.useRollbackJournal()
    connection = opened
    return opened
  }

  /// An older file is copied before it is changed; without the copy it is not.
  private func keepCopyBeforeMigration(_ opened: SQLiteConnection) throws {
    let version = try opened.integer("PRAGMA user_version") ?? 0
    let id = try opened.integer("PRAGMA application_id") ?? 0
    guard id == Int64(UserDataSchema.applicationID), version > 0, version < schema.steps.count else { return }
    try Self.copy(opened, to: "\(path).version-\(version)")
  }

  /// Copies to a name beside the final one first, so that what has the final name is whole.
  private static func copy(_ source: SQLiteConnection, to path: String) throws {
    let unfinished = path + ".unfinished"
    unlink(unfinished)
    do {
      let target = try SQLiteConnection(path: unfinished, mode: .readWriteCreate, busyTimeout: busyTimeout)
      try source.backup(to: target)
    } catch {
      unlink(unfinished)
      throw error
    }
    try rename(unfinished, to: path)
  }

  private static func rename(_ path: String, to other: String) throws(BitpalError) {
    guard Glibc.rename(path, other) == 0 else {
      throw .dataFile(path: other, reason: "cannot be put in place (\(String(cString: strerror(errno))))")
    }
  }

  /// Runs `body` and makes SQLite's failures into words about the file.
  private func telling<Result>(_ path: String? = nil, _ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch let failure {
      throw UserDataTrouble.error(for: failure, path: path ?? self.path, isBackup: path != nil)
    }
  }
}
