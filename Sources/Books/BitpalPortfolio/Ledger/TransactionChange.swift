import BitpalModel
package import FoundationEssentials

/// One change of the recorded transactions.
package enum TransactionChange: Hashable, Sendable {
  /// Adds a transaction.
  case add(Transaction)

  /// Replaces the transaction of that id, which keeps its place among those of the same instant.
  case replace(Transaction)

  /// Removes the transaction of that id.
  case remove(UUID)

  /// Returns the transactions after the change; all of them are checked again.
  ///
  /// - Parameters:
  ///   - transactions: In the order in which they were recorded.
  ///   - now: The current time; a later transaction is refused.
  /// - Throws: ``PortfolioError/futureDateNotAllowed(_:now:)``, ``PortfolioError/transactionExists(_:)`` or
  ///   ``PortfolioError/transactionNotFound(_:)`` for the change itself; the errors of ``PortfolioLedger/init(_:)``;
  ///   ``PortfolioError/laterSaleUncovered(coinId:owned:attempted:date:sale:)`` when another transaction lacks coins.
  package func applied(to transactions: [Transaction], now: Date) throws(PortfolioError) -> [Transaction] {
    switch self {
    case .add(let transaction): return try Self.adding([transaction], to: transactions, now: now)
    case .replace(let transaction): return try Self.replacing([transaction], in: transactions, now: now)
    case .remove(let id):
      var changed = transactions
      changed.remove(at: try Self.place(of: id, in: transactions))
      try Self.check(changed, before: transactions, after: [id])
      return changed
    }
  }

  /// Returns the transactions with others that happened together, such as the halves of a split; they are checked as a whole.
  ///
  /// - Throws: As ``applied(to:now:)``.
  static func adding(
    _ new: [Transaction], to transactions: [Transaction], now: Date
  ) throws(PortfolioError) -> [Transaction] {
    for transaction in new {
      try check(transaction, now)
      guard !transactions.contains(where: { $0.id == transaction.id }) else { throw .transactionExists(transaction.id) }
    }
    try check(transactions + new, before: transactions, after: new.map(\.id))
    return transactions + new
  }

  /// Returns the transactions after others have replaced those of their ids.
  ///
  /// - Throws: As ``applied(to:now:)``.
  static func replacing(
    _ new: [Transaction], in transactions: [Transaction], now: Date
  ) throws(PortfolioError) -> [Transaction] {
    var changed = transactions
    for transaction in new {
      try check(transaction, now)
      changed[try place(of: transaction.id, in: transactions)] = transaction
    }
    try check(changed, before: transactions, after: new.map(\.id))
    return changed
  }

  private static func check(
    _ changed: [Transaction], before: [Transaction], after ids: [UUID]
  ) throws(PortfolioError) {
    try JoinedHalves.check(changed, before: before)
    do throws(PortfolioError) {
      _ = try PortfolioLedger(changed)
    } catch {
      guard case .insufficientBalance(let coin, let owned, let attempted, let date, let sale) = error,
        !ids.contains(sale)
      else { throw error }
      throw .laterSaleUncovered(coinId: coin, owned: owned, attempted: attempted, date: date, sale: sale)
    }
  }

  /// Refuses a transaction in a later second than now, which is most likely a typing error.
  static func check(_ transaction: Transaction, _ now: Date) throws(PortfolioError) {
    guard transaction.date.startOfSecond <= now else { throw .futureDateNotAllowed(transaction.date, now: now) }
  }

  private static func place(of id: UUID, in transactions: [Transaction]) throws(PortfolioError) -> Int {
    guard let place = transactions.firstIndex(where: { $0.id == id }) else {
      throw .transactionNotFound(id.uuidString.lowercased())
    }
    return place
  }
}
