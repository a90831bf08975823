import BitpalModel
import BitpalPortfolio

extension PortfolioContext {
  /// Shows a transaction that was changed, and says so.
  func show(_ transaction: Transaction, as change: String, isDryRun: Bool) throws {
    if session.options.format == .table {
      session.console.notice(change + (isDryRun ? " (dry run: nothing is stored)" : "") + ":")
    } else if isDryRun {
      session.console.notice("dry run: nothing is stored")
    }
    let view = TransactionsView([transaction], currency: currency)
    if isDryRun { try session.show(view) } else { session.confirm(view, change) }
  }
}
