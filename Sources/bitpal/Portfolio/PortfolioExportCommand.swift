import BitpalModel
import BitpalPortfolio
import BitpalService

/// What `bitpal portfolio export` does.
struct PortfolioExportCommand: PortfolioCommand {
  static let name = "portfolio export"
  static let spec = CommandSpec(
    name, "write all transactions to standard output",
    options: [
      OptionSpec(.format, .choice(Self.formats), help: "csv by default, or a journal of that program"),
      .named,
    ],
    examples: [
      .init("portfolio export > portfolio.csv", "lossless: import reads it back"),
      .init("portfolio export --format hledger > coins.journal", "for plain-text accounting"),
    ])

  /// What a portfolio can be written as.
  static let formats = ["csv"] + JournalFormat.allCases.map(\.rawValue)

  let portfolio: String?
  private let journal: JournalFormat?

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw.value(.portfolio)
    journal = arguments.raw.value(.format).flatMap(JournalFormat.init(rawValue:))
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let transactions = try context.store.transactions()
    guard let journal else {
      let text = TransactionCSV.text(transactions, currency: context.currency)
      let console = context.session.console
      // A file is the notes to the last byte; a terminal must not be steered by them.
      try console.answer(console.isTerminal ? text.printableLines() : text)
      return .answered
    }
    // The prices let the other program value what is held.
    let valued = try await context.valued()
    let prices = valued.answer.quotes.map {
      PricePoint(coinId: $0.value.id, date: $0.value.lastUpdated ?? $0.fetchedAt, price: $0.value.currentPrice)
    }
    try context.session.console.answer(
      try journal.journal(transactions, currency: context.currency, prices: prices.sorted { $0.coinId < $1.coinId }))
    valued.tell(context.session.console)
    return .answered
  }
}
