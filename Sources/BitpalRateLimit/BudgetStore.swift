package import BitpalModel
package import FoundationEssentials

/// Where requests are counted, and the failures of sources: memory, SQLite.
///
/// What every store keeps to (`Tests/BitpalRateLimitTests/BudgetStoreTests` holds each to it):
/// * A change is exclusive, between all who share the store, and kept before it returns.
/// * The time that a change is told never goes back, whatever the wall clock does.
/// * A budget is of a key; what one counts, another does not.
/// * What is remembered longer than a window has no effect: a store may forget it.
package protocol BudgetStore: Sendable {
  /// Reads, changes and keeps the budget of a key. `change` may run twice, and only the last run counts.
  ///
  /// - Parameter limits: The budgets that hold now, whatever the store has counted under others.
  /// - Throws: ``BudgetLocked`` when the budget is there and cannot be counted.
  @discardableResult
  func update<Result: Sendable>(
    _ key: String, limits: [RateLimit], _ change: (inout RequestBudget, _ now: Duration) -> Result
  ) throws(BudgetLocked) -> Result

  /// The failures of a source; nil when its last answer was good, or nothing is known.
  func failures(of source: String) -> SourceFailures?

  /// Replaces what is known of a source's failures by what `change` makes of it, with nobody between; nil stands for
  /// none.
  func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?)
}

/// Others hold the lock of the place where requests are counted for longer than could be waited.
package struct BudgetLocked: Error, Hashable {
  /// The file.
  package let path: String
}

/// The failures of a source since it last gave an answer, as all processes of the user see them.
package struct SourceFailures: Hashable, Sendable {
  /// How many there were in a row.
  package let count: Int

  /// When the last one was, by our wall clock.
  package let last: Date

  /// What the last one was.
  package let reason: String

  package init(count: Int, last: Date, reason: String) {
    self.count = count
    self.last = last
    self.reason = reason
  }
}

/// Budgets of this process alone.
package final class MemoryBudgetStore: BudgetStore {
  private struct Count {
    var budget: RequestBudget

    /// How far the budget's own clock is ahead of ours.
    var ahead: Duration = .zero
  }

  private struct Contents {
    var counts: [String: Count] = [:]
    var failures: [String: SourceFailures] = [:]
  }

  private let contents = Locked(Contents())
  private let clock: @Sendable () -> Duration

  /// - Parameter time: Whose monotonic clock the budgets are on.
  package convenience init(time: any TimeSource) {
    self.init { time.monotonic }
  }

  init(clock: @escaping @Sendable () -> Duration) {
    self.clock = clock
  }

  package func update<Result: Sendable>(
    _ key: String, limits: [RateLimit], _ change: (inout RequestBudget, Duration) -> Result
  ) -> Result {
    contents.withLock { contents in
      // In place: a copy of the log for every request would cost more than counting it.
      func apply(_ count: inout Count) -> Result {
        count.budget.adopt(limits)
        // The clock is read under the lock, so that whoever gets it first also has the earlier time.
        return change(&count.budget, clock() + count.ahead)
      }
      return apply(&contents.counts[key, default: Count(budget: RequestBudget(limits))])
    }
  }

  /// Goes on from what another store has counted.
  func keep(_ key: String, _ budget: RequestBudget, at now: Duration) {
    contents.withLock { $0.counts[key] = Count(budget: budget, ahead: now - clock()) }
  }

  package func failures(of source: String) -> SourceFailures? {
    contents.withLock { $0.failures[source] }
  }

  package func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?) {
    contents.withLock { $0.failures[source] = change($0.failures[source]) }
  }
}
