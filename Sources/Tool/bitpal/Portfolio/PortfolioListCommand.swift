import BitpalModel
import BitpalOutput
import BitpalPortfolio

/// The `bitpal portfolio list` command, which lists the portfolios.
struct PortfolioListCommand: PortfoliosCommand {
  static let name = "portfolio list"
  static let spec = CommandSpec(
    name, "the portfolios",
    examples: [.init("portfolio list", "with currency, size and dates of each")])

  init(_ arguments: Invocation.Arguments) {}

  func run(in context: CatalogContext) throws -> ExitStatus {
    let portfolios = try context.catalog.portfolios()
    if portfolios.isEmpty, context.session.options.format == .table {
      context.session.console.notice("no portfolios; \"bitpal buy QUANTITY COIN\" begins the main one")
    }
    try context.session.show(PortfoliosView(output: PortfoliosOutput(portfolios)))
    return .answered
  }
}

/// The portfolios, with one row per portfolio.
struct PortfoliosView: View {
  let output: PortfoliosOutput

  func table(style: Style) -> String {
    if output.portfolios.isEmpty { return "" }
    var table = TextTable([
      .init("PORTFOLIO", widest: 64, narrowest: 8), .init("CURRENCY"), .init("METHOD", drops: 1),
      .init("TRANSACTIONS", .right), .init("FIRST", drops: 2), .init("LAST", drops: 3),
    ])
    for info in output.portfolios {
      table.add([
        .init(info.name.text), .init(info.currency.uppercased()), .init(info.method.rawValue),
        .init(String(info.transactions)), .init(info.first.map { style.bookedDay($0) } ?? "-"),
        .init(info.last.map { style.bookedDay($0) } ?? "-"),
      ])
    }
    return table.text(style: style)
  }
}

/// The `bitpal portfolio rename OLD NEW` command, which renames a portfolio.
struct PortfolioRenameCommand: PortfoliosCommand {
  static let name = "portfolio rename"
  static let spec = CommandSpec(
    name, "rename a portfolio", operands: .exactly(["OLD", "NEW"]),
    examples: [.init("portfolio rename main savings", "main is free again")])

  private let names: [String]

  init(_ arguments: Invocation.Arguments) {
    names = arguments.operands
  }

  func run(in context: CatalogContext) throws -> ExitStatus {
    let name = try PortfolioName(names.first ?? "")
    let other = try PortfolioName(names.last ?? "")
    try context.catalog.rename(name, to: other)
    context.snapshot(of: name).move(to: context.snapshot(of: other))
    context.session.confirm(
      FactView(
        "\(name.text) is \(other.text) now", DoneOutput(Self.name, about: other.text, ["previous": name.text])))
    return .answered
  }
}

/// The `bitpal portfolio delete NAME` command, which deletes a portfolio with its transactions.
struct PortfolioDeleteCommand: PortfoliosCommand {
  static let name = "portfolio delete"
  static let spec = CommandSpec(
    name, "remove a portfolio with all its transactions", operands: .one("NAME"), options: [.yes, .dryRun],
    details: ["At a terminal it asks first. \"portfolio undo --portfolio NAME\" brings it back."],
    examples: [
      .init("portfolio delete old --dry-run", "what would go"), .init("portfolio delete old --yes", "without asking"),
    ])

  private let name: String
  private let isSure: Bool
  private let isDryRun: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    name = try arguments.onlyOperand("NAME")
    isSure = arguments.raw.has("yes")
    isDryRun = arguments.raw.has("dry-run")
  }

  func run(in context: CatalogContext) throws -> ExitStatus {
    let name = try PortfolioName(name)
    let catalog = context.catalog
    var info = try catalog.delete(name, now: context.now, isDryRun: true)
    let extent = "\(info.transactions) \(info.transactions == 1 ? "transaction" : "transactions")"
    if !isDryRun {
      guard isSure || context.session.console.confirms("delete the portfolio \(name.text) with \(extent)?") else {
        context.session.console.notice("nothing was deleted")
        return .answered
      }
      info = try catalog.delete(name, now: context.now)
      context.snapshot(of: name).remove()
    }
    context.session.confirm(
      FactView(
        "\(isDryRun ? "would delete" : "deleted") \(name.text) with \(extent)"
          + (isDryRun ? "" : "; \"bitpal portfolio undo --portfolio \(name.text)\" brings it back"),
        DoneOutput(
          Self.name, about: name.text,
          ["transactions": info.transactions, "dry_run": isDryRun])))
    return .answered
  }
}
