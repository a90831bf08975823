package import BitpalModel
package import FoundationEssentials

/// Where requests are counted, and the failures of sources: memory, SQLite, Redis.
///
/// What every store keeps to (`Tests/BitpalRateLimitTests/BudgetStoreTests` holds each to it):
/// * A change is exclusive, between all who share the store, and kept before it returns.
/// * The time that a change is told never goes back, whatever the wall clock does.
/// * A budget is of a key; what one counts, another does not.
/// * What is remembered longer than a window has no effect: a store may forget it.
package protocol BudgetStore: Sendable {
  /// How long an answer of it may take: who waits for a place asks so much earlier whether it may be used.
  var distance: Duration { get }

  /// Reads, changes and keeps the budget of a key.
  ///
  /// - Parameter limits: The budgets that hold now, whatever the store has counted under others.
  /// - Throws: ``BudgetTrouble`` when the budget is there and cannot be counted.
  @discardableResult
  func apply(_ change: BudgetChange, to key: String, limits: [RateLimit]) throws(BudgetTrouble) -> BudgetReply

  /// The failures of a source; nil when its last answer was good, or nothing is known.
  func failures(of source: String) -> SourceFailures?

  /// Replaces what is known of a source's failures by what `change` makes of it, with nobody between; nil stands for
  /// none.
  func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?)
}

extension BudgetStore {
  package var distance: Duration { .zero }
}

/// What can be done with a budget.
package enum BudgetChange: Hashable, Sendable {
  /// Book the next place for one request, if it is not further away than that; nil for any.
  case take(patience: Duration?)

  /// See whether a place that was booked may be used, now or so soon; one that is void is given back.
  case confirm(Duration, within: Duration)

  /// Give a place back that was not used.
  case giveBack(Duration)

  /// Count a request that goes, whether or not there is room for it.
  case count

  /// Let nothing go for that long.
  case block(Duration)
}

/// What a change of a budget has come to, and when, on the budget's own clock.
package struct BudgetReply: Hashable, Sendable {
  /// What it has come to.
  package enum Result: Hashable, Sendable {
    /// Of ``BudgetChange/take(patience:)``.
    case decision(RequestBudget.Decision)

    /// Of ``BudgetChange/confirm(_:within:)``; nil when it is too early for the place.
    case isUsable(Bool?)

    /// Of the others.
    case done
  }

  /// What it has come to.
  package let result: Result

  /// The time of the change.
  package let now: Duration

  package init(_ result: Result, at now: Duration) {
    self.result = result
    self.now = now
  }
}

extension RequestBudget {
  /// Makes a change, as every store must have it made.
  package mutating func apply(_ change: BudgetChange, at now: Duration) -> BudgetReply {
    switch change {
    case .take(let patience): return BudgetReply(.decision(take(at: now, patience: patience)), at: now)
    case .confirm(let place, let distance):
      guard now >= place - distance else { return BudgetReply(.isUsable(nil), at: now) }
      let isUsable = isUsable(place, at: now)
      if !isUsable { giveBack(place) }
      return BudgetReply(.isUsable(isUsable), at: now)
    case .giveBack(let place): giveBack(place)
    case .count: count(at: now)
    case .block(let pause): block(for: pause, at: now)
    }
    return BudgetReply(.done, at: now)
  }
}

/// Why a budget that is there cannot be counted.
package enum BudgetTrouble: Error, Hashable {
  /// Others hold the file where requests are counted for longer than could be waited.
  case locked(path: String)

  /// The place cannot be reached.
  case away

  /// Not everything is counted there that has gone: for a while each machine keeps to its share.
  case incomplete
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

  package func apply(_ change: BudgetChange, to key: String, limits: [RateLimit]) -> BudgetReply {
    update(key, limits: limits) { budget, now in budget.apply(change, at: now) }
  }

  func update<Result: Sendable>(
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
