import BitpalOutput
import BitpalPortfolio
import BitpalService

/// `bitpal portfolio summary`, which is `bitpal portfolio` as well.
struct PortfolioSummaryCommand: PortfolioPartCommand {
  static let name = "portfolio summary"
  static let spec = CommandSpec(
    name, "what it is worth: totals and holdings", options: [.named],
    details: [
      "A coin without a price is shown as such and makes the totals incomplete; it never counts as zero."
    ],
    examples: [
      .init("portfolio", "totals and holdings"),
      .init("portfolio --format json", "everything, for a program"),
    ])

  static let part = PortfolioOutput.Part.summary
  let portfolio: String?
}

/// `bitpal portfolio holdings`.
struct PortfolioHoldingsCommand: PortfolioPartCommand {
  static let name = "portfolio holdings"
  static let spec = CommandSpec(
    name, "what is held", options: [.named],
    examples: [.init("portfolio holdings --format csv", "for a spreadsheet")])

  static let part = PortfolioOutput.Part.holdings
  let portfolio: String?
}

/// `bitpal portfolio closed`.
struct PortfolioClosedCommand: PortfolioPartCommand {
  static let name = "portfolio closed"
  static let spec = CommandSpec(
    name, "what was sold to the last piece", options: [.named],
    examples: [.init("portfolio closed", "with the gain of each")])

  static let part = PortfolioOutput.Part.closed
  let portfolio: String?
}

/// A command that shows a part of the portfolio at the latest prices.
protocol PortfolioPartCommand: PortfolioCommand {
  /// What it shows.
  static var part: PortfolioOutput.Part { get }

  init(portfolio: String?)
}

extension PortfolioPartCommand {
  init(_ arguments: Invocation.Arguments) {
    self.init(portfolio: arguments.raw.value(.portfolio))
  }

  func run(in context: PortfolioContext) async throws -> ExitStatus {
    let valued = try await context.valued()
    try context.session.show(PortfolioView(valued, Self.part))
    valued.tell(context.session.console)
    // The prices are there, so the widget may have them too.
    context.writeSnapshot(valued)
    return valued.status
  }
}
