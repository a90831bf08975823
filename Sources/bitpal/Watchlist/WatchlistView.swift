import BitpalJSON
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The coins the user follows, with their prices; a coin without a price stands there without one.
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
      .init("COIN", widest: 32), .init("SYMBOL", widest: 12), .init("PRICE \(output.currency.uppercased())", .right),
      .init("24H", .right), .init("ADDED"), .init(""),
    ])
    for (item, quote) in rows {
      let added = TextTable.Cell(item.dateAdded.utcMinuteText)
      guard let quote else {
        table.add([.init(item.coinId), "", "-", "-", added, .init("no price", .warning)])
        continue
      }
      table.add([
        .init(quote.value.name), .init(quote.value.symbol.uppercased()),
        .init(NumberFormat.price(quote.value.currentPrice)), .change(quote.value.priceChange24h), added,
        .init(Provenance(quote).staleText ?? "", .warning),
      ])
    }
    let source = origins.isEmpty ? "" : Provenance.line(origins, providers: providers, style: style) + "\n\n"
    return source + table.text(style: style)
  }
}
