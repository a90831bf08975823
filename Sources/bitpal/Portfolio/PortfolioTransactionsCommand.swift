import BitpalPortfolio
import BitpalService

/// What `bitpal portfolio transactions` does.
struct PortfolioTransactionsCommand: PortfolioCommand {
  static let spec = CommandSpec(
    "portfolio transactions", "what was recorded",
    options: [OptionSpec(.coin, .text("COIN"), help: "only those of one coin"), .named],
    examples: [
      .init("portfolio transactions", "all, with the ids that edit and remove take"),
      .init("portfolio transactions --coin bitcoin", "of one coin"),
    ])

  let portfolio: String?
  private let coin: String?

  init(_ arguments: Invocation.Arguments) {
    portfolio = arguments.raw.value(.portfolio)
    coin = arguments.raw.value(.coin)
  }

  func run(at desk: PortfolioDesk) async throws -> ExitStatus {
    var id: String?
    if let coin { id = try await desk.service.resolve(coin, policy: desk.session.options.policy) }
    let transactions = try desk.store.transactions(of: id)
    if transactions.isEmpty, desk.session.options.format == .table {
      desk.session.console.notice("no transactions; \"bitpal buy QUANTITY COIN\" records one")
    }
    try desk.session.show(TransactionsView(transactions, currency: desk.currency))
    return .answered
  }
}
