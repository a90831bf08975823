import Bitpal
import BitpalModel
import BitpalPortfolio
import BitpalQueries

/// The `bitpal portfolio export` command, which writes all transactions as CSV or as a journal.
struct PortfolioExportCommand: PortfolioCommand {
  static let name = "portfolio export"
  static let spec = CommandSpec(
    name, "write all transactions to standard output",
    options: [
      ParameterSpec("format", .choice(Self.formats), "format: csv, or a journal of that program (csv)", short: "f"),
      .commodity,
      ParameterSpec("account", .text("NAME"), "the journal's account of coins (assets:crypto)"),
      ParameterSpec("cash-account", .text("NAME"), "the journal's account of money (assets:cash)"),
      ParameterSpec("gains-account", .text("NAME"), "the journal's account of gains (income:gains)"),
      ParameterSpec("fees-account", .text("NAME"), "the journal's account of fees (expenses:fees)"), .named,
    ],
    details: [
      "A journal declares its commodities and accounts; --digits N sets the number of digits with which money is "
        + "displayed (2), and the file contains all digits. Coins have the names that history uses, so that its "
        + "price directives match."
    ],
    examples: [
      .init("portfolio export > portfolio.csv", "lossless: import reads it back"),
      .init("portfolio export --format hledger > coins.journal", "for plain-text accounting"),
    ])

  /// The formats of an export.
  static let formats = ["csv"] + JournalFormat.allCases.map(\.rawValue)

  let portfolio: String?
  private let journal: JournalFormat?
  private let naming: CommodityNaming
  private let account: String?

  /// The names of other accounts, by the usual ones.
  private let accounts: [String: String]
  private let digits: Int?

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    naming = CommodityNaming(arguments.raw)
    account = arguments.raw["account"]
    digits = arguments.options.digits
    portfolio = arguments.raw["portfolio"]
    journal = arguments.raw["format"].flatMap(JournalFormat.init(rawValue:))
    let others = [
      ("cash-account", JournalEntry.cash), ("gains-account", JournalEntry.gains), ("fees-account", JournalEntry.fees),
    ]
    accounts = others.reduce(into: [:]) { names, other in names[other.1] = arguments.raw[other.0] }
    for (option, _) in [("account", "")] + others {
      guard let account = arguments.raw[option], journal?.accepts(account: account) != true else { continue }
      throw .usage(
        "--\(option): \"\(account)\" is not an account of \(journal?.rawValue ?? "csv")",
        hint: "write it like \(journal == .beancount ? "Assets:Exchange:Kraken" : "assets:exchange:kraken")")
    }
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let transactions = try context.store.transactions()
    guard let journal else {
      let text = TransactionCSV.text(transactions, currency: context.currency)
      let console = context.session.console
      // A file gets the notes to the last byte; in a terminal they must not act as control sequences.
      try console.answer(console.isTerminal ? text.printableLines() : text)
      return .answered
    }
    // With the prices the other program can value the holdings.
    let valued = try await context.valued()
    let splits = Dictionary(grouping: transactions.filter { $0.label == .split }, by: \.coinId)
    let held = Dictionary(valued.portfolio.holdings.map { ($0.id, $0.coin) }) { first, _ in first }
    let prices = valued.answer.quotes.compactMap { quote in
      held[quote.value.id]?.map { coin in
        // A price of before a split is that of a share of after it from then on.
        let time = coin.lastUpdated ?? quote.fetchedAt
        let date = (splits[coin.id]?.map(\.date).max()).map { max($0, time) } ?? time
        return PricePoint(coinId: coin.id, date: date, price: coin.currentPrice)
      }
    }
    var options = JournalOptions(currency: context.currency, account: account, digits: digits ?? 2)
    options.accounts = accounts
    options.zone = context.session.console.style.zone
    options.symbols = await naming.names(
      of: Set(transactions.map(\.coinId)), at: context.service, policy: context.session.options.policy)
    try context.session.console.answer(
      try journal.journal(transactions, options: options, prices: prices.sorted { $0.coinId < $1.coinId }))
    valued.tell(context.session.console)
    return .answered
  }
}
