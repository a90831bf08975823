import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The `bitpal portfolio edit ID` command, which changes a transaction.
struct PortfolioEditCommand: PortfolioCommand {
  static let name = "portfolio edit"
  static let spec = CommandSpec(
    name, "change a transaction", operands: .one("ID"),
    options: [
      ParameterSpec("amount", .text("QUANTITY"), "quantity of coins"),
      ParameterSpec("price", .text("P"), "price of one coin; - for coins sent without a value"),
      ParameterSpec("fee", .text("F"), "fee of the exchange"),
      ParameterSpec("notes", .text("TEXT"), "a note; - removes it"),
      ParameterSpec("label", .text("LABEL"), "reason of the transaction; - removes it"),
      ParameterSpec("type", .choice(TransactionType.allCases.map(\.rawValue)), "type of the transaction"),
      ParameterSpec("coin", .text("COIN"), "another coin"),
    ] + [TransactionRequest.date] + [.named, .dryRun],
    details: [
      "ID may be shortened as long as only one begins like it. What would leave a later sale with less than it sells "
        + "is refused."
    ],
    examples: [.init("portfolio edit 3fa29c1b --price 64010.50", "one number corrected")])

  let portfolio: String?
  private let id: String
  private let type: TransactionType?
  private let coin: String?
  private let amount: Decimal?
  private let price: Decimal??
  private let label: String?
  private let fee: Decimal?
  private let date: Date?
  private let notes: String?
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    let raw = arguments.raw
    id = try arguments.onlyOperand("ID")
    portfolio = raw["portfolio"]
    type = raw["type"].flatMap(TransactionType.init(rawValue:))
    coin = raw["coin"]
    amount = try raw.decimal("amount")
    price = raw["price"] == "-" ? .some(nil) : try raw.decimal("price").map { $0 }
    label = raw["label"]
    fee = try raw.decimal("fee")
    date = try raw.instant("date")
    notes = raw["notes"]
    isDryRun = raw.has("dry-run")
    let changes = ["type", "coin", "amount", "price", "fee", "date", "notes", "label"]
    guard changes.contains(where: raw.has) else {
      throw .usage(
        "nothing to change", hint: "give one or more of \(changes.map { "--" + $0 }.joined(separator: ", "))")
    }
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let old = try context.store.transaction(id)
    var coinId = old.coinId
    if let coin { coinId = try await context.book.recordableCoin(coin) }
    // The id stays, although it was made from the content, because people name the transaction by it.
    let type = type ?? old.type
    let edited = try Transaction(
      validating: old.id, coinId: coinId, type: type, amount: amount ?? old.amount,
      pricePerCoin: price ?? old.pricePerCoin, total: amount == nil && price == nil ? old.total : nil,
      fee: fee ?? old.fee, date: date ?? old.date,
      // An empty value is refused everywhere, so `-` removes the notes.
      notes: notes.map { $0 == "-" ? nil : $0 } ?? old.notes,
      label: try label.map { word throws(PortfolioError) in try type.label(word) } ?? old.label, group: old.group)
    let transaction = try context.store.replace(edited, now: context.now, isDryRun: isDryRun)
    try context.show([transaction], as: isDryRun ? "would change to" : "changed to", isDryRun: isDryRun)
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
    let removed = try context.store.remove(transaction.id, now: context.now, isDryRun: isDryRun)
    try context.show([removed], as: isDryRun ? "would remove" : "removed", isDryRun: isDryRun)
    if !isDryRun { try await context.refreshSnapshot() }
    return .answered
  }
}
