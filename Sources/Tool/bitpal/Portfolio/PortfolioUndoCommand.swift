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
    let message =
      (isDryRun ? "would undo" : "undid") + " " + Self.message(of: change, at: context.session.console)
    context.session.console.notice(message + (isDryRun ? " (dry run: nothing is stored)" : ":"))
    context.session.confirm(view, message)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }

  private static func message(of change: UndoneChange, at console: Console) -> String {
    func transactions(_ count: Int) -> String { count == 1 ? "a transaction" : "\(count) transactions" }
    let what =
      switch change.kind {
      case .add:
        "the recording of \(transactions(change.added.count)), which \(change.added.count == 1 ? "is" : "are") gone"
      case .replace: "an edit; the transaction is again"
      case .remove: "a removal; the transaction is back"
      case .delete: "the deletion of the portfolio; \(transactions(change.former.count)) came back"
      }
    return what + ", of " + console.style.minute(change.date)
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
