import BitpalModel
import BitpalPortfolio
import FoundationEssentials

/// A command about a portfolio, whose refusals become failures of the command line.
protocol PortfolioCommand: Command {
  /// The portfolio named by `--portfolio`; nil for the main one.
  var portfolio: String? { get }

  /// Does it.
  func run(in context: PortfolioContext) async throws -> ExitStatus
}

extension PortfolioCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    do {
      return try await run(in: try PortfolioContext(session, portfolio: portfolio))
    } catch let error as PortfolioError {
      throw BitpalError.usage(error.message, hint: error.hint)
    }
  }
}

/// The options of several of these commands.
extension OptionSpec {
  static let named = OptionSpec(.portfolio, .text("NAME"), help: "which portfolio; main by default")
  static let dryRun = OptionSpec(.dryRun, help: "check and show everything, store nothing")
  static let price = OptionSpec(
    .price, .text("P"), help: "what one coin cost; without it the latest price is asked for and shown")
  static let fee = OptionSpec(.fee, .text("F"), help: "what the exchange took; kept apart from cost and gain")
  static let date = OptionSpec(.date, .text("TIME"), help: "when, such as 2025-01-15 or 2025-01-15T10:30Z")
  static let notes = OptionSpec(.notes, .text("TEXT"), help: "anything worth remembering")
}
