import BitpalModel
import CSQLite
import Glibc

/// One connection to one database file.
///
/// It is not `Sendable`: its owner guards it with a lock, so that its statements run one after the other. Views and
/// triggers of a file never run, because bitpal's files have none.
package final class SQLiteConnection {
  /// The ways to open a file.
  package enum Mode: Sendable {
    /// Reads and writes; creates a missing file, readable by the user alone, with the folders above it.
    case readWriteCreate

    /// Reads and writes a file that exists.
    case readWrite

    /// Only reads a file that exists.
    case readOnly
  }

  /// The longest time for one wait for another connection's lock; zero to not wait.
  ///
  /// A task's deadline shortens the wait: see ``patience``.
  package var busyTimeout: Duration

  /// The largest size in bytes of a write-ahead log that the last connection leaves beside the file when it is closed.
  ///
  /// Writing a log back waits for the disk twice, and the next process makes a new one; reading a small one costs little.
  package var logLeftAtClose = 0

  private let path: String
  private let handle: OpaquePointer

  /// The kept statements; few, and to hash the text of one would take longer than to find it.
  private var statements: [(sql: String, statement: SQLiteStatement)] = []

  /// Opens the file at `path`, or a database in memory for `:memory:`.
  ///
  /// - Parameters:
  ///   - path: The file, or `:memory:`.
  ///   - mode: Whether the file may be created and written to.
  ///   - busyTimeout: The longest time to wait for another connection's lock.
  /// - Throws: `SQLiteError` with the code `cannotOpen` for a path that is not a regular file, and for each failure
  ///   of SQLite to open it.
  package init(path: String, mode: Mode = .readWriteCreate, busyTimeout: Duration) throws(SQLiteError) {
    // SQLite needs no mutex, because a connection is used from one thread at a time.
    let flags =
      switch mode {
      case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    if path != ":memory:" { try Self.lookAt(path, makingIt: mode == .readWriteCreate) }
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard let opened else {
      throw SQLiteError(code: SQLiteResultCode(rawValue: code), message: "out of memory")
    }
    guard code == SQLITE_OK else {
      let error = SQLiteError(code: SQLiteResultCode(rawValue: code), message: Self.message(code, opened))
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    self.path = path
    self.busyTimeout = busyTimeout
    bitpal_distrust_schema(handle)
    _ = bitpal_add_checksum(handle)
    // The handle is closed before this object is gone.
    sqlite3_busy_handler(
      handle,
      { connection, attempt in
        guard let connection else { return 0 }
        return Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().isWaiting(attempt) ? 1 : 0
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit {
    statements.removeAll()
    if logLeftAtClose > 0, let log = try? FileStatus(path + "-wal"), log.size <= logLeftAtClose {
      bitpal_leave_log(handle)
    }
    sqlite3_close_v2(handle)
  }

  /// Refuses a path that is not a regular file, such as a pipe, on which SQLite would wait; creates a missing file.
  ///
  /// Other problems are left to `sqlite3_open_v2`, which reports them with SQLite's codes.
  private static func lookAt(_ path: String, makingIt: Bool) throws(SQLiteError) {
    if let kind = try? FileStatus(path).kind {
      guard kind != .regular else { return }
      throw SQLiteError(code: .cannotOpen, message: FileFault.notAFile(kind).reason)
    }
    guard makingIt else { return }
    try? PrivateFolder.make(above: path)
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    if descriptor >= 0 { close(descriptor) }
  }

  /// Runs one or more statements that return no rows.
  ///
  /// - Throws: `SQLiteError` for the first statement that fails; the ones before it remain in effect.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil))
  }

  /// Sets the file's journal to a write-ahead log, which lets others read while one writes.
  ///
  /// The mode is stored in the file, so only the first call changes it. SQLite itself does not wait for a lock here,
  /// because two connections that change the mode at once would deadlock; this function retries instead.
  ///
  /// - Throws: `SQLiteError` with the code `busy` when the lock stays held, any other code at once.
  package func useWriteAheadLog() throws(SQLiteError) {
    let end = ContinuousClock.now + patience
    var attempt: Int32 = 0
    while true {
      do {
        return try execute("PRAGMA journal_mode = WAL")
      } catch {
        guard error.code.primary == .busy, Self.pause(attempt, until: end) else { throw error }
        attempt += 1
      }
    }
  }

  /// Compiles a statement.
  ///
  /// - Throws: `SQLiteError` for a text that SQLite cannot compile or that has no statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, 0, &statement, nil))
    guard let statement else { throw SQLiteError(code: .error, message: "the statement is empty") }
    return SQLiteStatement(handle: statement, connection: self)
  }

  /// Returns a statement that is compiled once and kept; it is reset, with nothing bound.
  ///
  /// - Throws: As ``prepare(_:)``.
  package func cached(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
    for kept in statements where kept.sql == sql {
      kept.statement.reset()
      return kept.statement
    }
    let statement = try prepare(sql)
    statement.isCached = true
    statements.append((sql, statement))
    return statement
  }

  /// The time at which a transaction takes its lock.
  package enum TransactionKind: String, Sendable {
    /// At the first read or write.
    case deferred = "DEFERRED"

    /// The write lock, at once: no other connection can write in between.
    case immediate = "IMMEDIATE"
  }

  /// Runs `body` in a transaction: committed when it returns, rolled back when it throws.
  ///
  /// - Throws: The error of `body`; `SQLiteError` when the transaction cannot begin or be committed.
  package func transaction<Result>(
    _ kind: TransactionKind = .immediate, _ body: () throws -> Result
  ) throws -> Result {
    try execute("BEGIN \(kind.rawValue)")
    do {
      let result = try body()
      try execute("COMMIT")
      return result
    } catch {
      // SQLite has already rolled back after some errors; then there is nothing left to undo.
      try? execute("ROLLBACK")
      throw error
    }
  }

  /// Whether the file has been renamed or removed since it was opened.
  package var isMoved: Bool {
    var isMoved: Int32 = 0
    return sqlite3_file_control(handle, "main", SQLITE_FCNTL_HAS_MOVED, &isMoved) == SQLITE_OK && isMoved != 0
  }

  /// The number of rows that the last statement changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// Returns the first column of the first row as an integer, 0 for NULL; nil without a row.
  ///
  /// - Throws: `SQLiteError` when the query fails.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Copies the whole database into `destination` as one consistent state, replacing what is there.
  ///
  /// The destination is changed in one transaction: on failure it is unchanged.
  ///
  /// - Throws: `SQLiteError` with the code `busy` when a lock of either database is held, or another code when
  ///   reading or writing fails.
  package func backup(to destination: SQLiteConnection) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw destination.lastError(sqlite3_errcode(destination.handle))
    }
    let code = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    try destination.check(finished)
    // Another process's lock ends the step without being an error of the whole.
    try check(code)
  }

  // MARK: Waiting for locks

  /// The instant at which the current wait ends.
  private var waitEnds = ContinuousClock.now

  /// The longest time for a wait for a lock that begins now.
  ///
  /// It is at most half of the time left until the deadline, so that time remains for an answer without the file. A
  /// lock is usually held for less than a millisecond, so 50 ms are allowed even after the deadline.
  private var patience: Duration {
    guard let left = Deadline.left else { return busyTimeout }
    return min(busyTimeout, max(.milliseconds(50), left / 2))
  }

  /// Waits for the holder of the lock, and returns whether to try again; false when the time is up.
  ///
  /// - Parameter attempt: The number of earlier calls in this wait.
  private func isWaiting(_ attempt: Int32) -> Bool {
    if attempt == 0 { waitEnds = ContinuousClock.now + patience }
    return Self.pause(attempt, until: waitEnds)
  }

  /// Sleeps with exponential backoff from 1 to 32 ms; returns false at once after `end`.
  private static func pause(_ attempt: Int32, until end: ContinuousClock.Instant) -> Bool {
    let left = end - .now
    guard left > .zero else { return false }
    sqlite3_sleep(max(1, Int32(clamping: min(.milliseconds(1 << min(attempt, 5)), left).milliseconds)))
    return true
  }

  // MARK: Errors

  func check(_ code: Int32) throws(SQLiteError) {
    guard code != SQLITE_OK, code != SQLITE_ROW, code != SQLITE_DONE else { return }
    throw lastError(code)
  }

  func lastError(_ code: Int32) -> SQLiteError {
    let offset = Int(sqlite3_error_offset(handle))
    return SQLiteError(
      code: SQLiteResultCode(rawValue: code), message: Self.message(code, handle),
      offset: offset >= 0 ? offset : nil)
  }

  /// Returns SQLite's message, followed by the system's reason for input, output and open errors.
  private static func message(_ code: Int32, _ handle: OpaquePointer) -> String {
    let message = String(cString: sqlite3_errmsg(handle))
    let isOfSystem = [.inputOutput, .cannotOpen].contains(SQLiteResultCode(rawValue: code).primary)
    let number = sqlite3_system_errno(handle)
    guard isOfSystem, number != 0, let reason = strerror(number) else { return message }
    return "\(message): \(String(cString: reason))"
  }
}
