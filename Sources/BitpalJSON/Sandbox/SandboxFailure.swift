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

    /// Time by the machine's clock, unless ``ReadingTime`` leaves less.
    ///
    /// A limit for safety: no answer within it depends on it.
    package let time: Duration

    /// Bytes of text that all rows together may hand out; each row counts as ``rowBytes`` more.
    package let output: Int

    package init(steps: Int, time: Duration, output: Int = 64 << 20) {
      self.steps = steps
      self.time = time
      self.output = output
    }

    /// What a row costs whoever keeps it, at the least.
    static let rowBytes = 64

    /// How much longer than the body a text of the statement may be.
    static let textRoom = 1 << 20

    /// What SQLite may hold meanwhile: the worst body, a list of zeros, takes eleven times its size when it is read.
    func memory(body count: Int) -> Int { (64 << 20) + 8 * count }

    /// The largest bodies known (17,900 coins) take about a twentieth of the steps.
    ///
    /// They take about a second; the time is for what is slow within a step, and generous because a busy machine is too.
    package static let standard = Budget(steps: 20_000_000, time: .seconds(10))
  }
}
