import BitpalJSON
package import BitpalPortfolio
package import FoundationEssentials

/// The shape `bitpal.transactions/1`: transactions, in the order in which they took effect.
package struct TransactionsOutput: FieldShape {
  package let transactions: [Transaction]

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName
  private let closed: [UUID: UUID]

  /// Creates the shape.
  ///
  /// - Parameter closed: The ids of closed positions by the ids of their transactions.
  package init(
    _ transactions: [Transaction], of portfolio: PortfolioName, currency: String, closed: [UUID: UUID] = [:]
  ) {
    self.closed = closed
    self.transactions = transactions
    self.portfolio = portfolio
    self.currency = currency
  }

  package static let shape = Shape<Self>(
    "bitpal.transactions/1", "Transactions, in the order in which they took effect.",
    [
      Field("portfolio", .portfolioName) { $0.portfolio.text },
      Field("currency", .currency) { $0.currency },
      .list("transactions", "One for each.", rowFields) { $0.rowSubjects },
    ])

  package static let rowFields: Fields<(transaction: Transaction, currency: String, closed: UUID?)> = [
    Field("id", .text("The id by which it is edited and removed.")) { $0.transaction.id.uuidString.lowercased() },
    .coin("coin", "The id of the coin.") { $0.transaction.coinId },
    Field("type", .word(TransactionType.allCases.map(\.rawValue), "The change.")) { $0.transaction.type.rawValue },
    Field("amount", .decimal("The number of coins.")) { $0.transaction.amount },
    Field("price", .decimal("The price of one coin; null for coins sent without a value.")) {
      $0.transaction.pricePerCoin
    },
    Field("fee", .decimal("The fees paid.")) { $0.transaction.fee },
    Field("date", .instant("The time of the transaction.")) { $0.transaction.date },
    Field("notes", .text("The note.")) { $0.transaction.notes },
    Field("currency", .currency) { $0.currency },
    Field("label", .word(TransactionLabel.allCases.map(\.rawValue), "The type of the transaction.")) {
      $0.transaction.label?.rawValue
    },
    Field("group", .text("The same for those that happened together.")) { $0.transaction.group },
    Field(
      "total",
      .decimal(
        "The price of all coins, where the price of one is that divided by the amount and rounded; otherwise null.")
    ) { $0.transaction.total },
    Field(
      "closed_position",
      .text("The id of the closed position to which it belongs; null in an open one, and in a trial run.")
    ) {
      $0.closed?.uuidString.lowercased()
    },
  ]

  package var rowSubjects: [(transaction: Transaction, currency: String, closed: UUID?)] {
    transactions.map { ($0, currency, closed[$0.id]) }
  }
}
