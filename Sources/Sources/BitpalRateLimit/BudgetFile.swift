package import BitpalFiles
package import BitpalModel
import FoundationEssentials
import Glibc

/// The budgets of all processes of a user, in one SQLite file.
///
/// Its state is disposable: a damaged file is set aside and a new one created. A file of a newer version or of another
/// program is left untouched, and the processes of this version share another file beside it. When no file can be used,
/// each process has budgets of its own. A warning about this is given once.
package final class BudgetFile: BudgetStore {
  /// The path of the file.
  package let path: String

  let database: DisposableDatabase
  private let clock: @Sendable () -> BudgetClock

  /// The budgets last read from the file, which this process continues when the file breaks.
  let fallback: MemoryBudgetStore

  /// Creates a store; the file is opened when first used.
  ///
  /// - Parameters:
  ///   - path: The file; created, with its folder, when first used.
  ///   - clock: The clock that all processes of this machine share; evaluated when first used, which for a price from
  ///     the cache is never.
  ///   - warn: Receives, once, the reason why the budgets are not shared.
  package init(
    path: String, clock: @autoclosure @escaping @Sendable () -> BudgetClock = .system,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let tell = FirstWarning(warn)
    self.path = path
    self.clock = clock
    fallback = MemoryBudgetStore { clock().now }
    database = DisposableDatabase(
      path: path,
      recovery: DisposableDatabase.RecoveryPolicy(
        // A process that cannot count must not ask, so each one waits for a busy file just as long, however often it
        // has failed.
        open: { path, _ in try Self.open(path) },
        action: { failure, place in
          switch failure {
          case .damaged: .setAside(as: place + ".damaged")
          case .newer where place == path, .foreign where place == path: .use("\(path).v\(Self.schema.version)")
          case .newer, .foreign, .busy, .unusable: .inMemory
          }
        },
        tell: { failure, action in
          if let message = Self.message(for: failure, action) { tell("the request budgets in \(path) \(message)") }
        }))
  }

  /// Removes the counts of requests, the pauses that sources asked for, and the notes.
  ///
  /// - Returns: The number of budgets that were removed.
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file is busy or cannot be written.
  package func clear() throws(BitpalError) -> Int {
    guard FileStatus.exists(path) else { return 0 }
    let outcome = database.perform { connection in
      try connection.transaction {
        try connection.execute("DELETE FROM note; DELETE FROM request_budget")
        return connection.changes
      }
    }
    switch outcome {
    case .done(let count): return count
    case .busy: throw .dataFile(path: path, reason: "another program is writing to it; nothing was changed")
    case .without: throw .dataFile(path: path, reason: "cannot be written; nothing was changed")
    }
  }

  /// The result of a check of the file, which the check does not change.
  package var health: DatabaseHealth { DatabaseHealth(path: path, schema: Self.schema) }

  /// The usage of a source's budget.
  package struct Standing: Hashable, Sendable {
    /// The provider's id.
    package let provider: String

    /// The number of tokens used under each limit.
    package let usage: [RequestBudget.Usage]

    /// The rest of a pause that the source has asked for; nil when there is none.
    package let pause: Duration?
  }

  /// Returns the usage of each budget, ordered by key; empty when the file cannot be read.
  package func standings() -> [Standing] {
    guard FileStatus.exists(path) else { return [] }
    let outcome = database.perform { connection in
      try connection.transaction(.deferred) {
        let keys = try connection.prepare("SELECT key FROM request_budget ORDER BY key")
        var standings: [Standing] = []
        while try keys.step() {
          let key = keys.text(0) ?? ""
          guard let (stored, now, _) = try read(key, connection) else { continue }
          var budget = stored
          budget.settle(at: now)
          standings.append(
            Standing(
              provider: String(key.prefix { $0 != " " }), usage: budget.usage(at: now), pause: budget.pauseLeft(at: now)
            ))
        }
        return standings
      }
    }
    if case .done(let standings) = outcome { return standings }
    return []
  }

  // MARK: Budgets

  package func apply(
    _ change: BudgetChange, to key: String, limits: [RateLimit]
  ) throws(BudgetStoreError) -> BudgetReply {
    try update(key, limits: limits) { budget, now in budget.apply(change, at: now) }
  }

  /// Reads, changes and stores the budget of a key.
  ///
  /// `change` may run twice, and only the last run counts.
  ///
  /// - Throws: ``BudgetStoreError/locked(path:)`` when other processes hold the file for too long.
  package func update<Result: Sendable>(
    _ key: String, limits: [RateLimit], _ change: (inout RequestBudget, Duration) -> Result
  ) throws(BudgetStoreError) -> Result {
    let outcome = database.perform { connection in
      try connection.transaction {
        let stored = try read(key, connection)
        var (budget, now) = stored.map { ($0.budget, $0.now) } ?? (RequestBudget(limits), clock().now)
        budget.settle(at: now)
        budget.adopt(limits)
        let result = change(&budget, now)
        // After a restart the row goes on by the clock of the machine at once: its wall clock may have been wrong.
        if budget != stored?.budget || stored?.isOfThisStart == false { try write(key, budget, at: now, connection) }
        fallback.keep(key, budget, at: now)
        return result
      }
    }
    switch outcome {
    case .done(let result): return result
    case .busy: throw .locked(path: path)
    case .without: return fallback.update(key, limits: limits, change)
    }
  }

  /// Returns the budget of a key, and the time on its own clock; nil when there is none that this version can read.
  ///
  /// The row is read under the write lock, so that the order of takes is the order of their times. A budget's clock
  /// continues with that of the machine. After a restart it continues by the wall clock, and stands still when that has
  /// gone back.
  private func read(
    _ key: String, _ connection: SQLiteConnection
  ) throws -> (budget: RequestBudget, now: Duration, isOfThisStart: Bool)? {
    let row = try connection.cached(
      "SELECT boot, boot_at, wall_at, at, blocked_until, newest, waiting, logs FROM request_budget WHERE key = ?1")
    defer { row.reset() }
    try row.bind(1, key)
    guard try row.step() else { return nil }
    let clock = clock()
    let passed =
      row.text(0) == clock.bootID
      ? clock.now - .microseconds(row.integer(1))
      : clock.wall.since(Date(milliseconds: max(0, min(row.integer(2), 253_402_300_799_999))))
    // No machine runs for 2^51 microseconds, which are 71 years.
    let at = row.integer(3)
    let texts = (row.text(7) ?? "").split(separator: ";")
    let logs = texts.compactMap { WindowLog(text: $0) }
    guard 0...1 << 51 ~= at, logs.count == texts.count else { return nil }
    let budget = RequestBudget(
      logs: logs, blockedUntil: max(0, min(row.integer(4), 1 << 52)), newest: max(0, min(row.integer(5), 1 << 52)),
      waiting: Int(max(0, min(row.integer(6), 1 << 20))))
    return (budget, .microseconds(at) + max(.zero, passed), row.text(0) == clock.bootID)
  }

  private func write(
    _ key: String, _ budget: RequestBudget, at now: Duration, _ connection: SQLiteConnection
  ) throws {
    let row = try connection.cached("INSERT OR REPLACE INTO request_budget VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)")
    let clock = clock()
    try row.bind(1, key)
    try row.bind(2, clock.bootID)
    try row.bind(3, clock.now.wholeMicroseconds)
    try row.bind(4, clock.wall.milliseconds)
    try row.bind(5, now.wholeMicroseconds)
    try row.bind(6, budget.blockedUntil)
    try row.bind(7, budget.newest)
    try row.bind(8, Int64(budget.waiting))
    try row.bind(9, budget.logs.map(\.text).joined(separator: ";"))
    try row.run()
  }

  // MARK: The file

  /// The tables, with the application id `bpll` in ASCII.
  private static let schema = SQLiteSchema(
    applicationID: 0x6270_6C6C, version: 5,
    statements: """
      CREATE TABLE request_budget (
        key TEXT PRIMARY KEY,
        boot TEXT NOT NULL,             -- the start of the machine that boot_at counts from
        boot_at INTEGER NOT NULL,       -- the time of writing, in microseconds since then
        wall_at INTEGER NOT NULL,       -- the time of writing, in milliseconds since 1970
        at INTEGER NOT NULL,            -- the time of writing, in microseconds on the budget's own clock
        blocked_until INTEGER NOT NULL, -- the end of a pause, on the budget's own clock
        newest INTEGER NOT NULL,        -- the newest stamp, on the budget's own clock
        waiting INTEGER NOT NULL,       -- the callers that were asked to wait
        logs TEXT NOT NULL              -- WindowLog.text, one for each limit
      ) STRICT, WITHOUT ROWID;
      CREATE TABLE note (name TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT, WITHOUT ROWID
      """)

  /// Opens a file and makes its tables; a file of another program is left unchanged.
  ///
  /// Nothing is synced to the disk: the death of a process loses nothing, and after a crash of the machine a source is
  /// asked a few times too often at the most.
  private static func open(_ path: String) throws -> SQLiteConnection {
    // The opening below reports a folder that cannot be created.
    try? PrivateFolder.make(above: path)
    guard isFolderOurs(PathText.directory(of: path)) else {
      throw DisposableDatabase.Failure.unusable("others can write in the folder")
    }
    let connection = try SQLiteConnection(path: path, busyTimeout: DisposableDatabase.busyTimeout)
    _ = try schema.exists(in: connection)
    try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE")
    try schema.make(in: connection)
    return connection
  }

  /// Returns whether a folder, or a link to it, belongs to this user; in `/tmp` it may belong to another.
  private static func isFolderOurs(_ folder: String) -> Bool {
    // The opening that follows reports a missing folder.
    guard let link = try? FileStatus(withoutFollowing: folder), let target = try? FileStatus(folder) else {
      return true
    }
    return [geteuid(), 0].contains(link.owner) && target.owner == geteuid() && target.permissions & S_IWOTH == 0
  }

  /// Returns the text of a warning; nil for a failure without consequences, or one that is reported to the caller.
  private static func message(
    for failure: DisposableDatabase.Failure, _ action: DisposableDatabase.RecoveryAction?
  ) -> String? {
    let reason: String
    switch failure {
    case .busy: return nil
    case .newer: reason = "were written by a newer bitpal"
    case .foreign: reason = "belong to another program"
    case .damaged(let message), .unusable(let message): reason = "cannot be used: \(message)"
    }
    switch action {
    case .setAside: return nil
    case .use(let other): return "\(reason); this version counts its requests in \(other)"
    case .inMemory, nil: return "\(reason); each command counts its requests alone"
    }
  }

  // MARK: Notes

  package func note(_ name: String) -> String? {
    let outcome = database.perform { try Self.note(name, $0) }
    switch outcome {
    case .done(let text): return text
    case .busy, .without: return fallback.note(name)
    }
  }

  private static func note(_ name: String, _ connection: SQLiteConnection) throws -> String? {
    let row = try connection.cached("SELECT text FROM note WHERE name = ?1")
    defer { row.reset() }
    try row.bind(1, name)
    return try row.step() ? row.text(0) : nil
  }

  package func changeNote(_ name: String, _ change: (String?) -> String?) {
    let outcome = database.perform { connection in
      try connection.transaction {
        let text = change(try Self.note(name, connection))
        let sql = text == nil ? "DELETE FROM note WHERE name = ?1" : "INSERT OR REPLACE INTO note VALUES (?1, ?2)"
        let row = try connection.cached(sql)
        try row.bind(1, name)
        if let text { try row.bind(2, text) }
        try row.run()
      }
    }
    if case .without = outcome { fallback.changeNote(name, change) }
  }
}
