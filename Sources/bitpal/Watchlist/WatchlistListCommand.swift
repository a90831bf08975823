import BitpalConfig
import BitpalModel
import BitpalPortfolio
import BitpalService

/// What `bitpal watchlist list` does.
struct WatchlistListCommand: WatchlistCommand {
  static let spec = CommandSpec(
    "watchlist list", "the coins you follow, with their prices",
    options: [OptionSpec(.sort, .choice(WatchlistOrder.allCases.map(\.rawValue)), help: "order of the rows")],
    details: ["Without --sort the coins stand as they were added or moved."],
    examples: [
      .init("watchlist", "the coins and their prices"),
      .init("watchlist list --sort change --format json", "the best of the day first, for a program"),
    ])

  private let order: WatchlistOrder?

  init(_ arguments: Invocation.Arguments) {
    order = arguments.raw.value(.sort).flatMap(WatchlistOrder.init(rawValue:))
  }

  func run(at desk: WatchlistDesk) async throws -> ExitStatus {
    let items = try desk.store.items()
    let answer =
      items.isEmpty
      ? QuotesAnswer(quotes: [], failures: [])
      : try await desk.service.quotes(
        items.map(\.coinId), currency: desk.settings.currency, policy: desk.session.options.policy)
    try desk.session.show(
      WatchlistView(
        items, answer, order: order, providers: desk.service.descriptors, currency: desk.settings.currency))
    desk.session.console.warn(about: answer.quotes) { $0.id }
    for failure in answer.failures {
      desk.session.console.failure(failure.error, subject: failure.coin)
      if case .notFound = failure.error {
        desk.session.console.notice(
          "\(failure.coin): the coin may have been retired; \"bitpal watchlist remove \(failure.coin)\" takes it out")
      }
    }
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }
}

/// The orders of the watchlist.
enum WatchlistOrder: String, CaseIterable, Sendable {
  /// By name, A to Z.
  case name

  /// By price, highest first.
  case price

  /// By 24 h change, best first; coins without one last.
  case change

  /// As they were added, whatever was moved since.
  case added

  /// The same order among prices; nil for one that prices do not have.
  var priceOrder: PriceOrder? { PriceOrder(rawValue: rawValue) }
}
