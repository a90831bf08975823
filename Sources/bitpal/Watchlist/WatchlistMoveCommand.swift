import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio

/// What `bitpal watchlist move COIN PLACE` does.
struct WatchlistMoveCommand: WatchlistCommand {
  static let spec = CommandSpec(
    "watchlist move", "put a coin in another place", operands: .exactly(["COIN", "PLACE"]),
    examples: [.init("watchlist move solana 1", "to the top")])

  private let coin: String
  private let place: Int

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    guard let coin = arguments.operands.first, let text = arguments.operands.last, let place = Int(text), place > 0
    else {
      throw .usage(
        "\"\(arguments.operands.last ?? "")\" is not a place in the watchlist", hint: "places count from 1, the top")
    }
    self.coin = coin
    self.place = place
  }

  func run(at desk: WatchlistDesk) async throws -> ExitStatus {
    let id = await desk.listedCoin(coin, among: try desk.store.items())
    let items = try desk.store.move(id, to: place).map(\.coinId)
    let place = (items.firstIndex(of: id) ?? 0) + 1
    desk.session.confirm(
      FactView(
        "\(id.printable()) is now number \(place) of \(items.count)",
        .watchlistMoved(id, to: place, count: items.count)))
    return .answered
  }
}
