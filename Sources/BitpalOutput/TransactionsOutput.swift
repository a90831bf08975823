package import BitpalJSON
package import BitpalPortfolio
import FoundationEssentials

/// `bitpal.transactions/1`: transactions, in the order in which they took effect.
package struct TransactionsOutput: OutputShape {
  package let transactions: [Transaction]

  /// Lower case.
  package let currency: String
  private let portfolio: PortfolioName

  package init(_ transactions: [Transaction], of portfolio: PortfolioName, currency: String) {
    self.transactions = transactions
    self.portfolio = portfolio
    self.currency = currency
  }

  package let schema = "bitpal.transactions/1"

  package var columns: [String] {
    ["id", "coin", "type", "amount", "price", "fee", "date", "notes", "currency", "label", "group"]
  }

  package var rows: [JSONObject] {
    transactions.map { transaction in
      [
        "id": .string(transaction.id.uuidString.lowercased()), "coin": .string(transaction.coinId),
        "type": .string(transaction.type.rawValue), "amount": JSONValue(transaction.amount),
        "price": JSONValue(transaction.pricePerCoin), "fee": JSONValue(transaction.fee),
        "date": JSONValue(transaction.date), "notes": JSONValue(transaction.notes),
        "currency": .string(currency), "label": JSONValue(transaction.label?.rawValue),
        "group": JSONValue(transaction.group),
      ]
    }
  }

  package var members: JSONObject {
    ["portfolio": .string(portfolio.text), "currency": .string(currency), "transactions": rowsValue]
  }
}

extension FactsOutput {
  /// `bitpal.import/1`: how many transactions of a file were added, and how many were there already.
  package static func transactionsImported(_ imported: Int, known: Int) -> FactsOutput {
    FactsOutput("bitpal.import/1", ["imported": .integer(imported), "known": .integer(known)])
  }

  /// `bitpal.backup/1`: where all portfolios and the watchlist were copied to.
  package static func backedUp(to file: String) -> FactsOutput {
    FactsOutput("bitpal.backup/1", ["file": .string(file)])
  }

  /// `bitpal.restore/1`: what was brought back.
  ///
  /// - Parameter previous: Where what was there before is kept; nil when there was nothing.
  package static func restored(from file: String, previous: String?) -> FactsOutput {
    FactsOutput("bitpal.restore/1", ["file": .string(file), "previous": JSONValue(previous)])
  }
}
