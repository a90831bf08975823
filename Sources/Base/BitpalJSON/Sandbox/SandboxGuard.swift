import BitpalModel
import CSQLite
import Glibc

/// A guard that decides for SQLite what a statement from a file may use, and whether it may continue.
final class SandboxGuard {
  /// The first action that was refused; nil when none was.
  private(set) var refusal: String?

  /// The budget that ran out, as a message; nil when none did.
  private(set) var exhaustion: String?

  /// Whether a number had more digits than fit, and was rounded.
  var hasRounded = false

  /// The number format of the texts in the body; nil for JSON's format.
  var marks: NumberMarks?

  /// Whether there is a table of the rows of a sheet in addition to JSON's tables.
  var hasSheet = false

  /// The columns of that table which the statement that was compiled last reads, in lower case.
  private(set) var columnsRead: Set<String> = []

  /// Whether our own SQL is compiled, and not that of a file.
  var isOff = false

  /// The body of the run, which has been read; empty between runs.
  private var body = UnsafeBufferPointer<UInt8>(start: nil, count: 0)

  /// The text outside of the body that was read last, and the last paths: each field of a row asks for the same text.
  private var lastText: [UInt8] = []
  private var paths: [(text: [UInt8], steps: JSONSteps)] = []

  private let bound = ReadingBound()
  private var budget = Sandbox.Budget.standard
  private var stepsLeft = 0
  private var bytesLeft = 0

  /// The number of instructions between two checks of the budget.
  static let stride = 100

  /// The functions that a statement may call: none of them depends on a clock, a file or random numbers.
  ///
  /// Those that change JSON are not among them: `json_patch` compares each key with each, and `json_set` recurses once
  /// per step of a path, until the stack is exhausted.
  private static let functions: Set<String> = [
    "->", "->>", "abs", "avg", "char", "coalesce", "count", "dense_rank", "first_value", "format", "glob",
    "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_extract",
    "json_group_array", "json_group_object", "json_object", "json_quote", "json_type", "json_valid", "lag",
    "last_value", "lead", "length", "like", "lower", "ltrim", "max", "min", "nth_value", "nullif", "printf", "rank",
    "replace", "round", "row_number", "rtrim", "sign", "substr", "substring", "sum", "total", "trim", "typeof",
    "unicode", "upper",
  ]

  private static let tables: Set<String> = ["json_each", "json_tree"]

  // MARK: Compiling

  /// Begins to compile; ``end()`` must follow on the same thread.
  ///
  /// Each mention of a common table expression is compiled again. So 20 expressions that mention the one before twice
  /// become a million of them, and take ten seconds.
  func beginCompiling() {
    refusal = nil
    columnsRead = []
    exhaustion = nil
    bound.start(bytes: Self.compilingBytes, time: Self.compilingTime)
  }

  /// The memory and time for compiling: a hundred and a thousand times what the longest of our files takes.
  private static let compilingBytes = 16 << 20
  private static let compilingTime = Duration.seconds(5)

  /// Returns whether SQLite may compile an action.
  func authorize(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    if isOff { return true }
    var problem: String?
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE:
      break
    case SQLITE_READ:
      if !mayRead(table: first ?? "", column: second ?? "") { problem = "the table \(first ?? "")" }
    case SQLITE_FUNCTION:
      let name = second?.lowercased() ?? ""
      let isKnown = Self.functions.contains(name) || SandboxFunctions.names.contains(name)
      if !isKnown { problem = "the function \(name)" }
    default:
      // A statement that begins as a SELECT can only cause such an action by a table that SQLite would have to create
      // first.
      problem = hasSheet ? "a table other than \(SheetTable.name)" : "a table other than json_each and json_tree"
    }
    if let problem, refusal == nil { refusal = problem.printable(limit: 80) }
    return problem == nil
  }

  /// Returns whether a statement may read a table; one that is mentioned without a column may be its own (`WITH n(x) AS
  /// …`).
  private func mayRead(table: String, column: String) -> Bool {
    let name = table.lowercased()
    if hasSheet, name == SheetTable.name { columnsRead.insert(column.lowercased()) }
    return Self.tables.contains(name) || hasSheet && name == SheetTable.name
      || column.isEmpty && !name.hasPrefix("sqlite_") && !name.hasPrefix("pragma_")
  }

  // MARK: Running

  /// Begins a run over a body of `count` bytes, or tables of them; ``end()`` must follow on the same thread.
  func beginRun(_ budget: Sandbox.Budget, body count: Int, _ body: UnsafeBufferPointer<UInt8>? = nil) {
    self.body = body ?? UnsafeBufferPointer(start: nil, count: 0)
    exhaustion = nil
    hasRounded = false
    self.budget = budget
    stepsLeft = budget.steps
    bytesLeft = budget.output
    bound.start(bytes: budget.memory(body: count), time: min(budget.time, ReadingTime.left ?? budget.time))
  }

  /// Removes the bounds.
  func end() {
    body = UnsafeBufferPointer(start: nil, count: 0)
    bound.stop()
  }

  /// Returns whether a text may be read as JSON: it is the body, or ``StrictJSON`` reads it.
  func mayRead(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if isBody(text) { return true }
    if text.count <= Self.longestKept, lastText.withUnsafeBufferPointer(text.isEqual) { return true }
    guard StrictJSON.isCanonical(text) else { return false }
    if text.count <= Self.longestKept { lastText = Array(text) }
    return true
  }

  /// Returns whether a text is the body of the run itself.
  func isBody(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    text.baseAddress != nil && text.baseAddress == body.baseAddress && text.count == body.count
  }

  private static let longestKept = 64 << 10

  /// Returns the steps of a path, which are read once.
  func steps(of path: UnsafeBufferPointer<UInt8>, _ read: () -> JSONSteps?) -> JSONSteps? {
    for known in paths where known.text.withUnsafeBufferPointer(path.isEqual) { return known.steps }
    guard let steps = read() else { return nil }
    if paths.count >= 32 { paths.removeAll() }
    paths.append((Array(path), steps))
    return steps
  }

  /// Returns whether the statement may continue; counts the steps since the last call.
  func mayGoOn() -> Bool {
    stepsLeft -= Self.stride
    if stepsLeft <= 0 {
      exhaustion = "it takes too many steps; does a recursive query have an end?"
    } else {
      checkTime()
    }
    return exhaustion == nil
  }

  /// Checks the time before an SQL function of ours, which may take long.
  func checkTime() {
    if exhaustion == nil, bound.isOverTime { exhaustion = "it takes too long" }
  }

  /// Ends the run because of one call that would take too long.
  func refuse(_ message: String) {
    exhaustion = exhaustion ?? message
  }

  /// Counts the output of a row: `bytes` of text, or the row itself.
  func countOutput(_ bytes: Int) {
    bytesLeft -= bytes
    if bytesLeft < 0, exhaustion == nil { exhaustion = "it gives more than \(budget.output >> 20) MiB" }
  }

  /// The budget that ran out, including memory and time within SQLite's own functions; nil when none did.
  var overrun: String? {
    if let exhaustion { return exhaustion }
    switch bound.refusal {
    case .memory?: return "it needs too much memory"
    case .time?: return "it takes too long"
    case nil: return nil
    }
  }
}
