import BitpalModel
import CSQLite

/// Answers what SQLite asks while it compiles and runs a statement from a file: may it, and may it go on.
final class SandboxGuard {
  /// What was refused first.
  private(set) var refusal: String?

  /// Which budget ran out.
  private(set) var exhaustion: String?

  /// Whether a number had more digits than fit.
  var hasRounded = false

  /// How texts write numbers in what runs; nil for JSON's way.
  var marks: NumberMarks?

  /// Whether there is a table of the rows of a sheet beside JSON's.
  var hasSheet = false

  /// Whether what is compiled is ours, and not a file's.
  var isOff = false

  private let bound = ReadingBound()
  private var budget = Sandbox.Budget.standard
  private var stepsLeft = 0
  private var bytesLeft = 0

  /// How many instructions run between two looks at the budget.
  static let stride = 100

  /// The functions that a statement may call: none of them reads a clock, a file or chance.
  ///
  /// Those that change JSON are not among them: `json_patch` compares each key with each, and `json_set` calls itself once
  /// for each step of a path, until there is no stack left.
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
  /// Each name of a common table expression is compiled anew, so that 20 lines which name the line before twice are a
  /// million of them, and ten seconds.
  func beginCompiling() {
    refusal = nil
    exhaustion = nil
    bound.start(bytes: Self.compilingBytes, time: Self.compilingTime)
  }

  /// A hundred times what the longest of the files we ship takes, and a thousand times.
  private static let compilingBytes = 16 << 20
  private static let compilingTime = Duration.seconds(5)

  /// Whether SQLite may compile an action.
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
      // What is left of a statement that begins as a SELECT: a table that SQLite would have to make first.
      problem = hasSheet ? "a table other than \(SheetQuery.table)" : "a table other than json_each and json_tree"
    }
    if let problem, refusal == nil { refusal = problem.printable(limit: 80) }
    return problem == nil
  }

  /// A table that is named without a column of it may be one of the statement's own (`WITH n(x) AS …`).
  private func mayRead(table: String, column: String) -> Bool {
    let name = table.lowercased()
    return Self.tables.contains(name) || hasSheet && name == SheetQuery.table
      || column.isEmpty && !name.hasPrefix("sqlite_") && !name.hasPrefix("pragma_")
  }

  // MARK: Running

  /// Begins a run over a body of `count` bytes; ``end()`` must follow on the same thread.
  func beginRun(_ budget: Sandbox.Budget, body count: Int) {
    exhaustion = nil
    hasRounded = false
    self.budget = budget
    stepsLeft = budget.steps
    bytesLeft = budget.output
    bound.start(bytes: budget.memory(body: count), time: min(budget.time, ReadingTime.left ?? budget.time))
  }

  /// Lifts the bounds.
  func end() {
    bound.stop()
  }

  /// Whether the statement may run on.
  func mayGoOn() -> Bool {
    stepsLeft -= Self.stride
    if stepsLeft <= 0 {
      exhaustion = "it takes too many steps; does a recursive query have an end?"
    } else {
      checkTime()
    }
    return exhaustion == nil
  }

  /// Whether there is time for a function of ours, which may be long.
  func checkTime() {
    if exhaustion == nil, bound.isOverTime { exhaustion = "it takes too long" }
  }

  /// Ends the run for the sake of one call that would take too long.
  func refuse(_ words: String) {
    exhaustion = exhaustion ?? words
  }

  /// Counts what a row hands out, `bytes` of text and the row itself.
  func countOutput(_ bytes: Int) {
    bytesLeft -= bytes
    if bytesLeft < 0, exhaustion == nil { exhaustion = "it gives more than \(budget.output >> 20) MiB" }
  }

  /// Which budget ran out, memory and time within SQLite's own functions included; nil when none did.
  var overrun: String? {
    if let exhaustion { return exhaustion }
    switch bound.refusal {
    case .memory?: return "it needs too much memory"
    case .time?: return "it takes too long"
    case nil: return nil
    }
  }
}
