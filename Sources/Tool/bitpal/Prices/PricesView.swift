import Bitpal
import BitpalCharts
import BitpalFiles
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries

/// The latest prices of several coins, and the failures of others.
struct PricesView: View {
  let output: PricesOutput
  private let providers: [ProviderDescriptor]
  private let sparklines: Sparklines?

  private let order: PriceOrder?

  /// Returns whether a table shows market figures: in the order by them, and in a terminal that is wide enough.
  static func hasFigures(_ order: PriceOrder?, _ style: Style) -> Bool {
    order == .marketCap || (style.width ?? 0) >= Style.widthForFigures
  }

  /// Creates a view.
  ///
  /// - Parameters:
  ///   - figures: The market figures that came with the prices, by the ids of the coins.
  ///   - others: The prices in further currencies, each in a column of its own.
  init(
    _ answer: QuotesAnswer, order: PriceOrder?, isReversed: Bool = false, figures: [String: CoinDetail] = [:],
    providers: [ProviderDescriptor], currency: String, others: [PricesOutput.Others] = [],
    sparklines: Sparklines? = nil
  ) {
    self.sparklines = sparklines
    self.providers = providers
    self.order = order
    let sorted = order?.sorted(answer.quotes, figures: figures, isReversed: isReversed)
    output = PricesOutput(
      QuotesAnswer(
        quotes: sorted ?? (isReversed ? answer.quotes.reversed() : answer.quotes), failures: answer.failures),
      provider: providers.first?.id, currency: currency, figures: figures, others: others)
  }

  /// Returns the source's time of a price, otherwise that of fetching; of one that is the whole day's, such as a rate or the
  /// value of a fund, its date.
  private func time(of coin: Coin, from origin: Provenance, _ style: Style) -> String {
    guard let instant = coin.lastUpdated else { return "fetched \(style.time(origin.fetchedAt))" }
    let source = providers.first { $0.id == origin.source }
    let isOfDay = source.map { $0.hasPauses || $0.hasStepPrices } ?? (CurrencyCoin.currency(of: coin.id) != nil)
    return style.time(instant, isOfDay: isOfDay)
  }

  func table(style: Style) -> String {
    let quotes = output.quotes
    if quotes.isEmpty { return "" }
    let origins = quotes.map(Provenance.init)
    let all = origins + output.others.flatMap { $0.quotes.map(Provenance.init) }
    // Usually there is one source and nothing stale; only the exceptions take a column.
    let hasSources = Set(all.map(\.source)).count > 1
    let hasStale = all.contains { $0.freshness.isStale }
    let hasPlaces = quotes.contains { $0.value.place != nil }
    let hasAgreement = quotes.contains { $0.agreement != nil }
    let hasFigures = order == .marketCap || Self.hasFigures(order, style) && !output.figures.isEmpty
    let hasVolumes = hasFigures && quotes.contains { $0.value.volume != nil }
    var table = TextTable(
      columns(
        hasFigures: hasFigures, hasVolumes: hasVolumes, hasAgreement: hasAgreement, hasSources: hasSources,
        hasPlaces: hasPlaces, hasStale: hasStale))
    for (coin, origin) in zip(quotes.map(\.value), origins) {
      let figures = output.figures[coin.id]
      let others = output.others.map { $0.quotes.first { $0.value.id == coin.id } }
      var row: [TextTable.Cell] = hasFigures ? [.rank(figures)] : []
      row += [.init(coin.name), .init(coin.symbol.uppercased()), .init(style.price(coin.currentPrice))]
      row += others.map { $0.map { .init(style.price($0.value.currentPrice)) } ?? "-" }
      row.append(.change(coin.priceChangePercentage24h))
      if hasFigures {
        row += TextTable.Cell.worth(figures)
        if hasVolumes { row.append(coin.volume.map { .init(NumberFormat.short($0)) } ?? "-") }
      }
      if let sparklines { row.append(sparklines.cell(coin.id)) }
      row.append(.init(time(of: coin, from: origin, style)))
      if hasAgreement { row.append(.init(origin.agreement?.countText ?? "-")) }
      if hasSources { row.append(.init(sources(of: origin, others))) }
      if hasPlaces { row.append(.init(coin.place.map(PathText.name(of:)) ?? "")) }
      if hasStale {
        let freshness = ([origin] + others.compactMap { $0.map(Provenance.init) }).lazy.compactMap(\.freshness.text)
        row.append(.init(freshness.first ?? "", .warning))
      }
      table.add(row)
    }
    return Provenance.line(all, providers: providers, style: style) + "\n\n" + table.text(style: style)
  }

  private func columns(
    hasFigures: Bool, hasVolumes: Bool, hasAgreement: Bool, hasSources: Bool, hasPlaces: Bool, hasStale: Bool
  ) -> [TextTable.Column] {
    var columns: [TextTable.Column] = hasFigures ? [.init("#", .right, drops: 6)] : []
    columns += [.init("COIN", widest: 32, narrowest: 10), .init("SYMBOL", widest: 12, drops: 3)]
    columns += ([output.currency] + output.others.map(\.currency)).map { .init("PRICE \($0.uppercased())", .right) }
    columns.append(.init("24H", .right, drops: 5))
    if hasFigures { columns += [.init("MARKET CAP", .right, drops: 7), .init("VOLUME", .right, drops: 2)] }
    if hasVolumes { columns.append(.init("COINS", .right, drops: 2)) }
    if sparklines != nil { columns.append(.init("WEEK", drops: 4)) }
    columns.append(.init("UPDATED", drops: 1))
    if hasAgreement { columns.append(.init("AGREE")) }
    if hasSources { columns.append(.init("SOURCE", drops: 2)) }
    if hasPlaces { columns.append(.init("FROM", narrowest: 10)) }
    if hasStale { columns.append(.init("STATE", narrowest: 6)) }
    return columns
  }

  /// Returns the sources of a coin's prices, each once.
  private func sources(of origin: Provenance, _ others: [Sourced<Coin>?]) -> String {
    ([origin.source] + others.compactMap { $0?.source }).distinct.joined(separator: ", ")
  }
}

extension TextTable.Cell {
  /// Returns the rank of a coin by market value; a dash for none.
  static func rank(_ figures: CoinDetail?) -> TextTable.Cell { figures?.rank.map { .init("\($0)") } ?? "-" }

  /// Returns the market value and the volume of a coin in short, a dash for one that is not known.
  static func worth(_ figures: CoinDetail?) -> [TextTable.Cell] {
    [figures?.marketCap, figures?.totalVolume].map { $0.map { .init(NumberFormat.short($0)) } ?? "-" }
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
