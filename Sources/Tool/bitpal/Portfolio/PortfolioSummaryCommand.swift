import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The `bitpal portfolio summary` command, which `bitpal portfolio` alone calls as well.
struct PortfolioSummaryCommand: PortfolioCommand {
  static let name = "portfolio summary"
  static let spec = CommandSpec(
    name, "totals and holdings at the latest prices",
    options: [
      .named, ParameterSpec("all", .flag, "print the totals of all portfolios and their sum, in one currency"),
    ],
    details: [
      "A coin without a price is shown as such and makes the totals incomplete; it never counts as zero."
    ],
    examples: [
      .init("portfolio", "totals and holdings"),
      .init("portfolio --format json", "everything, for a program"),
      .init("portfolio --all --currency eur", "every portfolio, converted"),
    ])

  let portfolio: String?
  private let isForAll: Bool

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    portfolio = arguments.raw["portfolio"]
    isForAll = arguments.raw.has("all")
    if isForAll, portfolio != nil {
      throw .usage("--all is every portfolio, --portfolio is one", hint: "give one of them")
    }
  }

  func run(_ session: Session) async throws -> ExitStatus {
    guard isForAll else { return try await runOne(session) }
    return try await refusing { try await CatalogContext(session).showTotals() }
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus { try await context.show(.summary) }
}

/// The `bitpal portfolio holdings` command.
struct PortfolioHoldingsCommand: PortfolioPartCommand {
  static let name = "portfolio holdings"
  static let spec = CommandSpec(
    name, "the holdings", options: [.named],
    examples: [.init("portfolio holdings --format csv", "for a spreadsheet")])

  static let part = PortfolioOutput.Part.holdings
  let portfolio: String?
}

/// The `bitpal portfolio closed` command.
struct PortfolioClosedCommand: PortfolioPartCommand {
  static let name = "portfolio closed"
  static let spec = CommandSpec(
    name, "closed positions", options: [.named],
    examples: [.init("portfolio closed", "with the gain of each")])

  static let part = PortfolioOutput.Part.closed
  let portfolio: String?
}

/// A command that shows a part of the portfolio at the latest prices.
protocol PortfolioPartCommand: PortfolioCommand {
  /// The part of the portfolio that the command shows.
  static var part: PortfolioOutput.Part { get }

  init(portfolio: String?)
}

extension PortfolioPartCommand {
  init(_ arguments: Invocation.Arguments) {
    self.init(portfolio: arguments.raw["portfolio"])
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus { try await context.show(Self.part) }
}

extension PortfolioContext {
  /// Shows the portfolio, or a part of it, at the latest prices.
  fileprivate func show(_ part: PortfolioOutput.Part) async throws -> ExitStatus {
    let valued = try await valued()
    try session.show(PortfolioView(valued, part))
    valued.tell(session.console)
    // The prices are at hand, so the widget gets them too.
    writeSnapshot(valued)
    return valued.status
  }
}
