package import BitpalModel
package import FoundationEssentials

/// A recorded split of a share, and whether its source's closes of before are in the shares of after.
package struct StockSplit {
  /// The id of its second half.
  let id: UUID

  /// The midnight in UTC at which its day begins.
  let day: Date

  /// Whether it has a day and no time.
  private let isOfDay: Bool

  /// The instant from which it is in force.
  package let instant: Date

  /// The number of shares for one of before, and the other way round.
  let ratio: DecimalParts
  let reciprocal: DecimalParts

  /// Whether closes before the split are given as if it had been then, which closes that do not show it are not; nil without closes.
  private(set) var isInCloses: Bool?

  /// Returns the splits of all coins, in their order, judged by the closes.
  ///
  /// - Parameter transactions: In the order in which they are booked.
  package static func all(
    in transactions: [Transaction], closes: [String: [Resampling.DailyClose]] = [:]
  ) throws(PortfolioError) -> [String: [StockSplit]] {
    var splits: [String: [StockSplit]] = [:]
    var last: [String: Decimal] = [:]
    for transaction in transactions where transaction.label == .split {
      guard transaction.type.isIncoming, let old = last[transaction.coinId] else {
        last[transaction.coinId] = transaction.amount
        continue
      }
      splits[transaction.coinId, default: []].append(
        StockSplit(
          id: transaction.id, day: transaction.date.startOfDay, isOfDay: transaction.isOfDay,
          instant: transaction.instant,
          ratio: try quotient(transaction.amount, old), reciprocal: try quotient(old, transaction.amount)))
    }
    for (coin, known) in splits {
      let closes = (closes[coin] ?? []).filter { $0.carriedFrom == nil }
      let isInCloses =
        isInCloses(known, closes, transactions.filter { $0.coinId == coin }) ?? (closes.isEmpty ? nil : false)
      for place in known.indices { splits[coin]?[place].isInCloses = isInCloses }
    }
    return splits
  }

  /// Returns whether a source gives the closes before the splits of a coin in the shares of after, as it does for all of them;
  /// nil where nothing shows it.
  ///
  /// The closes on both sides of the largest split show it, where that is larger than what happens in a day; otherwise the prices
  /// that were recorded before, beside the closes of their days, or the last ones of up to a week before.
  private static func isInCloses(
    _ splits: [StockSplit], _ closes: [Resampling.DailyClose], _ transactions: [Transaction]
  ) -> Bool? {
    let steps = splits.compactMap { split in split.step(in: closes).map { (split, isInCloses: $0) } }
    let largest = steps.max { $0.0.size < $1.0.size }
    if let largest, largest.0.size >= 1.4 { return largest.isInCloses }
    let prices = transactions.compactMap { stated($0, splits, closes) }
    let votes = prices.reduce(0) { $0 + ($1.isOfThen ? 1 : -1) }
    return votes == 0 ? largest?.isInCloses : votes > 0
  }

  /// Returns the number of shares of now for one at the time of a transaction, and whether its price is nearer to that of a share of
  /// then, where the close is one of a share of now; nil without a price, without a close of up to a week before, and without a
  /// split after it.
  private static func stated(
    _ transaction: Transaction, _ splits: [StockSplit], _ closes: [Resampling.DailyClose]
  ) -> (ratio: Decimal, isOfThen: Bool)? {
    let day = transaction.date.startOfDay
    let ratio = splits.filter { transaction.instant < $0.instant }.compactMap(\.ratio.decimal).reduce(1, *)
    guard let price = transaction.pricePerCoin, price > 0, ratio != 1,
      let close = closes.last(where: { $0.day <= day }),
      day.since(close.day) <= .seconds(86_400 * ValueHistory.carriedDays)
    else { return nil }
    return (ratio, (price * price > close.price * close.price * ratio) == (ratio > 1))
  }

  /// Returns the transactions of a coin whose prices are those of a share of after its splits, each with that of a share of then, in
  /// their order; none unless the closes show that their source restates those of before.
  ///
  /// Such a price is nearer to the close as the source gives it than to that of a share of then; both have to differ by more than what
  /// happens in a day.
  ///
  /// - Parameters:
  ///   - transactions: Those of one coin, in the order in which they are booked.
  ///   - closes: The closes of that coin.
  package static func restatedPrices(
    in transactions: [Transaction], closes: [Resampling.DailyClose]
  ) throws(PortfolioError) -> [(transaction: Transaction, price: Decimal)] {
    guard let coin = transactions.first?.coinId, let splits = try all(in: transactions, closes: [coin: closes])[coin],
      splits.contains(where: { $0.isInCloses == true })
    else { return [] }
    let own = closes.filter { $0.carriedFrom == nil }
    return transactions.compactMap { transaction in
      guard let price = transaction.pricePerCoin, let (ratio, isOfThen) = stated(transaction, splits, own), !isOfThen,
        ratio >= 1.4 || ratio * 1.4 <= 1
      else { return nil }
      return (transaction, price * ratio)
    }
  }

  /// The larger of the ratio and its reciprocal.
  private var size: Decimal { max(ratio.decimal ?? 1, reciprocal.decimal ?? 1) }

  /// Returns whether the closes on both sides of the split differ hardly, and not by its ratio; nil without closes on both sides.
  ///
  /// The step between them is compared with the root of the ratio.
  private func step(in closes: [Resampling.DailyClose]) -> Bool? {
    guard let next = closes.firstIndex(where: { $0.day >= day }), next > 0, let ratio = ratio.decimal else {
      return nil
    }
    let (before, after) = (closes[next - 1].price, closes[next].price)
    let (step, root) = (before * before, after * after * ratio)
    return ratio > 1 ? step < root : step > root
  }

  private static func quotient(_ left: Decimal, _ right: Decimal) throws(PortfolioError) -> DecimalParts {
    try (try? left.divided(by: right)).flatMap { DecimalParts($0) }.fitting("the ratio of a split")
  }

  // MARK: Latest prices

  /// Returns whether the split came after a price: by its day where the split or the price is one of a day.
  package func isAfter(_ quote: Sourced<Coin>) -> Bool {
    let time = min(quote.value.lastUpdated ?? quote.fetchedAt, quote.fetchedAt)
    return isOfDay || time == time.startOfDay ? time.startOfDay < day : time < instant
  }

  /// Whether a quote may be one of a share of before, or compare it with one of now.
  package func concerns(_ quote: Sourced<Coin>) -> Bool {
    isAfter(quote) || instant > (quote.value.lastUpdated ?? quote.fetchedAt).adding(.seconds(-86_400))
  }

  /// Returns a quote for one share of now, where its source answered about one of before the split; its change of 24 hours compares
  /// the same shares.
  ///
  /// A source that restates its closes restates these too. Without closes nothing shows whether it does, and the quote stays.
  package func restating(_ quote: Sourced<Coin>) throws(PortfolioError) -> Sourced<Coin> {
    let coin = quote.value
    guard concerns(quote) else { return quote }
    if isAfter(quote) {
      // What was fetched before the split cannot know of it.
      guard isInCloses == false || quote.fetchedAt.startOfDay < day && quote.fetchedAt < instant else { return quote }
      let price = try DecimalParts(coin.currentPrice)?.valued(at: reciprocal)?.decimal.fitting("a price", of: coin.id)
      let restated = try coin.with(price ?? coin.currentPrice, change: coin.priceChangePercentage24h)
      return quote.map { _ in restated }
    }
    guard isInCloses == false, let change = coin.priceChangePercentage24h, let ratio = ratio.decimal else {
      return quote
    }
    // The price of before is nearer to that of a share of before than to that of one of now.
    let step = 100 + change
    guard ratio > 1 ? step * step * ratio < 10_000 : step * step * ratio > 10_000 else { return quote }
    let restated = try coin.with(coin.currentPrice, change: step * ratio - 100)
    return quote.map { _ in restated }
  }
}

extension Coin {
  fileprivate func with(_ price: Decimal, change: Decimal?) throws(PortfolioError) -> Coin {
    try
      (try? Coin(
        validating: id, symbol: symbol, name: name, currentPrice: price, priceChangePercentage24h: change,
        lastUpdated: lastUpdated, place: place)).fitting("a price", of: id)
  }
}
