import BitpalModel

/// A budget of this process alone.
struct MemoryBudgetStore: BudgetStore {
  private let budget: Locked<RequestBudget>
  private let time: any TimeSource

  init(limit: RateLimit, time: any TimeSource) {
    budget = Locked(RequestBudget(bucket: TokenBucket(limit)))
    self.time = time
  }

  var now: Duration { time.monotonic }

  func update<Result: Sendable>(_ change: (inout RequestBudget, Duration) -> Result) -> Result {
    // The clock is read under the lock, so that whoever gets it first also has the earlier time.
    budget.withLock { change(&$0, time.monotonic) }
  }
}
