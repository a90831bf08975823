import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries

/// The `bitpal watchlist add COIN…` command, which adds coins to the watchlist.
struct WatchlistAddCommand: WatchlistCommand {
  static let name = "watchlist add"
  static let spec = CommandSpec(
    name, "follow coins", operands: .some("COIN"),
    options: [
      ParameterSpec(
        "group", .text("GROUP"), "assign the coins to a group; \"\" takes them out of theirs", mayBeEmpty: true),
      ParameterSpec("note", .text("TEXT"), "a note about the coins; \"\" removes it", mayBeEmpty: true),
    ],
    details: [
      "All coins are added, or none if one of them is unknown or already in the watchlist. With --group or --note a "
        + "coin that is in the watchlist keeps its place and gets the new group or note."
    ],
    examples: [
      .init("watchlist add bitcoin eth solana", "three at once"),
      .init("watchlist add btc --group core --note 'the first one'", "with a group and a note"),
    ])

  private let coins: [String]
  private let group: String?
  private let note: String?

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.coins
    group = arguments.raw["group"]
    note = arguments.raw["note"]
  }

  func run(in context: WatchlistContext) async throws -> ExitStatus {
    let (ids, failures) = try await context.service.existing(
      coins, currency: context.settings.currency, policy: context.session.options.policy)
    for failure in failures { context.session.console.failure(failure.error, subject: failure.coin) }
    // All coins are added or none, so that the same command can be repeated after a failure.
    if let first = failures.first {
      if context.session.options.format == .json { throw first.error }
      if coins.count > 1 { context.session.console.aside("bitpal: nothing was added\n") }
      return ExitStatus(answered: 0, failures: failures.map(\.error.code))
    }
    let before = try context.store.items().count
    let added = try context.store.add(ids, group: group, note: note, now: context.service.time.now).map(\.coinId)
    let count = try context.store.items().count
    let done = count == before ? "changed" : "added"
    context.session.confirm(
      FactView(
        "\(done) \(added.joined(separator: ", ").printable()); \(count) in the watchlist",
        DoneOutput(Self.name, ["coins": added, "count": count])))
    return .answered
  }
}

/// The `bitpal watchlist remove COIN…` command, which removes coins from the watchlist.
struct WatchlistRemoveCommand: WatchlistCommand {
  static let name = "watchlist remove"
  static let spec = CommandSpec(
    name, "stop following coins", operands: .some("COIN"),
    examples: [.init("watchlist remove solana", "the others stay")])

  private let coins: [String]

  init(_ arguments: Invocation.Arguments) {
    coins = arguments.coins
  }

  func run(in context: WatchlistContext) async throws -> ExitStatus {
    let items = try context.store.items()
    var ids: [String] = []
    // The name is looked up in the watchlist, so that a coin which the source has retired can be removed.
    for coin in coins { ids.append(await context.listedCoin(coin, among: items)) }
    let removed = try context.store.remove(ids).map(\.coinId)
    let count = try context.store.items().count
    context.session.confirm(
      FactView(
        "removed \(removed.joined(separator: ", ").printable()); \(count) left",
        DoneOutput(Self.name, ["coins": removed, "count": count])))
    return .answered
  }
}

/// The `bitpal watchlist move COIN PLACE` command, which moves a coin within the watchlist.
struct WatchlistMoveCommand: WatchlistCommand {
  static let name = "watchlist move"
  static let spec = CommandSpec(
    name, "move a coin to another place", operands: .exactly(["COIN", "PLACE"]),
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

  func run(in context: WatchlistContext) async throws -> ExitStatus {
    let id = await context.listedCoin(coin, among: try context.store.items())
    let items = try context.store.move(id, to: place).map(\.coinId)
    let place = (items.firstIndex(of: id) ?? 0) + 1
    context.session.confirm(
      FactView(
        "\(id.printable()) is now number \(place) of \(items.count)",
        DoneOutput(Self.name, about: WellKnownCoins.name(ofID: id), ["place": place, "count": items.count])))
    return .answered
  }
}
