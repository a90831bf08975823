import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalService

/// What the commands about the watchlist work with: the store, the prices, the session.
struct WatchlistContext: Sendable {
  let session: Session
  let settings: Settings
  let service: PriceService
  let store: WatchlistStore

  init(_ session: Session) throws {
    self.session = session
    settings = try session.settings()
    store = try Self.store(session, settings)
    service = try session.assembly(settings).priceService()
  }

  /// The user's watchlist.
  static func store(_ session: Session, _ settings: Settings) throws(BitpalError) -> WatchlistStore {
    let folder = try PortfolioContext.dataFolder(session, settings, for: "watchlist")
    return WatchlistStore(file: UserDataFile(path: folder + "/bitpal.db"))
  }

  /// The coins that were named, or those of the watchlist where none were.
  static func coins(
    _ named: [String], _ session: Session, _ settings: Settings, _ service: PriceService
  ) throws -> [String] {
    try named.isEmpty ? store(session, settings).items().map { service.name(ofID: $0.coinId) } : named
  }

  /// The id by which a coin of the watchlist is meant, whether it exists or not: a coin that was retired can be removed.
  func listedCoin(_ name: String, among items: [WatchlistItem]) async -> String {
    if items.contains(where: { $0.coinId == name }) { return name }
    let id = try? await service.resolve(name, policy: .offline)
    return id ?? name
  }
}

/// A command about the watchlist, whose refusals become failures of the command line.
protocol WatchlistCommand: Command {
  /// Does it.
  func run(in context: WatchlistContext) async throws -> ExitStatus
}

extension WatchlistCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of them change something first.
    try session.console.checkOutput()
    do {
      return try await run(in: try WatchlistContext(session))
    } catch let error as WatchlistError {
      throw error.failure
    }
  }
}
