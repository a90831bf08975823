import BitpalModel
import BitpalPortfolio

/// What `bitpal portfolio remove ID` does.
struct PortfolioRemoveCommand: PortfolioCommand {
  static let spec = CommandSpec(
    "portfolio remove", "remove a transaction", operands: .one("ID"), options: [.named, .dryRun],
    examples: [.init("portfolio remove 3fa29c1b --dry-run", "what would go")])

  let portfolio: String?
  private let id: String
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    id = try arguments.onlyOperand("ID")
    portfolio = arguments.raw.value(.portfolio)
    isDryRun = arguments.raw.has(.dryRun)
  }

  func run(at desk: PortfolioDesk) async throws -> ExitStatus {
    let transaction = try desk.store.transaction(id)
    let removed = try desk.store.remove(transaction.id, now: desk.now, isDryRun: isDryRun)
    try desk.show(removed, as: isDryRun ? "would remove" : "removed", isDryRun: isDryRun)
    if !isDryRun { try await desk.refreshSnapshot() }
    return .answered
  }
}
