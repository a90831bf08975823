import BitpalOutput
import BitpalPortfolio

/// The `bitpal portfolio undo` command, which takes back the last change of a portfolio.
struct PortfolioUndoCommand: PortfolioCommand {
  static let name = "portfolio undo"
  static let spec = CommandSpec(
    name, "undo the last change of a portfolio", options: [.named, .dryRun],
    details: [
      "Recorded or imported transactions are removed; edited, removed or deleted ones return. Each further undo "
        + "reverts the change before, up to a hundred per portfolio. A new name or method of gains is not reverted."
    ],
    examples: [
      .init("portfolio undo --dry-run", "what would be taken back"),
      .init("portfolio undo", "the last change is undone"),
    ])

  let portfolio: String?

  /// Whether the portfolio may be missing: an undo can bring back one that was deleted.
  var creates: Bool { true }
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw["portfolio"]
    isDryRun = arguments.raw.has("dry-run")
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let change = try context.store.undo(isDryRun: isDryRun)
    let view = UndoView(
      TransactionsView(
        TransactionsOutput(
          change.former.isEmpty ? change.added : change.former, of: context.name, currency: context.currency,
          closed: isDryRun ? [:] : context.closedPositions)))
    let message = message(of: change, at: context.session.console)
    context.session.console.notice(message + (isDryRun ? " (dry run: nothing is stored)" : ":"))
    context.session.confirm(view, message)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }

  private func message(of change: UndoneChange, at console: Console) -> String {
    let count = change.kind == .add ? change.added.count : change.former.count
    let transactions = count == 1 ? "the transaction" : "its \(count) transactions"
    let are = isDryRun ? "would be" : count == 1 ? "is" : "are"
    let (what, then) =
      switch change.kind {
      case .add: ("recording", "\(transactions) \(are) removed")
      case .replace: ("edit", "\(transactions) \(are) as before")
      case .remove: ("removal", "\(transactions) \(are) back")
      case .delete: ("deletion of the portfolio", "\(transactions) \(are) back")
      }
    return "\(isDryRun ? "would undo" : "undid") the \(what) of \(console.style.minute(change.date)); \(then)"
  }
}

/// The transactions of a change that was taken back; the table shows the first ones of many.
struct UndoView: View {
  private let transactions: TransactionsView

  init(_ transactions: TransactionsView) {
    self.transactions = transactions
  }

  var output: TransactionsOutput { transactions.output }

  func table(style: Style) -> String {
    let text = transactions.table(style: style)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let most = 21
    guard lines.count > most + 2 else { return text }
    return lines.prefix(most).joined(separator: "\n") + "\n… and \(lines.count - most - 1) more\n"
  }
}
