import BitpalModel
import BitpalSQLite
import Glibc

/// A budget in an SQLite file, one row a key, changed under the file's write lock.
///
/// The first fault turns it into a budget of this process alone, for good.
struct FileBudgetStore: BudgetStore {
  private enum State {
    case unopened
    case open(SQLiteConnection)
    case broken
  }

  private struct Contents {
    var state: State = .unopened
    // What the file said last, to go on from when it breaks.
    var budget: RequestBudget
  }

  private let path: String
  private let key: String
  private let limit: RateLimit
  private let clock: BootClock
  private let trace: Trace
  private let contents: Locked<Contents>

  init(path: String, key: String, limit: RateLimit, clock: BootClock, trace: Trace) {
    self.path = path
    self.key = key
    self.limit = limit
    self.clock = clock
    self.trace = trace
    contents = Locked(Contents(budget: RequestBudget(bucket: TokenBucket(limit))))
  }

  var now: Duration { clock.now }

  func update<Result: Sendable>(_ change: (inout RequestBudget, Duration) -> Result) -> Result {
    let (result, trouble) = contents.withLock { contents -> (Result, String?) in
      do {
        if let connection = try opened(&contents) {
          return (try update(connection, &contents.budget, change), nil)
        }
        return (change(&contents.budget, clock.now), nil)
      } catch {
        contents.state = .broken
        return (change(&contents.budget, clock.now), "\(error)")
      }
    }
    if let trouble {
      trace(.cacheTrouble("\(path): \(trouble); the request budget is not shared with other processes"))
    }
    return result
  }

  private func update<Result: Sendable>(
    _ connection: SQLiteConnection, _ known: inout RequestBudget, _ change: (inout RequestBudget, Duration) -> Result
  ) throws -> Result {
    let (budget, result) = try connection.transaction(.immediate) {
      let row = BudgetRow(connection: connection, key: key, bootID: clock.bootID)
      let stored = try row.read()
      var budget = stored ?? RequestBudget(bucket: TokenBucket(limit))
      // Read under the write lock: the order of the takers is the order of their times.
      let now = clock.now
      budget.adopt(limit, at: now)
      let result = change(&budget, now)
      if budget != stored { try row.write(budget) }
      return (budget, result)
    }
    known = budget
    return result
  }

  private func opened(_ contents: inout Contents) throws -> SQLiteConnection? {
    switch contents.state {
    case .broken: return nil
    case .open(let connection): return connection
    case .unopened:
      let connection: SQLiteConnection
      do {
        connection = try BudgetRow.open(path)
      } catch let error as SQLiteError where [.notADatabase, .corrupt].contains(error.code.primary) {
        // Nothing in it is worth keeping; the next start would find it broken again.
        guard rename(path, path + ".damaged") == 0 else { throw error }
        connection = try BudgetRow.open(path)
      }
      contents.state = .open(connection)
      return connection
    }
  }
}
