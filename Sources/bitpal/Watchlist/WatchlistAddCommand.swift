import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalService

/// What `bitpal watchlist add COIN…` does.
struct WatchlistAddCommand: WatchlistCommand {
  static let spec = CommandSpec(
    "watchlist add", "follow coins", operands: .some("COIN"),
    details: ["All are added or, when one of them is unknown or there already, none."],
    examples: [.init("watchlist add bitcoin eth solana", "three at once")])

  private let coins: [String]

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.operands
  }

  func run(at desk: WatchlistDesk) async throws -> ExitStatus {
    let (ids, failures) = try await desk.existingCoins(coins)
    for failure in failures { desk.session.console.failure(failure.error, subject: failure.coin) }
    if let first = failures.first {
      if desk.session.options.format == .json { throw first.error }
      if coins.count > 1 { desk.session.console.aside("bitpal: nothing was added\n") }
      return ExitStatus(answered: 0, failures: failures.map(\.error.code))
    }
    let added = try desk.store.add(ids, now: desk.service.time.now).map(\.coinId)
    let count = try desk.store.items().count
    desk.session.confirm(
      FactView(
        "added \(added.joined(separator: ", ").printable()); \(count) \(count == 1 ? "coin" : "coins") in the watchlist",
        .watchlistAdded(added, count: count)))
    return .answered
  }
}
