import Bitpal
import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// A command for one portfolio; a `PortfolioError` becomes an error of the command line.
protocol PortfolioCommand: Command {
  /// The portfolio named by `--portfolio`; nil for the main one.
  var portfolio: String? { get }

  /// Whether the command may use a portfolio that does not exist yet: because `--create` was given, or it is the main one
  /// and something is recorded.
  var creates: Bool { get }

  /// Runs the command.
  ///
  /// - Throws: `BitpalError`, or `PortfolioError` for what the portfolio refuses.
  func run(in context: PortfolioContext) async throws -> ExitStatus
}

extension PortfolioCommand {
  var creates: Bool { false }

  func run(_ session: Session) async throws -> ExitStatus { try await runOne(session) }

  /// Runs the command for one portfolio, after a check that standard output can be written.
  ///
  /// - Throws: `BitpalError` without any answer.
  func runOne(_ session: Session) async throws -> ExitStatus {
    // Most of these commands change something before they answer.
    try session.console.checkOutput()
    return try await refusing {
      let context = try PortfolioContext(session, portfolio: portfolio, creates: creates)
      try context.warnOfLoneHalves()
      return try await run(in: context)
    }
  }

}

/// A command for the collection of portfolios, independent of their content.
protocol PortfoliosCommand: Command {
  /// Runs the command.
  ///
  /// - Throws: `BitpalError`, or `PortfolioError` for what the portfolios refuse.
  func run(in context: CatalogContext) async throws -> ExitStatus
}

extension PortfoliosCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of these commands change something before they answer.
    try session.console.checkOutput()
    return try await refusing { try await run(in: try CatalogContext(session)) }
  }
}

/// The settings, prices and file that commands for all portfolios use.
struct CatalogContext: Sendable {
  let session: Session
  let settings: Settings
  let service: PriceService
  let file: UserDataFile
  private let folder: String

  /// Creates a catalog context.
  ///
  /// - Throws: `BitpalError` for settings that are invalid or not trusted.
  init(_ session: Session) throws {
    self.session = session
    settings = try session.settings()
    folder = try PortfolioContext.dataFolder(session, settings)
    file = UserDataFile(path: folder + "/bitpal.db")
    service = try session.assembly(settings).priceService()
    now = service.time.now
  }

  /// Returns the file of the widget's snapshot of a portfolio.
  func snapshot(of name: PortfolioName) -> WidgetSnapshotFile { WidgetSnapshotFile(folder: folder, portfolio: name) }

  /// The collection of portfolios in the file.
  var catalog: PortfolioCatalog { PortfolioCatalog(file: file) }

  /// The instant at which the command began, by the clock of the prices, which stands still for a recording.
  let now: Date
}

extension Command {
  /// Runs `body` and turns a `PortfolioError` into a `BitpalError`.
  ///
  /// - Throws: The errors of `body`, in this form.
  func refusing(_ body: () async throws -> ExitStatus) async throws -> ExitStatus {
    do {
      return try await body()
    } catch let error as PortfolioError {
      throw error.failure
    }
  }
}

/// The options that several of these commands share.
extension ParameterSpec {
  static let named = ParameterSpec("portfolio", .text("NAME"), "portfolio (main)")
  static let create = ParameterSpec("create", .flag, "create the portfolio if it does not exist")
  static let yes = ParameterSpec("yes", .flag, "do not ask for confirmation")
  static let dryRun = ParameterSpec("dry-run", .flag, "check and show everything, store nothing")
}
