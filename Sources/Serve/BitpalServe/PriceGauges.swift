import Bitpal
import BitpalModel
import BitpalOutput
import BitpalPortfolio
import BitpalQueries
import FoundationEssentials

/// The prices in `/metrics`: those of the coins that the scrape names, and for their owner those of the watchlist, and
/// the portfolio.
///
/// A price that is not known has no sample. What no cache has is fetched for the next scrape: counters do not wait for
/// a source.
struct PriceGauges: Sendable {
  private let site: Site

  /// Whether prices are being fetched for the next scrape.
  private let isFetching = Locked(false)

  init(_ site: Site) {
    self.site = site
  }

  private var market: Market { site.market }

  /// The largest number of coins of a scrape.
  private static let most = 250

  /// The parameters of `/metrics`.
  private static let parameters = ["coins", "currency"]

  /// Returns the gauges in Prometheus' text format; empty without coins.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for an unknown parameter, and for too many coins.
  func text(for request: WebRequest) async throws(BitpalError) -> String {
    if let unknown = request.query.first(where: { !Self.parameters.contains($0.name) }) {
      throw .usage(
        "unknown parameter \"\(unknown.name.printable(limit: 80))\"",
        hint: "there are: \(Self.parameters.joined(separator: ", "))")
    }
    let own = site.shown(to: request)
    var coins = request.members("coins").distinct
    for id in (try? own.followed()) ?? [] {
      let name = market.service.name(ofID: id)
      if !coins.contains(name) { coins.append(name) }
    }
    guard coins.count <= Self.most else { throw .usage("no more than \(Self.most) coins at once") }
    var page = MetricsPage()
    if !coins.isEmpty {
      let query = PricesQuery(coins, currency: try request.currency() ?? market.defaults.currency)
      let quotes = await known(query)
      write(quotes, query.currency, to: &page)
      let priced = Set(quotes.map(\.value.id))
      page.family("bitpal_price_missing", .gauge, "Whether a coin that is asked for has no price.")
      for coin in coins where !priced.contains((try? market.service.knownID(of: coin)) ?? coin) {
        page.sample("bitpal_price_missing", ["coin": coin, "currency": query.currency], "1")
      }
    }
    if let store = own.own.portfolio { await write(store, to: &page) }
    return page.text
  }

  /// Returns the prices that can be had without a request, and has the others fetched.
  private func known(_ query: PricesQuery) async -> [Sourced<Coin>] {
    let cached = try? await query.answer(by: market.service, policy: policy)
    guard market.isOnWeb, cached?.failures.isEmpty != true else { return cached?.quotes ?? [] }
    fetch(query)
    // What no source can answer now has the last price of any of them, marked as old.
    let older = try? await query.answer(by: market.service, policy: .offline)
    return query.coins.compactMap { cached?.quote($0) ?? older?.quote($0) }
  }

  private var policy: FetchPolicy { market.isOnWeb ? .renewing : .normal }

  /// Fetches prices for the next scrape, one request at a time.
  private func fetch(_ query: PricesQuery) {
    let isFirst = isFetching.withLock { isFetching in
      defer { isFetching = true }
      return !isFetching
    }
    guard isFirst else { return }
    Task(executorPreference: BlockingPool.shared) { [isFetching, market] in
      _ = try? await market.quotes.answer(query)
      isFetching.withLock { $0 = false }
    }
  }

  private func write(_ quotes: [Sourced<Coin>], _ currency: String, to page: inout MetricsPage) {
    func family(_ name: String, _ help: String, _ value: (Sourced<Coin>) -> String?) {
      page.family(name, .gauge, help)
      for quote in quotes {
        guard let value = value(quote) else { continue }
        page.sample(
          name, ["coin": quote.value.id, "symbol": quote.value.symbol, "currency": currency], value)
      }
    }
    family("bitpal_price", "The latest price of one coin.") { $0.value.currentPrice.plainText }
    family("bitpal_price_change_24h_percent", "The change of the price over 24 hours in percent.") {
      $0.value.priceChangePercentage24h?.plainText
    }
    family("bitpal_price_fetched_timestamp_seconds", "The time at which the price was fetched.") {
      "\($0.fetchedAt.milliseconds / 1000)"
    }
    // Not a label of the price, whose series would end where another source answers.
    page.family("bitpal_price_source_info", .gauge, "The source of a price.")
    for quote in quotes {
      page.sample(
        "bitpal_price_source_info", ["coin": quote.value.id, "currency": currency, "source": quote.source], "1")
    }
    // A price that is renewed behind the scrape is not old: an alert that waits for fresh ones would never ring.
    family("bitpal_price_stale", "Whether the price is marked as old.") { quote in
      if case .stale(let age, .renewing) = quote.freshness, age < market.service.quotesTimeToLive * 2 { return "0" }
      return quote.freshness.isStale ? "1" : "0"
    }
  }

  /// Writes the value of the portfolio; a value that lacks a coin has no sample.
  private func write(_ store: TransactionStore, to page: inout MetricsPage) async {
    guard let currency = try? store.info()?.ownCurrency ?? market.defaults.currency,
      var valued = try? await ValuedPortfolio(store, in: currency, by: market.service, policy: policy)
    else { return }
    if market.isOnWeb, !valued.answer.failures.isEmpty {
      fetch(PricesQuery(valued.answer.coins, currency: currency))
      let older = try? await ValuedPortfolio(store, in: currency, by: market.service, policy: .offline)
      if let older, older.answer.failures.count < valued.answer.failures.count { valued = older }
    }
    let sums = valued.portfolio.summary
    func family(_ name: String, _ help: String, _ value: Decimal?) {
      page.family(name, .gauge, help)
      guard let value else { return }
      page.sample(name, ["portfolio": valued.name.text, "currency": currency], value.plainText)
    }
    family("bitpal_portfolio_value", "The value of the holdings.", sums.isComplete ? sums.totalValue : nil)
    family("bitpal_portfolio_open_cost", "The cost of the holdings.", sums.totalOpenCost)
    family("bitpal_portfolio_complete", "Whether every holding has a price.", sums.isComplete ? 1 : 0)
  }
}
