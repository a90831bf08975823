import BitpalModel

/// The order of an exchange to which transactions of one coin and type belong.
///
/// An import names it in the notes: `all of order ID`, or for a part `fill of order ID`.
package struct ImportedOrder: Hashable {
  private let coinId: String
  private let type: TransactionType
  private let id: Substring

  /// Finds the order of a transaction; nil where its notes name none.
  init?(_ transaction: Transaction) {
    guard let notes = transaction.notes, let name = Self.names.first(where: notes.hasPrefix) else { return nil }
    (coinId, type, id) = (transaction.coinId, transaction.type, notes.dropFirst(name.count))
  }

  /// Returns the first new row of an order that is recorded in another form or with another amount, as where the order was open when
  /// an older file was exported, with what is recorded; nil for none.
  package static func contradiction(
    of rows: [ImportedTransaction], in recorded: [Transaction]
  ) -> (row: ImportedTransaction, stored: Transaction)? {
    let known = Dictionary(recorded.compactMap { one in ImportedOrder(one).map { ($0, one) } }) { first, _ in first }
    if known.isEmpty { return nil }
    for row in TransactionStore.new(rows, beside: recorded, Set(recorded.map(\.id))) where !row.hasOwnID {
      guard let order = ImportedOrder(row.transaction), let stored = known[order] else { continue }
      if !order.isFill(row.transaction) || !order.isFill(stored) { return (row, stored) }
    }
    return nil
  }

  private static let names = ["all of order ", "fill of order "]

  /// Returns whether a transaction of the order is a part of it.
  func isFill(_ transaction: Transaction) -> Bool { transaction.notes?.hasPrefix(Self.names[1]) == true }
}
