import BitpalCharts
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// Latest prices of several coins, and why some have none.
struct PricesView: View {
  let output: PricesOutput
  private let providers: [ProviderDescriptor]
  private let sparklines: Sparklines?

  init(
    _ answer: QuotesAnswer, order: PriceOrder?, providers: [ProviderDescriptor], currency: String,
    sparklines: Sparklines? = nil
  ) {
    self.sparklines = sparklines
    self.providers = providers
    output = PricesOutput(
      QuotesAnswer(quotes: Self.sorted(answer.quotes, order), failures: answer.failures),
      provider: providers.first?.id, currency: currency)
  }

  func table(style: Style) -> String {
    let quotes = output.quotes
    if quotes.isEmpty { return "" }
    let origins = quotes.map(Provenance.init)
    // One source and nothing stale is the rule; only the exceptions take a column.
    let hasSources = Set(origins.map(\.source)).count > 1
    let hasStale = origins.contains { $0.freshness.isStale }
    var columns: [TextTable.Column] = [
      .init("COIN", widest: 32, narrowest: 10), .init("SYMBOL", widest: 12, drops: 3),
      .init("PRICE \(output.currency.uppercased())", .right), .init("24H", .right, drops: 5),
    ]
    if sparklines != nil { columns.append(.init("WEEK", drops: 4)) }
    columns.append(.init("UPDATED", drops: 1))
    let hasPlaces = quotes.contains { $0.value.place != nil }
    if hasSources { columns.append(.init("SOURCE", drops: 2)) }
    if hasPlaces { columns.append(.init("FROM", narrowest: 10)) }
    if hasStale { columns.append(.init("STATE", narrowest: 6)) }
    var table = TextTable(columns)
    for (coin, origin) in zip(quotes.map(\.value), origins) {
      var row: [TextTable.Cell] = [
        .init(coin.name), .init(coin.symbol.uppercased()), .init(style.price(coin.currentPrice)),
        .change(coin.priceChange24h),
      ]
      if let sparklines { row.append(sparklines.cell(coin.id)) }
      // Where the source does not say when the price was made, the time of fetching is the next best thing to know.
      row.append(.init(coin.lastUpdated.map(style.time) ?? "fetched \(style.time(origin.fetchedAt))"))
      if hasSources { row.append(.init(origin.source)) }
      if hasPlaces { row.append(.init(coin.place.map(PathText.name(of:)) ?? "")) }
      if hasStale { row.append(.init(origin.freshness.text ?? "", .warning)) }
      table.add(row)
    }
    return Provenance.line(origins, providers: providers, style: style) + "\n\n" + table.text(style: style)
  }

  /// The quotes in an order; as they are without one.
  static func sorted(_ quotes: [Sourced<Coin>], _ order: PriceOrder?) -> [Sourced<Coin>] {
    switch order {
    case nil:
      quotes
    case .name:
      // Two coins of one name keep their places from one run to the next by their ids.
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

/// The orders of a price table.
enum PriceOrder: String, CaseIterable, Sendable {
  /// By name, A to Z.
  case name

  /// By price, highest first.
  case price

  /// By 24 h change, best first; coins without one last.
  case change
}

/// A little line for each coin of a table.
struct Sparklines: Sendable {
  /// The coins without one.
  let missing: [String]

  private let cells: [String: TextTable.Cell]

  /// - Parameter line: What is at hand of a coin's line.
  init(_ coins: [String], ascii: Bool, line: (String) -> LineSeries?) {
    var cells: [String: TextTable.Cell] = [:]
    for coin in coins {
      guard let points = line(coin)?.points, let statistics = ChartStatistics(line: points) else { continue }
      cells[coin] = TextTable.Cell(
        Sparkline.text(points, width: Self.width, ascii: ascii), statistics.isPositive ? .good : .bad)
    }
    self.cells = cells
    missing = coins.filter { cells[$0] == nil }
  }

  /// The line of a coin; empty when there is none.
  func cell(_ coin: String) -> TextTable.Cell { cells[coin] ?? "" }

  /// Three characters a day.
  private static let width = 21
}
