import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio

/// What `bitpal watchlist remove COIN…` does.
struct WatchlistRemoveCommand: WatchlistCommand {
  static let spec = CommandSpec(
    "watchlist remove", "follow coins no longer", operands: .some("COIN"),
    examples: [.init("watchlist remove solana", "the others stay")])

  private let coins: [String]

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.operands
  }

  func run(at desk: WatchlistDesk) async throws -> ExitStatus {
    let items = try desk.store.items()
    var ids: [String] = []
    for coin in coins { ids.append(await desk.listedCoin(coin, among: items)) }
    let removed = try desk.store.remove(ids).map(\.coinId)
    let count = try desk.store.items().count
    desk.session.confirm(
      FactView(
        "removed \(removed.joined(separator: ", ").printable()); \(count) \(count == 1 ? "coin" : "coins") left",
        .watchlistRemoved(removed, count: count)))
    return .answered
  }
}
