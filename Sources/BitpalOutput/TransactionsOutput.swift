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

extension FactsOutput {
  static let transactionsImport = Shape<(imported: Int, known: Int)>(
    "bitpal.import/1", "The result of importing the transactions of a file.",
    [
      Field("imported", .count("The number that was added.")) { $0.imported },
      Field("known", .count("The number that was there already.")) { $0.known },
    ])

  /// Returns the shape `bitpal.import/1`: the numbers of added and of already known transactions of a file.
  package static func transactionsImported(_ imported: Int, known: Int) -> FactsOutput {
    FactsOutput(transactionsImport, (imported, known))
  }

  static let backup = Shape<String>(
    "bitpal.backup/1", "That all portfolios and the watchlist were copied.",
    [Field("file", .text("The path of the copy.")) { $0 }])

  /// Returns the shape `bitpal.backup/1`: the path of the copy of all portfolios and the watchlist.
  package static func backedUp(to file: String) -> FactsOutput { FactsOutput(backup, file) }

  static let restore = Shape<(file: String, previous: String?)>(
    "bitpal.restore/1", "That all portfolios and the watchlist were brought back.",
    [
      Field("file", .text("The path of the backup.")) { $0.file },
      Field("previous", .text("The path of the kept copy of the former data; null when there was none.")) {
        $0.previous
      },
    ])

  /// Returns the shape `bitpal.restore/1`: the restored copy.
  ///
  /// - Parameter previous: The path of a copy of the replaced data; nil when there was none.
  package static func restored(from file: String, previous: String?) -> FactsOutput {
    FactsOutput(restore, (file, previous))
  }
}
