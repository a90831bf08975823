import BitpalModel
import BitpalPortfolio

/// What `bitpal portfolio restore FILE` does.
struct RestoreCommand: Command {
  private let path: String

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    path = try arguments.onlyOperand("FILE")
  }

  /// It asks nothing of the file that it replaces, which may be damaged.
  func run(_ session: Session) async throws -> ExitStatus {
    let file = UserDataFile(path: try PortfolioDesk.dataFolder(session, session.settings()) + "/bitpal.db")
    let kept = try file.restore(from: path)
    let words = "restored \(path)" + (kept.map { "; what was there before is in \($0)" } ?? "")
    try session.show(
      FactView(words, schema: "bitpal.restore/1", facts: ["file": .string(path), "previous": JSONValue(kept)]))
    try await PortfolioDesk(session, portfolio: nil).refreshSnapshot()
    return .answered
  }
}
