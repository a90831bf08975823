import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio

/// What `bitpal portfolio backup FILE` does: all portfolios and the watchlist, in one file.
struct PortfolioBackupCommand: PortfolioCommand {
  static let spec = CommandSpec(
    "portfolio backup", "copy all portfolios and the watchlist to a file", operands: .one("FILE"),
    examples: [.init("portfolio backup bitpal-2025.db", "a whole copy, made between two writes")])

  let portfolio: String? = nil
  private let path: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.onlyOperand("FILE")
  }

  func run(at desk: PortfolioDesk) throws -> ExitStatus {
    try desk.file.backUp(to: path)
    desk.session.confirm(
      FactView("copied \(desk.file.path) to \(path)", .backedUp(to: path)))
    return .answered
  }
}
