import BitpalModel
import BitpalSQLite

/// One key's budget as a row of the file.
struct BudgetRow {
  let connection: SQLiteConnection
  let key: String
  let bootID: String

  /// The schema's version.
  static let version = 1

  /// The schema.
  ///
  /// Instants are nanoseconds of the boot clock. `refill` is `every`, `whole` or `never`, `period` its duration.
  static let migrations = SQLiteMigrations(
    applicationID: 0x6270_6C6C,
    steps: [
      """
      CREATE TABLE budget (
        key TEXT PRIMARY KEY,
        boot TEXT NOT NULL,
        capacity INTEGER NOT NULL,
        refill TEXT NOT NULL,
        period INTEGER NOT NULL,
        turn INTEGER NOT NULL,
        seen INTEGER NOT NULL,
        used INTEGER NOT NULL,
        blocked_until INTEGER NOT NULL,
        freed TEXT NOT NULL
      ) STRICT, WITHOUT ROWID
      """
    ])

  /// The row of this start of the machine; nil when there is none.
  func read() throws -> RequestBudget? {
    let statement = try connection.cached(
      """
      SELECT capacity, refill, period, turn, seen, used, blocked_until, freed
      FROM budget WHERE key = ?1 AND boot = ?2
      """)
    defer { statement.reset() }
    try statement.bind(1, key)
    try statement.bind(2, bootID)
    guard try statement.step() else { return nil }
    let period = Duration.nanoseconds(statement.integer(2))
    let refill: TokenBucket.Refill? =
      switch statement.text(1) {
      case "every": .every(period)
      case "whole": .whole(after: period)
      case "never": .never
      default: nil
      }
    guard let refill, let capacity = Int(exactly: statement.integer(0)), capacity > 0 else { return nil }
    var budget = RequestBudget(bucket: TokenBucket(capacity: capacity, refill: refill))
    budget.bucket.turn = bounded(statement.integer(3))
    budget.bucket.seen = bounded(statement.integer(4))
    budget.bucket.used = max(0, min(capacity, Int(clamping: statement.integer(5))))
    budget.blockedUntil = .nanoseconds(bounded(statement.integer(6)))
    budget.freed = (statement.text(7) ?? "").split(separator: " ").compactMap { Int64($0) }
      .map { .nanoseconds(bounded($0)) }
    return budget
  }

  /// The pauses of all rows that are not over.
  static func pauses(_ connection: SQLiteConnection, _ clock: BootClock) throws -> [BudgetFile.Pause] {
    let now = Nanoseconds.of(clock.now)
    let rows = try connection.prepare(
      "SELECT key, blocked_until FROM budget WHERE boot = ?1 AND blocked_until > ?2 ORDER BY key")
    try rows.bind(1, clock.bootID)
    try rows.bind(2, now)
    var pauses: [BudgetFile.Pause] = []
    while try rows.step() {
      let provider = (rows.text(0) ?? "").prefix { $0 != " " }
      let left = Duration.nanoseconds(rows.integer(1).subtractingReportingOverflow(now).partialValue)
      pauses.append(BudgetFile.Pause(provider: String(provider), left: min(left, RequestBudget.longestPause)))
    }
    return pauses
  }

  /// Keeps the row, and drops those of earlier starts.
  func write(_ budget: RequestBudget) throws {
    let statement = try connection.cached(
      """
      INSERT INTO budget (key, boot, capacity, refill, period, turn, seen, used, blocked_until, freed)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      ON CONFLICT (key) DO UPDATE SET boot = ?2, capacity = ?3, refill = ?4, period = ?5, turn = ?6, seen = ?7,
        used = ?8, blocked_until = ?9, freed = ?10
      """)
    let (refill, period): (String, Duration) =
      switch budget.bucket.refill {
      case .every(let interval): ("every", interval)
      case .whole(let pause): ("whole", pause)
      case .never: ("never", .zero)
      }
    try statement.bind(1, key)
    try statement.bind(2, bootID)
    try statement.bind(3, Int64(budget.bucket.capacity))
    try statement.bind(4, refill)
    try statement.bind(5, Nanoseconds.of(period))
    try statement.bind(6, budget.bucket.turn)
    try statement.bind(7, budget.bucket.seen)
    try statement.bind(8, Int64(budget.bucket.used))
    try statement.bind(9, Nanoseconds.of(budget.blockedUntil))
    try statement.bind(10, budget.freed.map { "\(Nanoseconds.of($0))" }.joined(separator: " "))
    try statement.run()
  }

  private func bounded(_ value: Int64) -> Int64 {
    max(-Nanoseconds.limit, min(Nanoseconds.limit, value))
  }
}
