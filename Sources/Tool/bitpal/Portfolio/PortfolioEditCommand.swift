import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio edit ID` command, which changes a transaction.
struct PortfolioEditCommand: PortfolioCommand {
  static let name = "portfolio edit"
  static let spec = CommandSpec(
    name, "change a transaction", operands: .one("ID"),
    options: TransactionEdit.parameters + [.named, .dryRun],
    details: [
      "ID may be shortened as long as it is unique. A change that would leave too few coins for a later sale is "
        + "refused. A new date of half of a split or a renaming is that of the other half too."
    ],
    examples: [.init("portfolio edit 3fa29c1b --price 64010.50", "one number corrected")])

  let portfolio: String?
  private let id: String
  private let edit: TransactionEdit
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    id = try arguments.onlyOperand("ID")
    portfolio = arguments.raw["portfolio"]
    edit = try TransactionEdit(arguments.raw)
    isDryRun = arguments.raw.has("dry-run")
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let changed = try await edit.record(id, in: context.book, isDryRun: isDryRun)
    try context.show(changed, as: isDryRun ? "would change to" : "changed to", isDryRun: isDryRun)
    try context.nameRest(ofGroupOf: changed)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }
}

/// The `bitpal portfolio remove ID` command, which removes a transaction.
struct PortfolioRemoveCommand: PortfolioCommand {
  static let name = "portfolio remove"
  static let spec = CommandSpec(
    name, "remove a transaction", operands: .one("ID"), options: [.named, .yes, .dryRun],
    details: ["At a terminal it asks first. \"portfolio undo\" brings it back."],
    examples: [.init("portfolio remove 3fa29c1b --dry-run", "what would go")])

  let portfolio: String?
  private let id: String
  private let isSure: Bool
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    id = try arguments.onlyOperand("ID")
    isSure = arguments.raw.has("yes")
    portfolio = arguments.raw["portfolio"]
    isDryRun = arguments.raw.has("dry-run")
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let transaction = try context.store.transaction(id)
    if !isDryRun, !isSure {
      // A removal that would be refused must not be asked about.
      _ = try context.store.remove(transaction.id, now: context.now, isDryRun: true)
      let message = "\(transaction.type.rawValue) of \(transaction.amount.plainText) \(transaction.coinId)"
      guard context.session.console.confirms("remove the \(message) of \(transaction.date.utcText)?") else {
        context.session.console.notice("nothing was removed")
        return .answered
      }
    }
    let removed = try context.store.removeHalves(transaction.id, now: context.now, isDryRun: isDryRun)
    try context.show(removed, as: isDryRun ? "would remove" : "removed", isDryRun: isDryRun)
    try context.nameRest(ofGroupOf: removed)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }
}
