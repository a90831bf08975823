import BitpalJSON
import BitpalModel
import BitpalPortfolio
import BitpalProviders
import BitpalService
import FoundationEssentials

/// The coins the user follows, with their prices; a coin without a price stands there without one.
struct WatchlistView: View {
  private let rowsOfItems: [(item: WatchlistItem, quote: Sourced<Coin>?)]
  private let failures: [CoinFailure]
  private let providers: [ProviderDescriptor]
  private let currency: String

  init(
    _ items: [WatchlistItem], _ answer: QuotesAnswer, order: WatchlistOrder?, providers: [ProviderDescriptor],
    currency: String
  ) {
    failures = answer.failures
    self.providers = providers
    self.currency = currency
    let quotes = Dictionary(answer.quotes.map { ($0.value.id, $0) }) { first, _ in first }
    let rows = items.map { (item: $0, quote: quotes[$0.coinId]) }
    switch order {
    case nil:
      rowsOfItems = rows
    case .added?:
      rowsOfItems = rows.sorted { $0.item.dateAdded < $1.item.dateAdded }
    case .name?, .price?, .change?:
      let sorted = PricesView.sorted(answer.quotes, order?.priceOrder)
      let places = Dictionary(sorted.enumerated().map { ($0.element.value.id, $0.offset) }) { first, _ in first }
      rowsOfItems = rows.sorted { (places[$0.item.coinId] ?? .max) < (places[$1.item.coinId] ?? .max) }
    }
  }

  var columns: [String] { PriceRow.columns + ["date_added"] }

  var rows: [JSONObject] {
    rowsOfItems.map { item, quote in
      let row =
        quote.map { PriceRow.json($0.value, Origin($0)) }
        ?? JSONObject(PriceRow.columns.map { ($0, $0 == "id" ? .string(item.coinId) : .null) })
      return row + ["date_added": JSONValue(item.dateAdded)]
    }
  }

  var json: JSONObject {
    [
      "schema": "bitpal.watchlist/1", "provider": JSONValue(providers.first?.id), "currency": .string(currency),
      "items": .array(rows.map(JSONValue.object)),
      "errors": .array(
        failures.map { failure in
          [
            "coin": .string(failure.coin), "code": .string(failure.error.code.rawValue),
            "message": .string(failure.error.description),
          ]
        }),
    ]
  }

  func table(style: Style) -> String {
    if rowsOfItems.isEmpty { return "The watchlist is empty. \"bitpal watchlist add COIN\" adds the first.\n" }
    let origins = rowsOfItems.compactMap { $0.quote.map(Origin.init) }
    var table = TextTable([
      .init("COIN", widest: 32), .init("SYMBOL", widest: 12), .init("PRICE \(currency.uppercased())", .right),
      .init("24H", .right), .init("ADDED"), .init(""),
    ])
    for (item, quote) in rowsOfItems {
      let added = TextTable.Cell(item.dateAdded.utcMinuteText)
      guard let quote else {
        table.add([.init(item.coinId), "", "-", "-", added, .init("no price", .warning)])
        continue
      }
      table.add([
        .init(quote.value.name), .init(quote.value.symbol.uppercased()),
        .init(NumberFormat.price(quote.value.currentPrice)), PriceRow.changeCell(quote.value.priceChange24h), added,
        .init(Origin(quote).staleText ?? "", .warning),
      ])
    }
    let source = origins.isEmpty ? "" : Origin.line(origins, providers: providers, style: style) + "\n\n"
    return source + table.text(style: style)
  }
}
