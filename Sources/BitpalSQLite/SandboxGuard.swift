import BitpalModel
import CSQLite

/// Answers what SQLite asks while it compiles and runs a statement from a file: may it, and may it go on.
final class SandboxGuard {
  /// What was refused first.
  private(set) var refusal: String?

  /// Which budget ran out.
  private(set) var exhaustion: String?

  private var stepsLeft = 0
  private var deadline = ContinuousClock.now

  /// How many instructions run between two looks at the budget.
  static let stride = 1000

  /// The functions that a statement may call: none of them reads a clock, a file or chance.
  private static let functions: Set<String> = [
    "->", "->>", "abs", "avg", "char", "coalesce", "count", "dense_rank", "first_value", "format", "glob",
    "group_concat", "hex", "ifnull", "iif", "instr", "json", "json_array", "json_array_length", "json_extract",
    "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch", "json_quote", "json_remove",
    "json_replace", "json_set", "json_type", "json_valid", "lag", "last_value", "lead", "length", "like", "lower",
    "ltrim", "max", "min", "nth_value", "nullif", "printf", "rank", "replace", "round", "row_number", "rtrim", "sign",
    "substr", "substring", "sum", "total", "trim", "typeof", "unicode", "upper",
  ]

  private static let tables: Set<String> = ["json_each", "json_tree"]

  /// Forgets what was refused and starts the budget anew.
  func reset(_ budget: Sandbox.Budget) {
    refusal = nil
    exhaustion = nil
    stepsLeft = budget.steps
    deadline = .now + budget.time
  }

  /// Whether SQLite may compile an action.
  func authorize(_ action: Int32, _ first: String?, _ second: String?) -> Bool {
    let problem: String?
    switch action {
    case SQLITE_SELECT, SQLITE_RECURSIVE:
      problem = nil
    case SQLITE_READ:
      problem = Self.mayRead(table: first ?? "", column: second ?? "") ? nil : "the table \(first ?? "")"
    case SQLITE_FUNCTION:
      let name = second?.lowercased() ?? ""
      let isKnown = Self.functions.contains(name) || SandboxFunctions.names.contains(name)
      problem = isKnown ? nil : "the function \(name)"
    default:
      // What is left of a statement that begins as a SELECT: a table that SQLite would have to make first.
      problem = "a table other than json_each and json_tree"
    }
    if let problem, refusal == nil { refusal = problem.printable(limit: 80) }
    return problem == nil
  }

  /// Whether the statement may run on.
  func mayGoOn() -> Bool {
    stepsLeft -= Self.stride
    if stepsLeft <= 0 {
      exhaustion = "it takes too many steps; does a recursive query have an end?"
    } else if ContinuousClock.now > deadline {
      exhaustion = "it takes too long"
    }
    return exhaustion == nil
  }

  /// A table that is named without a column of it may be one of the statement's own (`WITH n(x) AS …`).
  private static func mayRead(table: String, column: String) -> Bool {
    let name = table.lowercased()
    return tables.contains(name) || column.isEmpty && !name.hasPrefix("sqlite_") && !name.hasPrefix("pragma_")
  }
}
