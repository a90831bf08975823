package import BitpalModel

/// A store of budgets and of the failures of sources: in memory, in SQLite, in Redis.
///
/// Every store follows these rules (`Tests/BitpalRateLimitTests/BudgetStoreTests` checks each of them):
/// * A change is exclusive between all users of the store, and stored before it returns.
/// * The time of a change never goes back, whatever the wall clock does.
/// * A budget belongs to a key; keys do not share tokens.
/// * State older than a window has no effect: a store may remove it.
///
/// ```swift
/// let reply = try store.apply(.take(), to: "coingecko", limits: [.perMinute(5)])
/// if case .refused(let refusal) = reply.outcome, let earliest = refusal.earliest {
///   wait = earliest - reply.now
/// }
/// ```
package protocol BudgetStore: Sendable {
  /// The time that a request to a store on another machine takes; zero on this machine.
  var latency: Duration { get }

  /// Reads, changes and stores the budget of a key.
  ///
  /// - Parameter limits: The limits in force, whatever limits the store has counted under before.
  /// - Throws: ``BudgetStoreError`` when the store cannot count now.
  @discardableResult
  func apply(_ change: BudgetChange, to key: String, limits: [RateLimit]) throws(BudgetStoreError) -> BudgetReply

  /// Returns the note with a name; nil when there is none or it cannot be read.
  func note(_ name: String) -> String?

  /// Replaces a note in one exclusive step; nil means no note.
  ///
  /// `change` may run twice, and does not run while other processes hold the store.
  func changeNote(_ name: String, _ change: (String?) -> String?)
}

extension BudgetStore {
  package var latency: Duration { .zero }

  /// Returns the failures of a source that are remembered; nil for none.
  package func failures(of source: String) -> SourceFailures? {
    note("failures of \(source)").flatMap { SourceFailures(text: $0) }
  }

  /// Replaces the failures of a source in one exclusive step; nil means no failures.
  package func changeFailures(of source: String, _ change: (SourceFailures?) -> SourceFailures?) {
    changeNote("failures of \(source)") { change($0.flatMap { SourceFailures(text: $0) })?.text }
  }
}

/// A change of a budget.
package enum BudgetChange: Hashable, Sendable {
  /// Takes tokens: see ``RequestBudget/take(_:at:within:patience:hasWaited:)``.
  case take(Int = 1, within: Duration = .zero, patience: Duration? = .zero, hasWaited: Bool = false)

  /// Returns tokens with a stamp, whose request never left.
  case giveBack(Duration, count: Int = 1)

  /// Holds all requests for a pause.
  case block(Duration)
}

/// The result of a change of a budget.
package struct BudgetReply: Hashable, Sendable {
  /// The outcome of a take; nil for other changes.
  package let outcome: RequestBudget.Outcome?

  /// The time of the change on the budget's own clock.
  package let now: Duration

  /// The longest time that has passed since ``now``; zero for a store on this machine.
  package let age: Duration

  package init(_ outcome: RequestBudget.Outcome?, at now: Duration, age: Duration = .zero) {
    (self.outcome, self.now, self.age) = (outcome, now, age)
  }
}

extension RequestBudget {
  /// Applies a change, by the rule of every store.
  package mutating func apply(_ change: BudgetChange, at now: Duration) -> BudgetReply {
    switch change {
    case .take(let count, let margin, let patience, let hasWaited):
      let outcome = take(count, at: now, within: margin, patience: patience, hasWaited: hasWaited)
      return BudgetReply(outcome, at: now)
    case .giveBack(let stamp, let count): giveBack(stamp, count: count)
    case .block(let pause): block(for: pause, at: now)
    }
    return BudgetReply(nil, at: now)
  }
}

/// The reason why a store cannot count.
package enum BudgetStoreError: Error, Hashable {
  /// Other processes hold the file for longer than the caller could wait.
  case locked(path: String)

  /// The server of a fleet cannot be reached.
  case unreachable
}

/// A store of budgets for this process alone.
package final class MemoryBudgetStore: BudgetStore {
  private struct Count {
    var budget: RequestBudget

    /// The time by which the budget's own clock is ahead of ours.
    var ahead: Duration = .zero
  }

  private struct Contents {
    var counts: [String: Count] = [:]
    var notes: [String: String] = [:]
  }

  private let contents = Locked(Contents())
  private let clock: @Sendable () -> Duration

  /// Creates an empty store.
  ///
  /// - Parameter time: The source of the monotonic clock.
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
        // The clock is read under the lock, so that the order of takes is the order of their times.
        return change(&count.budget, clock() + count.ahead)
      }
      return apply(&contents.counts[key, default: Count(budget: RequestBudget(limits))])
    }
  }

  /// Continues a budget from the count of another store.
  func keep(_ key: String, _ budget: RequestBudget, at now: Duration) {
    contents.withLock { $0.counts[key] = Count(budget: budget, ahead: now - clock()) }
  }

  package func note(_ name: String) -> String? {
    contents.withLock { $0.notes[name] }
  }

  package func changeNote(_ name: String, _ change: (String?) -> String?) {
    contents.withLock { $0.notes[name] = change($0.notes[name]) }
  }
}
