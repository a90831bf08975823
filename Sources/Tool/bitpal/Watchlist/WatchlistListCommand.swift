import Bitpal
import BitpalConfig
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// The `bitpal watchlist list` command, which lists the watchlist with prices.
struct WatchlistListCommand: WatchlistCommand {
  static let name = "watchlist list"
  static let spec = CommandSpec(
    name, "the coins you follow, with their prices",
    options: [WatchlistQuery.order, PriceOrder.reverse, WatchlistQuery.group],
    details: ["Without --sort the coins stand as they were added or moved; \"added\" lists the newest first."],
    examples: [
      .init("watchlist", "the coins and their prices"),
      .init("watchlist list --sort change --format json", "the best of the day first, for a program"),
    ])

  private let query: WatchlistQuery

  init(_ arguments: Invocation.Arguments) throws(BitpalError) {
    self.init(query: try WatchlistQuery(arguments.raw))
  }

  private init(query: WatchlistQuery) { self.query = query }

  /// Returns the command for a line without a command; nil where nothing is followed, or it is not known.
  static func ofFilledList(_ session: Session, _ raw: RawArguments) -> WatchlistListCommand? {
    guard let settings = try? session.settings(isSilent: true),
      let items = try? WatchlistContext.store(session, settings).items(), !items.isEmpty
    else { return nil }
    return (try? WatchlistQuery(raw)).map { WatchlistListCommand(query: $0) }
  }

  func run(in context: WatchlistContext) async throws -> ExitStatus {
    let (session, service, currency) = (context.session, context.service, context.settings.currency)
    let answer = try await query.answer(
      from: context.store, currency: currency, by: service, policy: session.options.policy)
    try session.show(WatchlistView(answer, providers: service.descriptors, currency: currency))
    let prices = answer.prices
    session.console.warn(about: prices.quotes) { service.name(ofID: $0.id) }
    for failure in prices.failures {
      session.console.failure(failure.error, subject: failure.coin)
      if answer.retired.contains(failure.coin) {
        session.console.notice(
          "\(failure.coin): the coin may have been retired; \"bitpal watchlist remove \(failure.coin)\" takes it out")
      }
    }
    return ExitStatus(answered: prices.quotes.count, failures: prices.failures.map(\.error.code))
  }
}

/// The coins of the watchlist with their prices; a coin without a price has a row without one.
struct WatchlistView: View {
  let output: WatchlistOutput
  private let providers: [ProviderDescriptor]

  init(_ answer: WatchlistAnswer, providers: [ProviderDescriptor], currency: String) {
    self.providers = providers
    output = WatchlistOutput(
      answer.rows, figures: answer.figures, failures: answer.prices.failures, provider: providers.first?.id,
      currency: currency)
  }

  func table(style: Style) -> String {
    let rows = output.items
    if rows.isEmpty { return "The watchlist is empty. \"bitpal watchlist add COIN\" adds the first.\n" }
    let origins = rows.compactMap { $0.quote.map(Provenance.init) }
    let (hasGroups, hasNotes) = (rows.contains { $0.item.group != nil }, rows.contains { $0.item.note != nil })
    func marks(_ item: WatchlistItem) -> [TextTable.Cell] {
      (hasGroups ? [.init(item.group ?? "")] : []) + (hasNotes ? [.init(item.note ?? "")] : [])
    }
    let hasFigures = PricesView.hasFigures(nil, style) && !output.figures.isEmpty
    func figures(_ coin: String) -> [TextTable.Cell] {
      hasFigures ? [.rank(output.figures[coin])] + TextTable.Cell.worth(output.figures[coin]) : []
    }
    var table = TextTable(
      [
        .init("COIN", widest: 32, narrowest: 10), .init("SYMBOL", widest: 12, drops: 2),
        .init("PRICE \(output.currency.uppercased())", .right), .init("24H", .right, drops: 3),
      ]
        + (hasFigures
          ? [.init("RANK", .right, drops: 1), .init("MARKET CAP", .right, drops: 1), .init("VOLUME", .right, drops: 1)]
          : [])
        + [.init("ADDED", drops: 1)] + (hasGroups ? [.init("GROUP", widest: 20, drops: 4)] : [])
        + (hasNotes ? [.init("NOTE", widest: 60, narrowest: 8, drops: 5)] : []) + [.init("", narrowest: 8)])
    for (item, quote) in rows {
      let added = TextTable.Cell(style.minute(item.dateAdded))
      guard let quote else {
        table.add(
          [.init(item.coinId), "", "-", "-"] + figures(item.coinId) + [added] + marks(item)
            + [.init("no price", .warning)])
        continue
      }
      table.add(
        [
          .init(quote.value.name), .init(quote.value.symbol.uppercased()),
          .init(style.price(quote.value.currentPrice)), .change(quote.value.priceChangePercentage24h),
        ] + figures(item.coinId) + [added] + marks(item) + [.init(quote.freshness.text ?? "", .warning)])
    }
    let source = origins.isEmpty ? "" : Provenance.line(origins, providers: providers, style: style) + "\n\n"
    return source + table.text(style: style)
  }
}
