import BitpalModel

/// Where a budget is kept.
///
/// A change is exclusive; the time it is told never goes back.
protocol BudgetStore: Sendable {
  /// The clock that the budget's instants are on.
  var now: Duration { get }

  /// Reads, changes and keeps the budget. `change` may run twice, and only the last run counts.
  ///
  /// - Throws: ``BudgetLocked`` when the budget is there and cannot be counted.
  @discardableResult
  func update<Result: Sendable>(
    _ change: (inout RequestBudget, _ now: Duration) -> Result
  ) throws(BudgetLocked) -> Result
}
