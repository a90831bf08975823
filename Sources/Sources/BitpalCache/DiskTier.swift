import BitpalFiles
import BitpalModel
import FoundationEssentials
import Glibc

/// The file of the lower tier: one SQLite file that every process of the user shares, and that may be deleted at any
/// time.
///
/// A failure of the file stops no command. A cache that is damaged or of a newer version is set aside and a new one
/// created; one that cannot be opened or written costs only speed. Each failure is reported once.
///
/// A file that is not a bitpal cache is left unchanged: it was named by mistake.
final class DiskTier: Sendable {
  /// The connection for reading: with a write-ahead log it waits for no writer, in this process or another.
  private let database: DisposableDatabase

  /// The connection for writing, which waits for other writers.
  private let writer: DisposableDatabase
  private let path: String
  private let bound: DiskBound
  private let isOwnPlace: Bool
  private let tell: FirstWarning

  /// The writing connection whose bounds are set.
  private let bounded = Locked<ObjectIdentifier?>(nil)

  /// Creates a tier; the file is opened when first used.
  ///
  /// - Parameters:
  ///   - isOwnPlace: Whether no other program keeps files at `path`, so that an unreadable file there was ours.
  ///   - patience: The longest time for which a writer waits for another one.
  init(path: String, byteLimit: Int, isOwnPlace: Bool, patience: Duration, warn: @escaping @Sendable (String) -> Void) {
    let tell = FirstWarning(warn)
    self.path = path
    self.isOwnPlace = isOwnPlace
    self.tell = tell
    bound = DiskBound(bytes: byteLimit)
    let recovery = DisposableDatabase.RecoveryPolicy(
      open: { path, patience in
        guard isOwnPlace || Self.mayBecomeOurs(path) else { throw DisposableDatabase.Failure.foreign }
        return try Self.open(path, patience)
      },
      action: { failure, path in
        switch failure {
        case .damaged, .newer:
          isOwnPlace || Self.isOurs(path) ? .setAside(as: Self.aside(path)) : .inMemory
        case .foreign, .busy, .unusable: .inMemory
        }
      },
      tell: { failure, action in tell(Self.message(for: failure, action, path)) })
    database = DisposableDatabase(path: path, recovery: recovery)
    writer = DisposableDatabase(path: path, patience: patience, recovery: recovery)
  }

  /// The size of all its files in bytes.
  var size: Int {
    ["", "-wal", "-shm"].reduce(0) { sum, suffix in sum + ((try? FileStatus(path + suffix))?.size ?? 0) }
  }

  /// Whether there is a file that can be used; the check opens it.
  var isUsable: Bool { read { _ in true } ?? false }

  /// Reads from the file; returns nil when it cannot be used.
  func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result?) -> Result? {
    guard case .done(let result) = database.perform(body) else { return nil }
    return result
  }

  /// Writes in one transaction; does nothing when the file cannot be used.
  ///
  /// - Parameters:
  ///   - what: The subject of the warning that the disk is full.
  ///   - bytes: The minimum size of the written data, as far as it is known.
  func write(_ what: String = "an answer", bytes: Int = 0, _ body: (SQLiteConnection) throws -> Void) {
    guard bytes <= bound.databaseBytes else { return warnNoRoom(what) }
    _ = writer.perform { connection in
      try imposeBound(on: connection)
      defer { bound.trimLog(of: connection, path: path) }
      var attempt = 0
      while true {
        do {
          // If the transaction still does not fit, the rows removed to make room are restored.
          try connection.transaction {
            if attempt > 0 { try bound.makeRoom(in: connection, attempt: attempt) }
            try body(connection)
          }
          return
        } catch let error as SQLiteError where error.code.primary == .full {
          guard attempt < bound.attempts(at: path) else {
            return warnNoRoom(what)
          }
          attempt += 1
        }
      }
    }
  }

  private func warnNoRoom(_ what: String) {
    tell("the cache \(path) has no room for \(what): give it more with cache.disk, or free the disk")
  }

  private func imposeBound(on connection: SQLiteConnection) throws {
    let id = ObjectIdentifier(connection)
    guard bounded.withLock({ $0 != id }) else { return }
    try bound.impose(on: connection)
    bounded.withLock { $0 = id }
  }

  private static func open(_ path: String, _ patience: Duration) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: path, busyTimeout: patience)
    // Nothing is set before the owner of the file is certain: a write-ahead log would remain in it permanently.
    let exists = try CacheSchema.current.exists(in: connection)
    // A new file holds nothing that a power cut could destroy, so its creation does not wait for the disk.
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.useWriteAheadLog()
    if !exists {
      try CacheSchema.current.make(in: connection)
      _ = try? connection.integer("PRAGMA wal_checkpoint(PASSIVE)")
    }
    try connection.execute("PRAGMA synchronous = NORMAL")
    connection.logLeftAtClose = DiskBound.logLeftAtClose
    return connection
  }

  /// Returns the path to which an unusable file is moved.
  private static func aside(_ path: String) -> String { path + ".set-aside" }

  /// Removes a file that was set aside; not where it may belong to another program.
  func removeSetAside() {
    if isOwnPlace { unlink(Self.aside(path)) }
  }

  /// Returns whether the file is a cache, or may become one: in a shared folder only a file with our application id is
  /// a cache.
  private static func mayBecomeOurs(_ path: String) -> Bool {
    switch SQLiteFileHeader(path: path) {
    case .none, .database(applicationID: 0): true
    case .other, .database: isOurs(path)
    }
  }

  /// Returns whether the application id of a file is that of our cache.
  private static func isOurs(_ path: String) -> Bool {
    SQLiteFileHeader(path: path) == .database(applicationID: CacheSchema.current.applicationID)
  }

  private static func message(
    for failure: DisposableDatabase.Failure, _ action: DisposableDatabase.RecoveryAction?, _ path: String
  ) -> String {
    let reason =
      switch failure {
      case .newer(let found, let known): "its schema \(found) is newer than this version's \(known)"
      case .foreign: "it is not a cache of bitpal, and is left as it is"
      case .damaged(let message), .busy(let message), .unusable(let message): message
      }
    return switch (failure, action) {
    case (.busy, _): "the cache \(path) is busy (\(reason)); going on without it"
    case (_, .setAside(let aside)):
      "the cache was unusable (\(reason)); it is set aside as \(aside) and a new one begun"
    case (_, nil): "the cache \(path) cannot be used (\(reason)) and not be set aside either; going on without it"
    case (_, .use), (_, .inMemory): "the cache \(path) cannot be used (\(reason)); going on without it"
    }
  }
}
