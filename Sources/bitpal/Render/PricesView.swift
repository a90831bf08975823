import BitpalJSON
import BitpalModel
import BitpalProviders
import BitpalService
import FoundationEssentials

/// Latest prices of several coins, and why some have none.
struct PricesView: View {
  private let quotes: [Sourced<Coin>]
  private let failures: [CoinFailure]
  private let providers: [ProviderDescriptor]
  private let currency: String
  private let sparklines: Sparklines?

  init(
    _ answer: QuotesAnswer, order: PriceOrder?, providers: [ProviderDescriptor], currency: String,
    sparklines: Sparklines? = nil
  ) {
    self.sparklines = sparklines
    quotes = Self.sorted(answer.quotes, order)
    failures = answer.failures
    self.providers = providers
    self.currency = currency
  }

  var columns: [String] { PriceRow.columns }

  var rows: [JSONObject] { quotes.map { PriceRow.json($0.value, Origin($0)) } }

  var json: JSONObject {
    [
      "schema": "bitpal.prices/1", "provider": JSONValue(providers.first?.id), "currency": .string(currency),
      "prices": .array(rows.map(JSONValue.object)),
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
    if quotes.isEmpty { return "" }
    let origins = quotes.map(Origin.init)
    // One source and nothing stale is the rule; only the exceptions take a column.
    let hasSources = Set(origins.map(\.source)).count > 1
    let hasStale = origins.contains { $0.freshness.isStale }
    var columns: [TextTable.Column] = [
      .init("COIN", widest: 32), .init("SYMBOL", widest: 12), .init("PRICE \(currency.uppercased())", .right),
      .init("24H", .right),
    ]
    if sparklines != nil { columns.append(.init("WEEK")) }
    columns.append(.init("UPDATED"))
    if hasSources { columns.append(.init("SOURCE")) }
    if hasStale { columns.append(.init("STATE")) }
    var table = TextTable(columns)
    for (coin, origin) in zip(quotes.map(\.value), origins) {
      var row: [TextTable.Cell] = [
        .init(coin.name), .init(coin.symbol.uppercased()), .init(NumberFormat.price(coin.currentPrice)),
        PriceRow.changeCell(coin.priceChange24h),
      ]
      if let sparklines { row.append(sparklines.cell(coin.id)) }
      row.append(.init(coin.lastUpdated?.utcText ?? "fetched \(origin.fetchedAt.utcText)"))
      if hasSources { row.append(.init(origin.source)) }
      if hasStale { row.append(.init(origin.staleText ?? "", .warning)) }
      table.add(row)
    }
    return Origin.line(origins, providers: providers, style: style) + "\n\n" + table.text(style: style)
  }

  /// The quotes in an order; as they are without one.
  static func sorted(_ quotes: [Sourced<Coin>], _ order: PriceOrder?) -> [Sourced<Coin>] {
    switch order {
    case nil:
      quotes
    case .name:
      quotes.sorted { ($0.value.name.lowercased(), $0.value.id) < ($1.value.name.lowercased(), $1.value.id) }
    case .price:
      quotes.sorted { $0.value.currentPrice > $1.value.currentPrice }
    case .change:
      quotes.sorted { left, right in
        guard let leftChange = left.value.priceChange24h else { return false }
        return right.value.priceChange24h.map { leftChange > $0 } ?? true
      }
    }
  }
}
