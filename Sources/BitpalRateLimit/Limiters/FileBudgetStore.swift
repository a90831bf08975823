import BitpalModel

/// A budget in the file that all processes share, one row a key; where there is no file to be had, in this process.
struct FileBudgetStore: BudgetStore {
  private let file: BudgetFile
  private let key: String
  private let limit: RateLimit
  private let clock: BootClock

  // What the file said last, to go on from when it breaks.
  private let known: Locked<RequestBudget>

  init(file: BudgetFile, key: String, limit: RateLimit, clock: BootClock) {
    self.file = file
    self.key = key
    self.limit = limit
    self.clock = clock
    known = Locked(RequestBudget(bucket: TokenBucket(limit)))
  }

  var now: Duration { clock.now }

  func update<Result: Sendable>(
    _ change: (inout RequestBudget, Duration) -> Result
  ) throws(BudgetLocked) -> Result {
    try known.withLock { known throws(BudgetLocked) in
      let shared = try file.write { connection in
        let row = BudgetRow(connection: connection, key: key, bootID: clock.bootID)
        let stored = try row.read()
        var budget = stored ?? RequestBudget(bucket: TokenBucket(limit))
        // Read under the write lock: the order of the takers is the order of their times.
        let now = clock.now
        budget.settle(at: now)
        budget.adopt(limit, at: now)
        let result = change(&budget, now)
        if budget != stored { try row.write(budget) }
        return (budget, result)
      }
      guard let (budget, result) = shared else { return change(&known, clock.now) }
      known = budget
      return result
    }
  }
}
