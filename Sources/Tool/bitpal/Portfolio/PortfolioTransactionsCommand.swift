import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio transactions` command, which lists the recorded transactions.
struct PortfolioTransactionsCommand: PortfolioCommand {
  static let name = "portfolio transactions"
  static let spec = CommandSpec(
    name, "the transactions",
    options: [ParameterSpec("coin", .text("COIN"), "only those of this coin")] + BookedDays.parameters(of: "those") + [
      .named
    ],
    examples: [
      .init("portfolio transactions", "all, with the ids that edit and remove take"),
      .init("portfolio transactions --coin bitcoin", "of one coin"),
      .init("portfolio transactions --year 2024 --csv", "of a year, for a spreadsheet"),
    ])

  let portfolio: String?
  private let coin: String?
  private let days: BookedDays

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    days = try BookedDays(arguments.raw)
    portfolio = arguments.raw["portfolio"]
    coin = arguments.raw["coin"]
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    var id: String?
    if let coin { id = try await context.service.resolve(coin, policy: context.session.options.policy) }
    let zone = context.session.console.style.zone
    let transactions = try context.store.transactions(of: id).filter { days.contains($0.date, in: zone) }
    if transactions.isEmpty, context.session.options.format == .table {
      context.session.console.notice(
        days.phrase.isEmpty
          ? "no transactions; \"bitpal buy QUANTITY COIN\" records one" : "no transactions" + days.phrase)
    }
    try context.session.show(
      TransactionsView(
        TransactionsOutput(
          transactions, of: context.name, currency: context.currency, closed: context.closedPositions)))
    return .answered
  }
}

/// Transactions, in the order in which they took effect.
struct TransactionsView: View {
  let output: TransactionsOutput

  init(_ output: TransactionsOutput) {
    self.output = output
  }

  /// The width in columns from which a transaction's date has its minute.
  private static let widthForMinutes = 72

  func table(style: Style) -> String {
    let transactions = output.transactions
    if transactions.isEmpty { return "" }
    // Many portfolios have none of these columns, and 80 columns have little room.
    let isNarrow = style.width ?? .max < Self.widthForMinutes
    let hasFees = transactions.contains { $0.fee != 0 }
    let hasLabels = transactions.contains { $0.label != nil }
    let hasNotes = transactions.contains { $0.notes != nil }
    var columns: [TextTable.Column] = [
      .init("ID"), .init("DATE"), .init("TYPE"), .init("COIN", widest: 24, narrowest: 8),
      .init("AMOUNT", .right), .init("PRICE \(output.currency.uppercased())", .point, drops: 3),
    ]
    if hasFees { columns.append(.init("FEE", .point, drops: 2)) }
    if hasLabels { columns.append(.init("LABEL")) }
    if hasNotes { columns.append(.init("NOTES", widest: 40, narrowest: 10, drops: 1)) }
    var table = TextTable(columns)
    let prices = style.prices(transactions.map(\.pricePerCoin))
    let fees = style.prices(transactions.map { $0.fee == 0 ? nil : $0.fee })
    for (index, transaction) in transactions.enumerated() {
      let date = isNarrow ? style.bookedDay(transaction.date) : style.booked(transaction.date)
      var row: [TextTable.Cell] = [
        .init(transaction.shortID, .quiet), .init(date), .init(transaction.type.rawValue),
        .init(transaction.coinId), .init(NumberFormat.quantity(transaction.amount)),
        prices[index],
      ]
      if hasFees { row.append(fees[index]) }
      if hasLabels { row.append(.init(transaction.label?.rawValue ?? "-")) }
      if hasNotes { row.append(.init(transaction.notes ?? "")) }
      table.add(row)
    }
    return table.text(style: style)
  }
}
