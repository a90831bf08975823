import BitpalFiles
import BitpalModel
import BitpalSQLite
import FoundationEssentials
import Glibc

/// The lower tier: one SQLite file that every process of the user shares, and that may be thrown away at any time.
///
/// Nothing that is wrong with the file stops a command. A cache that is damaged or of a newer version is set aside and a
/// new one made; one that cannot be opened or written costs only speed. Each trouble is told once.
///
/// What is not a cache of ours stays as it is, to the byte: it was named by mistake.
final class DiskTier: Sendable {
  private enum State {
    case unopened
    case open(SQLiteConnection)
    case unusable
  }

  private struct Contents {
    var state = State.unopened
    /// Whether the connection has been told its bounds, which only those who write need.
    var isBounded = false
    /// How long to wait for another process that writes; who was kept waiting in vain does not wait again.
    var patience = DiskTier.busyTimeout
  }

  /// How long to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(2)

  private let contents = Locked(Contents())
  private let path: String
  private let bound: DiskBound
  private let isOwnPlace: Bool
  private let tell: FirstWarning

  /// - Parameter isOwnPlace: Whether nobody else keeps files at `path`, so that what cannot be read there was ours.
  init(path: String, byteLimit: Int, isOwnPlace: Bool, warn: @escaping @Sendable (String) -> Void) {
    self.path = path
    bound = DiskBound(bytes: byteLimit)
    self.isOwnPlace = isOwnPlace
    tell = FirstWarning(warn)
  }

  /// The bytes of all its files.
  var size: Int {
    ["", "-wal", "-shm"].reduce(0) { sum, suffix in sum + ((try? FileStatus(path + suffix))?.size ?? 0) }
  }

  /// Whether there is a file that can be used; it is opened for that.
  var isUsable: Bool { read { _ in true } ?? false }

  /// Reads; nil when the file cannot be used.
  func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result?) -> Result? {
    perform { connection, _ in try body(connection) }
  }

  /// Writes in one transaction; does nothing when the file cannot be used.
  ///
  /// - Parameters:
  ///   - what: What is written, for the warning that there is no room for it.
  ///   - bytes: At least so many are written, as far as that is known.
  func write(_ what: String = "an answer", bytes: Int = 0, _ body: (SQLiteConnection) throws -> Void) {
    guard bytes <= bound.databaseBytes else { return tellNoRoom(what) }
    _ = perform { connection, isBounded -> Bool? in
      if !isBounded { try bound.impose(on: connection) }
      isBounded = true
      defer { bound.trimLog(of: connection, path: path) }
      var attempt = 0
      while true {
        do {
          // What made room comes back when it was not enough.
          try connection.transaction {
            if attempt > 0 { try bound.makeRoom(in: connection, attempt: attempt) }
            try body(connection)
          }
          return true
        } catch let error as SQLiteError where error.code.primary == .full {
          guard attempt < bound.attempts(at: path) else {
            tellNoRoom(what)
            return nil
          }
          attempt += 1
        }
      }
    }
  }

  private func tellNoRoom(_ what: String) {
    tell("the cache \(path) has no room for \(what): give it more with cache.disk, or free the disk")
  }

  /// The connection's work, opened when first needed; a damaged file is replaced once and the work tried again.
  private func perform<Result: Sendable>(
    _ body: (SQLiteConnection, inout Bool) throws -> Result?
  ) -> Result? {
    contents.withLock { contents in
      for isRetry in [false, true] {
        do {
          let connection: SQLiteConnection
          switch contents.state {
          case .unusable: return nil
          case .open(let opened): connection = opened
          case .unopened:
            connection = try open(patience: contents.patience)
            contents.state = .open(connection)
            contents.isBounded = false
          }
          let result = try body(connection, &contents.isBounded)
          contents.patience = Self.busyTimeout
          connection.busyTimeout = contents.patience
          return result
        } catch {
          contents.state = .unopened
          switch Trouble(error) {
          case .damaged(let reason) where !isRetry && wasOurs:
            guard setAside(reason) else {
              contents.state = .unusable
              return nil
            }
          case .damaged(let reason), .unwritable(let reason):
            tell("the cache \(path) cannot be used (\(reason)); going on without it")
            contents.state = .unusable
            return nil
          case .busy(let reason):
            tell("the cache \(path) is busy (\(reason)); going on without it")
            contents.patience = .zero
            return nil
          }
        }
      }
      return nil
    }
  }

  private func open(patience: Duration) throws -> SQLiteConnection {
    guard mayBeOurs else { throw SQLiteMigrations.Failure.foreign(applicationID: 0) }
    let connection = try SQLiteConnection(path: path, busyTimeout: patience)
    // Nothing is set before it is certain whose file it is: a write-ahead log would stay in it for good.
    let isCurrent = try CacheSchema.migrations.isCurrent(connection)
    // A new file holds nothing that a power cut could take, so making it does not wait for the disk.
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.useWriteAheadLog()
    if !isCurrent { try CacheSchema.migrations.apply(to: connection) }
    try connection.execute("PRAGMA synchronous = NORMAL")
    return connection
  }

  /// Where a file goes that cannot be used.
  private var aside: String { path + ".set-aside" }

  /// Removes a file that was set aside; not where it may be somebody else's.
  func removeSetAside() {
    if isOwnPlace { unlink(aside) }
  }

  /// Whether the file is a cache, or can become one: where others keep files, only what says it is a cache is one.
  private var mayBeOurs: Bool {
    switch SQLiteFileHeader(path: path) {
    case .none, .database(applicationID: 0), .database(applicationID: CacheSchema.migrations.applicationID): true
    case .other, .database: isOwnPlace
    }
  }

  /// Whether a file that cannot be read is known to have been a cache.
  private var wasOurs: Bool {
    isOwnPlace || SQLiteFileHeader(path: path) == .database(applicationID: CacheSchema.migrations.applicationID)
  }

  /// Renames the file and its helpers; false when even that fails.
  private func setAside(_ reason: String) -> Bool {
    guard rename(path, aside) == 0 else {
      tell("the cache \(path) cannot be used (\(reason)) and not be set aside either; going on without it")
      return false
    }
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    tell("the cache was unusable (\(reason)); it is set aside as \(aside) and a new one begun")
    return true
  }
}

/// What an error means for the file.
private enum Trouble {
  case damaged(String)
  case unwritable(String)
  case busy(String)

  init(_ error: any Error) {
    switch error {
    case SQLiteMigrations.Failure.newer(let found, let known):
      self = .damaged("its schema \(found) is newer than this version's \(known)")
    case SQLiteMigrations.Failure.foreign:
      self = .unwritable("it is not a cache of bitpal, and is left as it is")
    case let error as SQLiteError:
      switch error.code.primary {
      case .corrupt, .notADatabase, .error: self = .damaged(error.message)
      case .busy: self = .busy(error.message)
      default: self = .unwritable(error.message)
      }
    default:
      self = .damaged("\(error)")
    }
  }
}
