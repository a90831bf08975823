import BitpalJSON
package import BitpalPortfolio
import FoundationEssentials

/// The shape `bitpal.transactions/1`: transactions, in the order in which they took effect.
package struct TransactionsOutput: FieldShape {
  package let transactions: [Transaction]

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  package init(_ transactions: [Transaction], of portfolio: PortfolioName, currency: String) {
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

  package static let rowFields: Fields<(transaction: Transaction, currency: String)> = [
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
  ]

  package var rowSubjects: [(transaction: Transaction, currency: String)] { transactions.map { ($0, currency) } }
}
