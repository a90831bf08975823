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

  /// The ids of coins that exist, and why the others cannot be added.
  func existingCoins(_ names: [String]) async throws -> (ids: [String], failures: [CoinFailure]) {
    let policy = session.options.policy
    // A list is not asked for again for the sake of one look.
    let list = try? await service.coinList(policy: policy == .refresh ? .normal : policy)
    let known = list.map { Set($0.value.map(\.id)) }
    var ids: [String] = []
    var failures: [CoinFailure] = []
    for name in names {
      do {
        let id = try await service.resolve(name, policy: policy)
        if let known, !known.contains(id) {
          throw BitpalError.notFound(coin: id, provider: list?.source ?? "", suggestion: nil)
        }
        ids.append(id)
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: name, error: error))
      }
    }
    if known == nil, !ids.isEmpty {
      // Without a list a coin exists that has a price.
      failures += try await service.quotes(ids, currency: settings.currency, policy: policy).failures
    }
    return (ids, failures)
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
      throw BitpalError.usage(error.message, hint: error.hint)
    }
  }
}
