import BitpalOutput
import BitpalPortfolio
import FoundationEssentials

/// The recording and changing of transactions.
extension PortfolioContext {
  /// The ids of closed positions by the ids of their transactions; empty where the transactions cannot be booked.
  var closedPositions: [UUID: UUID] {
    (try? PortfolioLedger.closedPositions(of: store.transactions())) ?? [:]
  }

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
    // A trial run changes nothing that is stored, so its rows belong to no closed position yet.
    let view = TransactionsView(
      TransactionsOutput(transactions, of: name, currency: currency, closed: isDryRun ? [:] : closedPositions))
    if isDryRun { try session.show(view) } else { session.confirm(view, change) }
  }
}
