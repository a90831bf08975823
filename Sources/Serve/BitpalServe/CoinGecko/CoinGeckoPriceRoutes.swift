import Bitpal
import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalQueries
import FoundationEssentials

/// `/simple/price` and `/coins/markets`.
struct CoinGeckoPriceRoutes: Sendable {
  private let market: Market

  init(_ market: Market) {
    self.market = market
  }

  /// The largest number of prices in one request; a longer list is refused, as CoinGecko does.
  private static let most = 500

  /// Answers `/simple/price`.
  ///
  /// - Throws: `BitpalError.usage` for missing or bad parameters and too many ids, otherwise the error of the source
  ///   when no coin has a price.
  func simple(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currencies = try request.members("vs_currencies").map { try WebRequest.currency($0, "vs_currencies") }.distinct
    guard !currencies.isEmpty else { throw BitpalError.usage("Missing parameter vs_currencies") }
    let coins = request.coins()
    guard !coins.isEmpty else { throw BitpalError.usage("Missing parameter ids") }
    guard coins.count * currencies.count <= Self.most else { throw BitpalError.usage("too many ids") }
    let number = try CoinGeckoNumber(precision: request["precision"])
    let switches: [(String, CoinGeckoPrices.Extras)] = [
      ("include_market_cap", .marketCap), ("include_24hr_vol", .volume), ("include_24hr_change", .change),
      ("include_last_updated_at", .time),
    ]
    let extras = CoinGeckoPrices.Extras(switches.filter { request.isOn($0.0) }.map(\.1))
    let names = coins.map(\.name)
    var figures: [String: [String: Sourced<CoinDetail>]] = [:]
    var prices: [QuotesAnswer] = []
    for currency in currencies {
      let answer = try await market.quotes.answer(PricesQuery(names, currency: currency))
      if !extras.isDisjoint(with: [.marketCap, .volume]) {
        figures[currency] = await market.figures(answer.priced, currency: currency)
      }
      prices.append(answer)
    }
    let parts = prices.flatMap(\.priced).map(\.quote)
    // A coin that the source lacks is left out, as CoinGecko does. A coin whose request failed is null.
    if parts.isEmpty, let failure = prices.flatMap(\.errors).first(where: { !$0.isOfQuestion }) { throw failure }
    let rows = coins.compactMap { coin in
      Self.row(
        coin.key, zip(currencies, prices).map { ($0, $1.outcomes[coin.name], figures[$0]?[coin.name]) })
    }
    return WebResponse(
      CoinGeckoPrices(rows, extras, number).text, as: .json,
      headers: ProvenanceHeaders(parts).headers(market, began: began)
        + Self.failed(coins.map { coin in (coin.key, prices.compactMap { $0.error(coin.name) }) }))
  }

  /// Returns the row of a coin with its outcomes by currency; nil for a coin that the source lacks.
  private static func row(
    _ key: String,
    _ outcomes: [(currency: String, price: Result<Sourced<Coin>, BitpalError>?, figures: Sourced<CoinDetail>?)]
  ) -> CoinGeckoPrices.Row? {
    let prices = outcomes.compactMap { outcome in
      (try? outcome.price?.get()).map { (outcome.currency, $0.value, outcome.figures?.value) }
    }
    let isKnown = outcomes.contains { $0.price?.error?.code == .unsupportedCurrency }
    let failed = outcomes.compactMap { outcome in
      outcome.price?.error.flatMap { $0.isOfQuestion ? nil : outcome.currency }
    }
    return prices.isEmpty && failed.isEmpty && !isKnown ? nil : CoinGeckoPrices.Row(key, prices, failed: failed)
  }

  /// Returns the header with the coins that have no price because of a failure, each with its error code; none without
  /// a failure.
  private static func failed(_ coins: [(name: String, errors: [BitpalError])]) -> [WebHeader] {
    let failed = coins.compactMap { name, errors in
      errors.first { !$0.isOfQuestion }.map { "\(name)=\($0.code.rawValue)" }
    }
    return failed.isEmpty ? [] : [WebHeader("X-Bitpal-Failed", failed.asHeader)]
  }

  /// Answers `/coins/markets`.
  ///
  /// - Throws: `BitpalError.usage` for bad parameters and too many ids, `BitpalError.unsupportedCurrency`, or the error
  ///   of the source when no coin has a price.
  func markets(_ request: WebRequest) async throws -> WebResponse {
    let began = market.now
    let currency = try request.vsCurrency()
    let number = try CoinGeckoNumber(precision: request["precision"])
    let page = try MarketPage(request)
    let order = try MarketOrder(request["order"])
    try request.refuse("category", "names")
    let named = request.coins()
    guard let page else { return WebResponse("[]", as: .json) }
    // Named coins are sorted before they are divided into pages; of the whole list, only one page is requested.
    let names = named.isEmpty ? try await listed(page, order, currency) : named.map(\.name)
    guard named.isEmpty ? !names.isEmpty : names.count > page.skipped else { return WebResponse("[]", as: .json) }
    guard names.count <= Self.most else { throw BitpalError.usage("too many ids") }
    let prices = try await market.quotes.answer(PricesQuery(names, currency: currency))
    let quotes = prices.priced
    if quotes.isEmpty, let failure = prices.errors.first(where: { !$0.isOfQuestion }) { throw failure }
    if quotes.isEmpty, prices.errors.contains(where: { $0.code == .unsupportedCurrency }) {
      throw BitpalError.unsupportedCurrency(currency, provider: "", supported: [])
    }
    var rows = order.sorted(try await priced(quotes, currency: currency), by: \.detail)
    // A coin whose source has failed has a row without figures, after the others: a row that is missing would say that
    // the coin does not exist.
    var failed = names.flatMap { name in prices.error(name).map { Self.rows(name, of: $0, at: market.now) } ?? [] }
    if !named.isEmpty {
      failed = Array(failed.dropFirst(max(0, page.skipped - rows.count)))
      rows = page.cut(rows)
      failed = Array(failed.prefix(page.size - rows.count))
    }
    let shown = try await shown(rows, currency: currency, withWeeks: request.isOn("sparkline"))
    let windows = request.members("price_change_percentage").distinct.filter(CoinGeckoMarkets.windows.contains)
    return WebResponse(
      CoinGeckoMarkets(shown + failed, windows: windows, number).text, as: .json,
      headers: ProvenanceHeaders(quotes.map(\.quote)).headers(market, began: began)
        + Self.failed(
          zip(named.isEmpty ? names : named.map(\.key), names).map { ($0, [prices.error($1)].compactMap(\.self)) }))
  }

  /// A coin that has a price, with its figures.
  private typealias PricedRow = (name: String, fetchedAt: Date, detail: CoinDetail)

  /// Returns the figures of coins at the prices of their quotes, which are newer.
  private func priced(
    _ quotes: [(name: String, quote: Sourced<Coin>)], currency: String
  ) async throws -> [PricedRow] {
    let figures = await market.figures(quotes, currency: currency)
    return try quotes.map { name, quote in
      (name, quote.fetchedAt, try figures[name]?.value.with(quote.value) ?? CoinDetail(validating: quote.value))
    }
  }

  /// Returns the rows as the answer shows them, with the line of a week where it is wanted.
  private func shown(
    _ rows: [PricedRow], currency: String, withWeeks: Bool
  ) async throws -> [CoinGeckoMarkets.Row] {
    var shown: [CoinGeckoMarkets.Row] = []
    for row in rows {
      let week = withWeeks ? await market.week(row.name, id: row.detail.id, currency: currency) : nil
      shown.append(CoinGeckoMarkets.Row(row.detail, fetchedAt: row.fetchedAt, week: week))
    }
    return shown
  }

  /// Returns the row of a coin whose source has failed or has no price, or those of the coins that share a ticker; none for a coin that
  /// does not exist or is not recorded, or whose id is not known.
  private static func rows(_ name: String, of failure: BitpalError, at now: Date) -> [CoinGeckoMarkets.Row] {
    func row(_ id: String, _ coin: CoinListItem?) -> CoinGeckoMarkets.Row {
      CoinGeckoMarkets.Row(failed: id, symbol: coin?.symbol ?? "", name: coin?.name ?? id, asked: now)
    }
    if case .ambiguous(_, let candidates, _) = failure { return candidates.map { row($0.id, $0) } }
    guard failure.code == .noPrice || !failure.isOfQuestion && failure.code != .notRecorded else { return [] }
    guard name.hasPrefix("id:") else { return WellKnownCoins.coin(ticker: name).map { [row($0.id, $0)] } ?? [] }
    let id = String(name.dropFirst(3))
    return [row(id, WellKnownCoins.coin(ofID: id))]
  }

  /// The values of `order`.
  static let orders = MarketOrder.allCases.map(\.rawValue)

  /// The last row of the source's own order that is asked for: each page of the source is a list to keep.
  private static let lastRanked = 1000

  /// Returns the coins of a page by market value or volume as `id:…`, largest first; nil for another order, and where no
  /// source lists its coins so, or so many of them.
  ///
  /// - Throws: The error of the source.
  private func ranked(_ page: MarketPage, _ order: MarketOrder, _ currency: String) async throws -> [String]? {
    guard [.valueDown, .volumeDown].contains(order), market.service.listsRanked,
      page.skipped <= Self.lastRanked - page.size
    else { return nil }
    let size = DialectProvider.rankedPageSize
    let first = page.skipped / size
    var ids: [String] = []
    for number in first...((page.skipped + page.size - 1) / size) {
      let page = RankedPage(number + 1, byVolume: order == .volumeDown)
      ids += try await market.service.ranked(page, currency: currency).value.map(\.id)
    }
    return ids.dropFirst(page.skipped - first * size).prefix(page.size).map { "id:\($0)" }
  }

  /// Returns the coins of a page of all coins as `id:…`, best known first or in another order that the source has.
  ///
  /// - Throws: `BitpalError.usage` when the source has no list, or not in that order, otherwise its error.
  private func listed(_ page: MarketPage, _ order: MarketOrder, _ currency: String) async throws -> [String] {
    if let ranked = try await ranked(page, order, currency) { return ranked }
    guard market.service.descriptors.contains(where: { $0.capabilities.contains(.coinList) }) else {
      let source = market.service.descriptors.first?.id ?? ""
      throw BitpalError.usage("Missing parameter ids (\(source) has no list of coins)")
    }
    let ids = try await market.service.coinList().value.map(\.id)
    let places = Dictionary(
      WellKnownCoins.all.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    let known = ids.filter { places[$0] != nil }.sorted { places[$0, default: 0] < places[$1, default: 0] }
    let names = (known + ids.filter { places[$0] == nil }).map { "id:\($0)" }
    guard names.count > page.skipped else { return [] }
    return page.cut(try order.sorted(names, onOnePage: names.count <= page.size))
  }
}

/// A page of a market.
private struct MarketPage {
  /// The number of rows on the pages before it.
  let skipped: Int

  /// The largest number of its rows.
  let size: Int

  /// Reads `per_page` and `page`; nil for a page beyond every list.
  ///
  /// Larger pages are silently reduced to 250 rows, as CoinGecko does.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for what is not a number above zero.
  init?(_ request: WebRequest) throws {
    size = min(250, try request.count("per_page") ?? 100)
    let (skipped, isBeyond) = ((try request.count("page") ?? 1) - 1).multipliedReportingOverflow(by: size)
    if isBeyond { return nil }
    self.skipped = skipped
  }

  /// Returns the rows of the page among all rows.
  func cut<Row>(_ rows: [Row]) -> [Row] { Array(rows.dropFirst(skipped).prefix(size)) }
}

/// The order of the rows of a market.
private enum MarketOrder: String, CaseIterable {
  case valueDown = "market_cap_desc"
  case valueUp = "market_cap_asc"
  case volumeDown = "volume_desc"
  case volumeUp = "volume_asc"
  case idUp = "id_asc"
  case idDown = "id_desc"

  /// Reads the value of `order`; nil means by market value, largest first.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown value.
  init(_ text: String?) throws(BitpalError) {
    guard let order = MarketOrder(rawValue: text ?? Self.valueDown.rawValue) else {
      throw .usage("order: unknown order \"\(text ?? "")\"")
    }
    self = order
  }

  /// Returns the names of all coins of a list in this order, in so far as it divides them into pages.
  ///
  /// The list is best known first, which stands for market values.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an order by figures that are requested a page at a time.
  func sorted(_ names: [String], onOnePage isOnePage: Bool) throws(BitpalError) -> [String] {
    switch self {
    case .valueDown: return names
    case .idUp: return names.sorted()
    case .idDown: return names.sorted(by: >)
    case .valueUp, .volumeDown, .volumeUp:
      guard isOnePage else {
        throw .usage(
          "order: the whole list cannot be in the order \(rawValue) here", hint: "ask for ids, or leave it out")
      }
      return names
    }
  }

  /// Returns the rows in this order; those without the figure come last and keep their order.
  func sorted<Row>(_ rows: [Row], by detail: (Row) -> CoinDetail) -> [Row] {
    let numbered = rows.enumerated().map { (index: $0, row: $1, detail: detail($1)) }
    func by(_ figure: (CoinDetail) -> Decimal?, isDown: Bool) -> [Row] {
      numbered.sorted { left, right in
        switch (figure(left.detail), figure(right.detail)) {
        case (let one?, let other?) where one != other: isDown ? one > other : one < other
        case (.some, nil): true
        case (nil, .some): false
        default: left.index < right.index
        }
      }.map(\.row)
    }
    switch self {
    case .valueDown: return by(\.marketCap, isDown: true)
    case .valueUp: return by(\.marketCap, isDown: false)
    case .volumeDown: return by(\.totalVolume, isDown: true)
    case .volumeUp: return by(\.totalVolume, isDown: false)
    case .idUp: return numbered.sorted { $0.detail.id < $1.detail.id }.map(\.row)
    case .idDown: return numbered.sorted { $0.detail.id > $1.detail.id }.map(\.row)
    }
  }
}

extension Result where Failure == BitpalError {
  /// The failure; nil for an answer.
  var error: BitpalError? { if case .failure(let error) = self { error } else { nil } }
}

extension BitpalError {
  /// Whether the question is the cause of a failure, and not the source.
  ///
  /// A recording that lacks a coin does not show whether the coin exists.
  fileprivate var isOfQuestion: Bool {
    code.status == 404 && code != .notRecorded || code == .unsupportedCurrency
  }
}
