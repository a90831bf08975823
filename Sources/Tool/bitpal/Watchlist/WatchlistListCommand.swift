import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import BitpalService
import FoundationEssentials

/// The `bitpal watchlist list` command, which lists the watchlist with prices.
struct WatchlistListCommand: WatchlistCommand {
  static let name = "watchlist list"
  static let spec = CommandSpec(
    name, "the coins you follow, with their prices",
    options: [ParameterSpec("sort", .choice(WatchlistOrder.allCases.map(\.rawValue)), "order of the rows")],
    details: ["Without --sort the coins stand as they were added or moved."],
    examples: [
      .init("watchlist", "the coins and their prices"),
      .init("watchlist list --sort change --format json", "the best of the day first, for a program"),
    ])

  private let order: WatchlistOrder?

  init(_ arguments: Invocation.Arguments) {
    order = arguments.raw["sort"].flatMap(WatchlistOrder.init(rawValue:))
  }

  func run(in context: WatchlistContext) async throws -> ExitStatus {
    let items = try context.store.items()
    let query = PricesQuery(
      items.map { context.service.name(ofID: $0.coinId) }, currency: context.settings.currency)
    let answer = try await query.answer(by: context.service, policy: context.session.options.policy)
    try context.session.show(
      WatchlistView(
        items, answer, order: order, providers: context.service.descriptors, currency: context.settings.currency))
    context.session.console.warn(about: answer.quotes) { context.service.name(ofID: $0.id) }
    for failure in answer.failures {
      context.session.console.failure(failure.error, subject: failure.coin)
      let id = items.first { context.service.name(ofID: $0.coinId) == failure.coin }
      if failure.error.code == .notFound, let id, context.isLongAbsent(id) {
        context.session.console.notice(
          "\(failure.coin): the coin may have been retired; \"bitpal watchlist remove \(failure.coin)\" takes it out")
      }
    }
    return ExitStatus(answered: answer.quotes.count, failures: answer.failures.map(\.error.code))
  }
}

/// The order of the watchlist.
enum WatchlistOrder: String, CaseIterable, Sendable {
  /// The order by name, A to Z.
  case name

  /// The order by price, highest first.
  case price

  /// The order by 24 h change, best first; coins without one come last.
  case change

  /// The order in which the coins were added, without later moves.
  case added

  /// The same order of prices; nil for ``added``, which prices do not have.
  var priceOrder: PriceOrder? { PriceOrder(rawValue: rawValue) }
}

/// The coins of the watchlist with their prices; a coin without a price has a row without one.
struct WatchlistView: View {
  let output: WatchlistOutput
  private let providers: [ProviderDescriptor]

  init(
    _ items: [WatchlistItem], _ answer: QuotesAnswer, order: WatchlistOrder?, providers: [ProviderDescriptor],
    currency: String
  ) {
    self.providers = providers
    let quotes = Dictionary(answer.quotes.map { ($0.value.id, $0) }) { first, _ in first }
    var rows = items.map { (item: $0, quote: quotes[$0.coinId]) }
    switch order {
    case nil:
      break
    case .added?:
      rows.sort { $0.item.dateAdded < $1.item.dateAdded }
    case .name?, .price?, .change?:
      let sorted = PricesView.sorted(answer.quotes, order?.priceOrder)
      let places = Dictionary(sorted.enumerated().map { ($0.element.value.id, $0.offset) }) { first, _ in first }
      rows.sort { (places[$0.item.coinId] ?? .max) < (places[$1.item.coinId] ?? .max) }
    }
    output = WatchlistOutput(rows, failures: answer.failures, provider: providers.first?.id, currency: currency)
  }

  func table(style: Style) -> String {
    let rows = output.items
    if rows.isEmpty { return "The watchlist is empty. \"bitpal watchlist add COIN\" adds the first.\n" }
    let origins = rows.compactMap { $0.quote.map(Provenance.init) }
    var table = TextTable([
      .init("COIN", widest: 32, narrowest: 10), .init("SYMBOL", widest: 12, drops: 2),
      .init("PRICE \(output.currency.uppercased())", .right), .init("24H", .right, drops: 3),
      .init("ADDED", drops: 1), .init("", narrowest: 8),
    ])
    for (item, quote) in rows {
      let added = TextTable.Cell(style.minute(item.dateAdded))
      guard let quote else {
        table.add([.init(item.coinId), "", "-", "-", added, .init("no price", .warning)])
        continue
      }
      table.add([
        .init(quote.value.name), .init(quote.value.symbol.uppercased()),
        .init(style.price(quote.value.currentPrice)), .change(quote.value.priceChange24h), added,
        .init(quote.freshness.text ?? "", .warning),
      ])
    }
    let source = origins.isEmpty ? "" : Provenance.line(origins, providers: providers, style: style) + "\n\n"
    return source + table.text(style: style)
  }
}
