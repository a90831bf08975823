import Bitpal
import BitpalConfig
import BitpalModel
import BitpalPortfolio

/// The store, the prices and the session that commands for the watchlist use.
struct WatchlistContext: Sendable {
  let session: Session
  let settings: Settings
  let service: PriceService
  let store: WatchlistStore

  /// Creates a watchlist context.
  ///
  /// - Throws: `BitpalError` for settings that are invalid or not trusted.
  init(_ session: Session) throws {
    self.session = session
    settings = try session.settings()
    store = try Self.store(session, settings)
    service = try session.assembly(settings).priceService()
  }

  /// Returns the user's watchlist.
  ///
  /// - Throws: `BitpalError` for settings that are not trusted, or when HOME is not set.
  static func store(_ session: Session, _ settings: Settings) throws(BitpalError) -> WatchlistStore {
    let folder = try PortfolioContext.dataFolder(session, settings, for: "watchlist")
    return WatchlistStore(file: UserDataFile(path: folder + "/bitpal.db"))
  }

  /// Returns the coins that were named, or those of the watchlist when none were.
  ///
  /// - Parameter group: The group of the watchlist; nil for the whole list.
  /// - Throws: `BitpalError` when the watchlist is needed and cannot be read, `.usage` for names and a group together and
  ///   for a group without a coin.
  static func coins(
    _ named: [String], group: String? = nil, _ session: Session, _ settings: Settings, _ service: PriceService
  ) throws -> [String] {
    if let group, let coin = named.first {
      throw BitpalError.usage(
        "--group \(group.printable(limit: 40)) is a part of the watchlist, and not \(coin.printable(limit: 40))",
        hint: "give one of them")
    }
    return try named.isEmpty
      ? store(session, settings).items().inGroup(group).map { service.name(ofID: $0.coinId) } : named
  }

  /// Returns the id of a coin of the watchlist by its id or another name.
  ///
  /// A name that cannot be resolved is returned unchanged, so that a retired coin can be removed.
  func listedCoin(_ name: String, among items: [WatchlistItem]) async -> String {
    if items.contains(where: { $0.coinId == name }) { return name }
    let id = try? await service.resolve(name, policy: .offline)
    return id ?? name
  }
}

/// A command for the watchlist; a `WatchlistError` becomes an error of the command line.
protocol WatchlistCommand: Command {
  /// Runs the command.
  ///
  /// - Throws: `BitpalError`, or `WatchlistError` for what the watchlist refuses.
  func run(in context: WatchlistContext) async throws -> ExitStatus
}

extension WatchlistCommand {
  func run(_ session: Session) async throws -> ExitStatus {
    // Most of these commands change something before they answer.
    try session.console.checkOutput()
    do {
      return try await run(in: try WatchlistContext(session))
    } catch let error as WatchlistError {
      throw error.failure
    }
  }
}
