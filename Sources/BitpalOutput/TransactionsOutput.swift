package import BitpalJSON
package import BitpalPortfolio
import FoundationEssentials

/// The shape `bitpal.transactions/1`: transactions, in the order in which they took effect.
package struct TransactionsOutput: OutputShape {
  package let transactions: [Transaction]

  /// The currency, lower case.
  package let currency: String
  package let portfolio: PortfolioName

  package init(_ transactions: [Transaction], of portfolio: PortfolioName, currency: String) {
    self.transactions = transactions
    self.portfolio = portfolio
    self.currency = currency
  }

  package let schema = OutputSchema.transactions

  package var columns: [String] {
    ["id", "coin", "type", "amount", "price", "fee", "date", "notes", "currency", "label", "group", "total"]
  }

  package var rows: [JSONObject] {
    transactions.map { transaction in
      [
        "id": .string(transaction.id.uuidString.lowercased()), "coin": .coin(transaction.coinId),
        "type": .string(transaction.type.rawValue), "amount": JSONValue(transaction.amount),
        "price": JSONValue(transaction.pricePerCoin), "fee": JSONValue(transaction.fee),
        "date": JSONValue(transaction.date), "notes": JSONValue(transaction.notes),
        "currency": .string(currency), "label": JSONValue(transaction.label?.rawValue),
        "group": JSONValue(transaction.group), "total": JSONValue(transaction.total),
      ]
    }
  }

  package var members: JSONObject {
    ["portfolio": .string(portfolio.text), "currency": .string(currency), "transactions": rowsValue]
  }
}

extension FactsOutput {
  /// Returns the shape `bitpal.import/1`: the numbers of added and of already known transactions of a file.
  package static func transactionsImported(_ imported: Int, known: Int) -> FactsOutput {
    FactsOutput(.transactionsImport, ["imported": .integer(imported), "known": .integer(known)])
  }

  /// Returns the shape `bitpal.backup/1`: the path of the copy of all portfolios and the watchlist.
  package static func backedUp(to file: String) -> FactsOutput {
    FactsOutput(.backup, ["file": .string(file)])
  }

  /// Returns the shape `bitpal.restore/1`: the restored copy.
  ///
  /// - Parameter previous: The path of a copy of the replaced data; nil when there was none.
  package static func restored(from file: String, previous: String?) -> FactsOutput {
    FactsOutput(.restore, ["file": .string(file), "previous": JSONValue(previous)])
  }
}

extension OutputSchema {
  static let transactions = OutputSchema(
    "bitpal.transactions/1", "Transactions, in the order in which they took effect.", transactionMembers)

  /// The members of an answer about transactions.
  static let transactionMembers: SchemaMembers =
    [
      "portfolio": .portfolioName, "currency": .currency,
      "transactions": .list(
        .object([
          "id": .text("The id by which it is edited and removed."), "coin": .text("The id of the coin."),
          "type": .word(TransactionType.allCases.map(\.rawValue), "The change."),
          "amount": .decimal("The number of coins."),
          "price": .decimal("The price of one coin; null for coins sent without a value.").orNull,
          "fee": .decimal("The fees paid."), "date": .instant("The time of the transaction."),
          "notes": .text("The note.").orNull, "currency": .currency,
          "label": .word(TransactionLabel.allCases.map(\.rawValue), "The type of the transaction.").orNull,
          "group": .text("The same for those that happened together.").orNull,
          "total": .decimal(
            "The price of all coins, where the price of one is that divided by the amount and rounded; otherwise null."
          )
          .orNull,
        ]), "One for each."),
    ]

  static let transactionsImport = OutputSchema(
    "bitpal.import/1", "The result of importing the transactions of a file.",
    ["imported": .count("The number that was added."), "known": .count("The number that was there already.")])

  static let backup = OutputSchema(
    "bitpal.backup/1", "That all portfolios and the watchlist were copied.",
    ["file": .text("The path of the copy.")])

  static let restore = OutputSchema(
    "bitpal.restore/1", "That all portfolios and the watchlist were brought back.",
    [
      "file": .text("The path of the backup."),
      "previous": .text("The path of the kept copy of the former data; null when there was none.").orNull,
    ])
}
