import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import FoundationEssentials

/// Transactions, in the order in which they took effect.
struct TransactionsView: View {
  let output: TransactionsOutput
  private let currency: String

  init(_ transactions: [Transaction], currency: String) {
    output = TransactionsOutput(transactions)
    self.currency = currency
  }

  func table(style: Style) -> String {
    let transactions = output.transactions
    if transactions.isEmpty { return "" }
    let hasFees = transactions.contains { $0.fee != 0 }
    let hasNotes = transactions.contains { $0.notes != nil }
    var columns: [TextTable.Column] = [
      .init("ID"), .init("DATE"), .init("TYPE"), .init("COIN", widest: 24), .init("AMOUNT", .right),
      .init("PRICE \(currency.uppercased())", .right),
    ]
    if hasFees { columns.append(.init("FEE", .right)) }
    if hasNotes { columns.append(.init("NOTES", widest: 40)) }
    var table = TextTable(columns)
    for transaction in transactions {
      var row: [TextTable.Cell] = [
        .init(transaction.shortID, .quiet), .init(transaction.date.utcMinuteText), .init(transaction.type.rawValue),
        .init(transaction.coinId), .init(NumberFormat.quantity(transaction.amount)),
        .init(NumberFormat.price(transaction.pricePerCoin)),
      ]
      if hasFees { row.append(.init(transaction.fee == 0 ? "-" : NumberFormat.price(transaction.fee))) }
      if hasNotes { row.append(.init(transaction.notes ?? "")) }
      table.add(row)
    }
    return table.text(style: style)
  }
}
