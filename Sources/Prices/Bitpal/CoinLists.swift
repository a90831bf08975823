import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The cached coin lists of the sources, which decide whether a source has a coin.
///
/// This is the only place that concludes from a list, or from an answer that lacks a coin, that the coin is unknown.
struct CoinLists: Sendable {
  let sources: PriceSources
  let cache: PriceCache
  let settings: ServiceSettings
  let time: any TimeSource

  /// The cached coin lists, in order of fallback, each with its source.
  var cached: [(provider: any PriceProvider, stamp: Sourced<Void>)] {
    sources.listProviders.compactMap { provider in cachedList(of: provider).map { (provider, $0) } }
  }

  /// The coins of the first cached list; empty when none is cached.
  var coins: [CoinListItem] {
    guard let list = cached.first?.stamp, case .coinList(let items)? = cache.answer(for: list.about)?.answer.value
    else { return [] }
    return items
  }

  /// Returns the provenance of a source's cached coin list; nil when it is not cached.
  func cachedList(of provider: any PriceProvider) -> Sourced<Void>? {
    cache.stamp(of: AnswerKey(provider: provider.descriptor.cacheIdentity, kind: .coinList))
  }

  /// Returns whether a cached list has a coin of this id.
  func isListed(_ id: String, in list: Sourced<Void>) -> Bool {
    cache.coins(named: id, provider: list.about.provider).contains { $0.id == id }
  }

  /// Returns whether a list is new enough to prove that a coin which it lacks does not exist.
  func isNewEnough(_ list: Sourced<Void>) -> Bool {
    time.now.since(list.fetchedAt) <= min(settings.coinListTimeToLive, ServiceSettings.absenceTimeToLive)
  }

  // MARK: What a source does not have

  /// Returns the coins that a source on the web cannot know, because such ids are not its own, or because its cached list
  /// lacks them.
  func unlisted(_ coins: [String], at provider: any PriceProvider) -> Set<String> {
    let (descriptor, coins) = (
      provider.descriptor, coins.filter { !$0.isEmpty && CurrencyCoin.currency(of: $0) == nil }
    )
    guard descriptor.needsNetwork, !coins.isEmpty else { return [] }
    guard descriptor.listedIDs != .tickers, descriptor.capabilities.contains(.coinList),
      let list = cachedList(of: provider), time.now.since(list.fetchedAt) <= settings.coinListTimeToLive
    else { return Set(coins.filter { !descriptor.coins.has($0) }) }
    // Of a source's own list an id may have another form than nearly all of them.
    let isOfForm = { coin in descriptor.coins == .smallLetters || descriptor.coins.has(coin) }
    return Set(coins.filter { !isOfForm($0) || !isListed($0, in: list) })
  }

  /// Returns whether the source has answered within the last minute that it does not have the coin.
  ///
  /// For a source that is asked by ticker, a coin list newer than that answer may have brought the coin's ticker.
  func isKnownMissing(_ key: AnswerKey, at provider: any PriceProvider) -> Bool {
    guard let (answer, _) = cache.answer(for: key.ofAbsence) else { return false }
    if provider.descriptor.listedIDs == .tickers, let list = cachedList(of: provider),
      list.fetchedAt >= answer.fetchedAt
    {
      return false
    }
    let age = time.now.since(answer.fetchedAt)
    return age >= .zero && age < ServiceSettings.missingTimeToLive
  }

  /// Returns the failure of a coin that an answer lacks: a coin in the source's own list, or with an answer of the last
  /// day, exists, so it only has no price now.
  ///
  /// - Parameter known: The time of the last answer about the coin; nil where the source has answered about it alone.
  func absence(
    _ error: BitpalError, of coin: String, at provider: any PriceProvider, known: Date? = nil
  ) -> BitpalError {
    guard case .notFound = error, !coin.isEmpty, provider.descriptor.capabilities.contains(.coinList) else {
      return error
    }
    func noPrice(_ proof: String) -> BitpalError {
      .noPrice(coin: coin, provider: provider.descriptor.id, reason: "\(proof), but this answer does not")
    }
    if let list = cachedList(of: provider), isNewEnough(list) {
      guard isListed(coin, in: list) else { return error }
      guard let ticker = sharedTicker(of: coin, at: provider) else { return noPrice("its list of coins has it") }
      return .noPrice(
        coin: coin, provider: provider.descriptor.id,
        reason: "it is asked by ticker, and \(ticker.uppercased()) is that of another coin of its list too")
    }
    let age = known.map { time.now.since($0) }
    guard let age, age >= .zero, age <= ServiceSettings.absenceTimeToLive else { return error }
    return noPrice("its answer of \(age.shortText) ago had one")
  }

  /// Returns the ticker of a coin of the list of a source that is asked by ticker, if the list has it for another coin too.
  private func sharedTicker(of coin: String, at provider: any PriceProvider) -> String? {
    let (identity, isByTicker) = (provider.descriptor.cacheIdentity, provider.descriptor.listedIDs == .tickers)
    guard isByTicker, let item = cache.coins(named: coin, provider: identity).first(where: { $0.id == coin }) else {
      return nil
    }
    return cache.sharesTicker(item, provider: identity) ? item.symbol.lowercased() : nil
  }

  /// Remembers for a minute that coins do not exist at a source.
  func keepAbsences(_ failures: [AnswerKey: BitpalError], from source: String) {
    let absent = failures.filter { if case .notFound = $0.value { true } else { false } }.keys
    cache.store(absent.map { Sourced(.missing, about: $0.ofAbsence, source: source, fetchedAt: time.now) })
  }

  // MARK: Cached prices

  /// Returns the last cached prices of coins, at any age; nil when there are none.
  func prices(of items: [CoinListItem]) -> CandidatePrices? {
    var prices: [String: Decimal] = [:]
    for item in items {
      for provider in sources.providers {
        let key = AnswerKey.quote(item.id, in: settings.currency, from: provider)
        if case .quote(let coin)? = cache.answer(for: key)?.answer.value {
          prices[item.id] = coin.currentPrice
          break
        }
      }
    }
    return prices.isEmpty ? nil : CandidatePrices(currency: settings.currency, prices: prices)
  }

  /// Returns the nearest alias, id or symbol to a text that matches nothing; nil when none is near.
  func nearest(to text: String) -> String? {
    let items = coins
    return NearestName.match(text, among: settings.aliases.keys.sorted() + items.map(\.id) + items.map(\.symbol))
  }
}
