import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalService
import FoundationEssentials

/// A command about a portfolio, whose refusals become failures of the command line.
protocol PortfolioCommand: Command {
  /// The portfolio named by `--portfolio`; nil for the main one.
  var portfolio: String? { get }

  /// Whether a portfolio of that name may be made: it is to be written, and `--create` was given.
  var creates: Bool { get }

  /// Does it.
  func run(in context: PortfolioContext) async throws -> ExitStatus
}

extension PortfolioCommand {
  var creates: Bool { false }

  func run(_ session: Session) async throws -> ExitStatus { try await runOne(session) }

  /// Runs it about one portfolio.
  func runOne(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    return try await refusing {
      try await run(in: try PortfolioContext(session, portfolio: portfolio, creates: creates))
    }
  }

}

/// A command about the portfolios as such, whatever each of them holds.
protocol ShelfCommand: Command {
  /// Does it.
  func run(in context: ShelfContext) async throws -> ExitStatus
}

extension ShelfCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    return try await refusing { try await run(in: try ShelfContext(session)) }
  }
}

/// What commands about all portfolios work with.
struct ShelfContext: Sendable {
  let session: Session
  let settings: Settings
  let service: PriceService
  let file: UserDataFile

  /// - Throws: `BitpalError` for settings that are bad or not trusted.
  init(_ session: Session) throws {
    self.session = session
    settings = try session.settings()
    file = UserDataFile(path: try PortfolioContext.dataFolder(session, settings) + "/bitpal.db")
    service = try session.assembly(settings).priceService()
  }

  /// The portfolios.
  var shelf: PortfolioShelf { PortfolioShelf(file: file) }

  /// The clock of the prices, which stands still for a recording.
  var now: Date { service.time.now }
}

extension Command {
  /// Makes what a portfolio refuses a failure of the command line.
  func refusing(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    do {
      return try await body()
    } catch let error as PortfolioError {
      throw error.failure
    }
  }
}

/// The options of several of these commands.
extension OptionSpec {
  static let named = OptionSpec(.portfolio, .text("NAME"), help: "which portfolio; main by default")
  static let create = OptionSpec(.create, help: "make the portfolio if there is none of that name")
  static let yes = OptionSpec(.yes, help: "do not ask")
  static let dryRun = OptionSpec(.dryRun, help: "check and show everything, store nothing")
  static let date = OptionSpec(.date, .text("TIME"), help: "when, such as 2025-01-15 or 2025-01-15T10:30Z")
  static let notes = OptionSpec(.notes, .text("TEXT"), help: "anything worth remembering")
}
