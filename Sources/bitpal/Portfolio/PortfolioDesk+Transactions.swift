import BitpalModel
import BitpalPortfolio

extension PortfolioDesk {
  /// Shows a transaction that was changed, and says so.
  func show(_ transaction: Transaction, as deed: String, isDryRun: Bool) throws {
    if session.options.format == .table {
      session.console.notice(deed + (isDryRun ? " (dry run: nothing is stored)" : "") + ":")
    } else if isDryRun {
      session.console.notice("dry run: nothing is stored")
    }
    let view = TransactionsView([transaction], currency: currency)
    if isDryRun { try session.show(view) } else { session.confirm(view, deed) }
  }
}
