import BitpalPortfolio

/// The recording and changing of transactions.
extension PortfolioContext {
  /// Shows transactions that were changed, after a notice of the change.
  ///
  /// - Parameter change: The change in a few words.
  /// - Throws: `BitpalError` when the output of a dry run cannot be written.
  func show(_ transactions: [Transaction], as change: String, isDryRun: Bool) throws {
    if session.options.format == .table {
      session.console.notice(change + (isDryRun ? " (dry run: nothing is stored)" : "") + ":")
    } else if isDryRun {
      session.console.notice("dry run: nothing is stored")
    }
    let view = TransactionsView(transactions, of: name, currency: currency)
    if isDryRun { try session.show(view) } else { session.confirm(view, change) }
  }
}
