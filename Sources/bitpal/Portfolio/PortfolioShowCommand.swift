import BitpalOutput
import BitpalPortfolio
import BitpalService

/// What `bitpal portfolio summary`, `holdings` and `closed` do.
struct PortfolioShowCommand: PortfolioCommand {
  let portfolio: String?
  private let part: PortfolioOutput.Part

  init(_ part: PortfolioOutput.Part, _ arguments: Invocation.Arguments) {
    self.part = part
    portfolio = arguments.raw.value(.portfolio)
  }

  func run(at desk: PortfolioDesk) async throws -> ExitStatus {
    let valued = try await desk.valued()
    try desk.session.show(PortfolioView(valued, part))
    valued.tell(desk.session.console)
    desk.writeSnapshot(valued)
    return valued.status
  }
}
