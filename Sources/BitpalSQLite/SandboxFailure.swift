extension Sandbox {
  /// Why a statement from a file gives no rows.
  package enum Failure: Error, Hashable, Sendable {
    /// The SQL cannot be compiled; `offset` is the byte at which it is wrong, where SQLite knows.
    case syntax(String, offset: Int?)

    /// The SQL does something other than reading JSON.
    case forbidden(String, offset: Int?)

    /// The body is not JSON; the start of what it is instead.
    case notJSON(start: String)

    /// The statement ran past its budget.
    case overBudget(String)

    /// The statement failed while it ran, in SQLite's words.
    case failed(String)
  }

  /// What a statement may cost.
  package struct Budget: Hashable, Sendable {
    /// Instructions of SQLite's virtual machine.
    package let steps: Int

    /// Time by the machine's clock.
    ///
    /// A limit for safety: no answer within it depends on it.
    package let time: Duration

    package init(steps: Int, time: Duration) {
      self.steps = steps
      self.time = time
    }

    /// The largest bodies known (17,900 coins) take about a twentieth of the steps.
    ///
    /// They take about a second; the time is for what is slow within a step, and generous because a busy machine is too.
    package static let standard = Budget(steps: 20_000_000, time: .seconds(10))
  }
}
