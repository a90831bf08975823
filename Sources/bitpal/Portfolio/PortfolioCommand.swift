import BitpalModel
import BitpalPortfolio

/// A command about a portfolio, whose refusals become failures of the command line.
protocol PortfolioCommand: Command {
  /// The portfolio named by `--portfolio`; nil for the main one.
  var portfolio: String? { get }

  /// Does it.
  func run(at desk: PortfolioDesk) async throws -> ExitStatus
}

extension PortfolioCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    do {
      return try await run(at: try PortfolioDesk(session, portfolio: portfolio))
    } catch let error as PortfolioError {
      throw BitpalError.usage(error.message, hint: error.hint)
    }
  }
}
