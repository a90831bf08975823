import BitpalCache
import BitpalConfig
import BitpalJSON
import BitpalOutput
import BitpalRateLimit
import BitpalService

/// What `bitpal cache clear` does.
struct CacheClearCommand: Command {
  private let isAboutBudgets: Bool

  init(_ arguments: Invocation.Arguments) {
    isAboutBudgets = arguments.raw.has(.budgets)
  }

  func run(_ session: Session) throws -> ExitStatus {
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
