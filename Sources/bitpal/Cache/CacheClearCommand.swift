import BitpalCache
import BitpalConfig
import BitpalOutput
import BitpalRateLimit
import BitpalService

/// What `bitpal cache clear` does.
struct CacheClearCommand: Command {
  static let name = "cache clear"
  static let spec = CommandSpec(
    name, "forget every answer; settings and data stay",
    options: [
      OptionSpec(.budgets, help: "forget instead how many requests were made, and the pauses sources asked for")
    ],
    details: [
      "A source that answers 429 is left alone for as long as it asks, at most an hour, by every process. --budgets "
        + "ends that, and lets the next request go at once."
    ],
    examples: [
      .init("cache clear", "says how many answers were removed"),
      .init("cache clear --budgets", "ask again before a pause is over"),
    ])

  private let isAboutBudgets: Bool

  init(_ arguments: Invocation.Arguments) {
    isAboutBudgets = arguments.raw.has(.budgets)
  }

  func run(_ session: Session) throws -> ExitStatus {
    // Budgets are kept apart from answers: forgetting these must not let anybody ask sooner than a source allows.
    let (count, noun) =
      if isAboutBudgets {
        (try BudgetFile(path: session.environment.budgetFile).clear(), "request budget")
      } else {
        (session.assembly(try session.settings()).cache().removeAll(), "answer")
      }
    session.confirm(
      FactView(
        "removed \(count) \(noun)\(count == 1 ? "" : "s")", .cacheCleared(count)))
    return .answered
  }
}
