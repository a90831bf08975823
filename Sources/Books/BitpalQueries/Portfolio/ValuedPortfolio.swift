package import Bitpal
package import BitpalModel
package import BitpalPortfolio
package import BitpalProviders
package import FoundationEssentials

/// A portfolio at the latest prices, with the answer that these come from.
package struct ValuedPortfolio: Sendable {
  package let name: PortfolioName

  /// The renamings and splits that lack a half, so that coins or their cost are wrong.
  package let loneHalves: [PortfolioError]

  /// Holdings, closed positions and sums.
  package let portfolio: Portfolio

  /// The prices it was valued at, and the coins without one.
  package let answer: QuotesAnswer

  /// The tickers and names of the coins of closed positions, as far as they are known, by id.
  package let coins: [String: CoinListItem]

  /// The configured ones, in order.
  package let providers: [ProviderDescriptor]

  /// Lower case.
  package let currency: String

  /// The method of its gains; the realized gain of `portfolio` is by the moving average in any case.
  package let method: GainMethod

  /// Values the transactions of a store.
  ///
  /// - Parameters:
  ///   - currency: That of the portfolio, lower case.
  ///   - policy: Whether to fetch.
  /// - Throws: `PortfolioError` for transactions that cannot be booked, and for a portfolio that is gone; `BitpalError` when
  ///   no source answers at all.
  package init(
    _ store: TransactionStore, in currency: String, by service: PriceService, policy: FetchPolicy
  ) async throws {
    try store.checkExistence()
    let transactions = try store.transactions()
    let ledger = try PortfolioLedger(transactions)
    let held = ledger.positions.map { service.name(ofID: $0.coinId) }
    let answer = try await PricesQuery(held, currency: currency).answer(by: service, policy: policy)
    let splits = try await Self.splits(transactions, in: currency, by: service, policy, around: answer)
    try self.init(store, transactions, ledger, in: currency, by: service, at: answer, splits)
  }

  /// Values the transactions of a store at prices that are known.
  ///
  /// - Parameter splits: Those of its shares, as far as a price may be of before one.
  /// - Throws: `PortfolioError` for sums that are too large, `BitpalError` when the store cannot be read.
  package init(
    _ store: TransactionStore, _ transactions: [Transaction], in currency: String, by service: PriceService,
    at answer: QuotesAnswer, splits: [String: [StockSplit]]
  ) throws {
    try self.init(
      store, transactions, try PortfolioLedger(transactions), in: currency, by: service, at: answer, splits)
  }

  /// Returns the splits of shares.
  ///
  /// Where the latest price or change of a share may date from before a split, its closes show whether its source restates prices.
  ///
  /// - Parameter answer: The latest prices; nil for those of the coming hours, which concern a split of the last two weeks.
  package static func splits(
    _ transactions: [Transaction], in currency: String, by service: PriceService, _ policy: FetchPolicy,
    around answer: QuotesAnswer? = nil
  ) async throws -> [String: [StockSplit]] {
    let shares = Set(transactions.lazy.filter { $0.label == .split }.map(\.coinId))
    guard !shares.isEmpty else { return [:] }
    let transactions = PortfolioLedger.ordered(transactions.filter { shares.contains($0.coinId) })
    let splits = try StockSplit.all(in: transactions)
    var closes: [String: [Resampling.DailyClose]] = [:]
    let concerned =
      answer?.quotes.filter { quote in splits[quote.value.id]?.contains { $0.concerns(quote) } == true }.map(\.value.id)
      ?? splits.filter { $0.value.contains { service.time.now.since($0.instant) < .seconds(14 * 86_400) } }.keys
      .sorted()
    for coin in concerned {
      guard let first = transactions.filter({ $0.coinId == coin }).map(\.date).min() else { continue }
      closes[coin] = await service.closes(of: coin, since: first, in: currency, policy)
    }
    return closes.isEmpty ? splits : try StockSplit.all(in: transactions, closes: closes)
  }

  private init(
    _ store: TransactionStore, _ transactions: [Transaction], _ ledger: PortfolioLedger, in currency: String,
    by service: PriceService, at answer: QuotesAnswer, _ splits: [String: [StockSplit]]
  ) throws {
    self.answer = answer
    var quotes = Dictionary(answer.quotes.map { ($0.value.id, $0) }) { first, _ in first }
    for (coin, splits) in splits {
      for split in splits { if let quote = quotes[coin] { quotes[coin] = try split.restating(quote) } }
    }
    let yesterday = service.time.now.adding(.seconds(-86_400))
    let moved =
      transactions.contains { $0.date > yesterday }
      ? try PortfolioLedger.bookings(transactions).map(\.transaction).filter { $0.date > yesterday } : []
    portfolio = try Portfolio(ledger, quotes: quotes, moved: moved)
    coins = service.listed(Set(ledger.closed.map(\.coinId)))
    loneHalves = JoinedHalves.faults(among: transactions)
    name = store.portfolio
    method = try store.method() ?? .average
    providers = service.descriptors
    self.currency = currency
  }

  /// Returns the data of the widget; nil when nothing that is held has a price.
  ///
  /// A snapshot is as old as its oldest stale price.
  ///
  /// - Parameter now: The present instant.
  package func widgetData(now: Date) -> WidgetPortfolioData? {
    let stale = answer.quotes.filter(\.freshness.isStale).map(\.fetchedAt)
    return WidgetPortfolioData(
      portfolio, currency: currency, lastUpdated: ([now] + stale).min() ?? now, hasStalePrices: !stale.isEmpty)
  }
}

extension PriceService {
  /// Returns the closes of a coin from a day until yesterday, as far as a source has them; nil where none answers.
  func closes(
    of id: String, since first: Date, in currency: String, _ policy: FetchPolicy
  ) async -> [Resampling.DailyClose]? {
    let newest = time.now.startOfDay.adding(.seconds(-86_400))
    guard first <= newest else { return nil }
    return try? await history(
      name(ofID: id), from: first, to: newest, currency: currency, reach: .asFarAsItGoes, policy: policy
    ).value
  }
}
