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

  /// How long to wait for another process that writes.
  private static let busyTimeout: Duration = .seconds(2)

  private let state = Locked(State.unopened)
  private let path: String
  private let byteLimit: Int
  private let isOwnPlace: Bool
  private let warn: @Sendable (String) -> Void
  private let hasWarned = Locked(false)

  /// - Parameter isOwnPlace: Whether nobody else keeps files at `path`, so that what cannot be read there was ours.
  init(path: String, byteLimit: Int, isOwnPlace: Bool, warn: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.byteLimit = byteLimit
    self.isOwnPlace = isOwnPlace
    self.warn = warn
  }

  /// Reads; nil when the file cannot be used.
  func read<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result?) -> Result? {
    perform(body)
  }

  /// Writes in one transaction; does nothing when the file cannot be used.
  func write(_ body: (SQLiteConnection) throws -> Void) {
    _ = perform { connection -> Bool? in
      try connection.transaction(.immediate) {
        try body(connection)
        try evict(connection)
      }
      return true
    }
  }

  /// The connection's work, opened when first needed; a damaged file is replaced once and the work tried again.
  private func perform<Result: Sendable>(_ body: (SQLiteConnection) throws -> Result?) -> Result? {
    state.withLock { state in
      for isRetry in [false, true] {
        do {
          let connection: SQLiteConnection
          switch state {
          case .unusable: return nil
          case .open(let opened): connection = opened
          case .unopened:
            connection = try open()
            state = .open(connection)
          }
          return try body(connection)
        } catch {
          state = .unopened
          switch Trouble(error) {
          case .damaged(let reason) where !isRetry && wasOurs:
            guard setAside(reason) else {
              state = .unusable
              return nil
            }
          case .damaged(let reason), .unwritable(let reason):
            tell("the cache \(path) cannot be used (\(reason)); going on without it")
            state = .unusable
            return nil
          case .busy(let reason):
            tell("the cache \(path) is busy (\(reason)); going on without it")
            return nil
          }
        }
      }
      return nil
    }
  }

  private func open() throws -> SQLiteConnection {
    guard mayBeOurs else { throw SQLiteMigrations.Failure.foreign(applicationID: 0) }
    let connection = try SQLiteConnection(path: path, busyTimeout: Self.busyTimeout)
    // Nothing is set before it is certain whose file it is: a write-ahead log would stay in it for good.
    let isCurrent = try CacheSchema.migrations.isCurrent(connection)
    // A new file holds nothing that a power cut could take, so making it does not wait for the disk.
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.useWriteAheadLog()
    if !isCurrent { try CacheSchema.migrations.apply(to: connection) }
    try connection.execute("PRAGMA synchronous = NORMAL")
    return connection
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

  /// Removes what was fetched longest ago until the payloads fit.
  private func evict(_ connection: SQLiteConnection) throws {
    let total = try connection.integer("SELECT total(bytes) FROM entry") ?? 0
    guard total > byteLimit else { return }
    // Down to seven eighths, so that the next write need not evict again.
    var excess = total - Int64(byteLimit - byteLimit / 8)
    let oldest = try connection.prepare("SELECT rowid, bytes FROM entry ORDER BY fetched_at")
    var rows: [Int64] = []
    while excess > 0, try oldest.step() {
      rows.append(oldest.integer(0))
      excess -= oldest.integer(1)
    }
    oldest.reset()
    let delete = try connection.prepare("DELETE FROM entry WHERE rowid = ?1")
    for row in rows {
      try delete.bind(1, row)
      try delete.run()
    }
  }

  /// Renames the file and its helpers; false when even that fails.
  private func setAside(_ reason: String) -> Bool {
    let aside = path + ".set-aside"
    guard rename(path, aside) == 0 else {
      tell("the cache \(path) cannot be used (\(reason)) and not be set aside either; going on without it")
      return false
    }
    for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    tell("the cache was unusable (\(reason)); it is set aside as \(aside) and a new one begun")
    return true
  }

  private func tell(_ message: String) {
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst { warn(message) }
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
