import BitpalCharts
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import BitpalService

/// The latest prices of several coins, and the failures of others.
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
      QuotesAnswer(quotes: order?.sorted(answer.quotes) ?? answer.quotes, failures: answer.failures),
      provider: providers.first?.id, currency: currency)
  }

  func table(style: Style) -> String {
    let quotes = output.quotes
    if quotes.isEmpty { return "" }
    let origins = quotes.map(Provenance.init)
    // Usually there is one source and nothing stale; only the exceptions take a column.
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
        .change(coin.priceChangePercentage24h),
      ]
      if let sparklines { row.append(sparklines.cell(coin.id)) }
      // A source that states no time for a price has the time of fetching instead.
      row.append(.init(coin.lastUpdated.map(style.time) ?? "fetched \(style.time(origin.fetchedAt))"))
      if hasSources { row.append(.init(origin.source)) }
      if hasPlaces { row.append(.init(coin.place.map(PathText.name(of:)) ?? "")) }
      if hasStale { row.append(.init(origin.freshness.text ?? "", .warning)) }
      table.add(row)
    }
    return Provenance.line(origins, providers: providers, style: style) + "\n\n" + table.text(style: style)
  }
}

/// The sparklines of a table, one per coin.
struct Sparklines: Sendable {
  /// The coins without a line.
  let missing: [String]

  private let cells: [String: TextTable.Cell]

  /// Creates the sparklines.
  ///
  /// - Parameter line: The known prices of a coin; nil for none.
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

  /// Returns the line of a coin; an empty cell when there is none.
  func cell(_ coin: String) -> TextTable.Cell { cells[coin] ?? "" }

  /// The number of characters in a line: three per day.
  private static let width = 21
}
