import BitpalCache
public import BitpalModel
import BitpalProviders
package import FoundationEssentials

/// The coin lists of the sources: fetched, looked into and searched.
extension PriceService {
  /// Returns every coin of the first provider that has a list and answers; fetched at most once per time to live.
  ///
  /// - Throws: `BitpalError` when no list can be had; `CancellationError`.
  public func coinList(policy: FetchPolicy = .normal) async throws -> Sourced<[CoinListItem]> {
    try await BlockingPool.run {
      try await answer(.coinList(timeToLive: settings.coinListTimeToLive), policy: policy)
    }
  }

  /// Returns the last cached prices of coins, at any age; nil when there are none.
  package func cachedPrices(of items: [CoinListItem]) -> CandidatePrices? {
    var prices: [String: Decimal] = [:]
    for item in items {
      for provider in providers {
        let key = AnswerKey(
          provider: provider.descriptor.cacheIdentity, kind: .quote, coin: item.id, currency: settings.currency)
        if case .quote(let coin)? = cache.answer(for: key)?.answer.value {
          prices[item.id] = coin.currentPrice
          break
        }
      }
    }
    return prices.isEmpty ? nil : CandidatePrices(currency: settings.currency, prices: prices)
  }

  /// Returns the time at which the newest cached price of a coin was fetched; nil when there is none.
  package func lastPriced(_ id: String, currency: String) -> Date? {
    providers.compactMap { provider in
      cache.answer(
        for: AnswerKey(provider: provider.descriptor.cacheIdentity, kind: .quote, coin: id, currency: currency)
      )?.answer.fetchedAt
    }.max()
  }

  /// The sources with a coin list, in order of fallback.
  var listProviders: [any PriceProvider] {
    providers.filter { $0.descriptor.capabilities.contains(.coinList) }
  }

  /// The cached coin lists, in order of fallback, each with its source.
  var cachedLists: [(provider: any PriceProvider, stamp: Sourced<Void>)] {
    listProviders.compactMap { provider in cachedList(of: provider).map { (provider, $0) } }
  }

  /// Returns the provenance of a source's cached coin list; nil when it is not cached.
  func cachedList(of provider: any PriceProvider) -> Sourced<Void>? {
    cache.stamp(of: AnswerKey(provider: provider.descriptor.cacheIdentity, kind: .coinList))
  }

  /// Whether a cached list has a coin of this id.
  func isListed(_ id: String, in list: Sourced<Void>) -> Bool {
    cache.coins(named: id, provider: list.about.provider).contains { $0.id == id }
  }

  /// Whether a list is new enough to prove that a coin which it lacks does not exist.
  func isNewEnough(_ list: Sourced<Void>) -> Bool {
    time.now.since(list.fetchedAt) <= min(settings.coinListTimeToLive, ServiceSettings.absenceTimeToLive)
  }

  /// Returns the coins that a source on the web cannot know, because its own cached list lacks them.
  func unknownByList(_ coins: [String], at provider: any PriceProvider) -> Set<String> {
    guard provider.descriptor.needsNetwork, provider.descriptor.listedIDs != .tickers,
      provider.descriptor.capabilities.contains(.coinList), let list = cachedList(of: provider),
      time.now.since(list.fetchedAt) <= settings.coinListTimeToLive
    else { return [] }
    return Set(coins.filter { !$0.isEmpty && CurrencyCoin.currency(of: $0) == nil && !isListed($0, in: list) })
  }

  /// Fetches the coin lists that are missing or older than a day.
  ///
  /// - Parameter isWanted: Whether the list of a source is useful.
  /// - Returns: The failure of the first list that could not be fetched; nil when all are new enough, or may not be
  ///   fetched.
  func renewCoinLists(
    _ policy: FetchPolicy, where isWanted: (any PriceProvider) -> Bool = { _ in true }
  ) async -> BitpalError? {
    var failure: BitpalError?
    for provider in listProviders
    where isWanted(provider) && (cachedList(of: provider).map { !isNewEnough($0) } ?? true) {
      guard policy.mayFetch || policy == .offline && !provider.descriptor.needsNetwork else { continue }
      let question = Question.coinList(timeToLive: ServiceSettings.absenceTimeToLive)
      let outcomes = try? await fetch(question, question.coins, from: provider, policy: policy)
      // A list that a recording does not have, or that a source does not offer, leaves nothing open.
      if case .failure(let error)? = outcomes?.values.first, error.has(.staleIfError) {
        failure = failure ?? error
      }
    }
    return failure
  }

  /// The coins of the first cached list; empty when none is cached.
  var coinsAtHand: [CoinListItem] {
    guard let list = cachedLists.first?.stamp, case .coinList(let items)? = cache.answer(for: list.about)?.answer.value
    else { return [] }
    return items
  }

  /// Fetches a coin list unless one is cached.
  ///
  /// - Returns: Whether there is a list.
  func loadCoinList(policy: FetchPolicy) async -> Bool {
    // The reason for a missing list matters less than the failure that caused this lookup, and one lookup does not
    // justify fetching a cached list again.
    (try? await listToSearch(policy == .refresh ? .normal : policy)) != nil
  }

  /// Fetches a list unless one is cached, without reading it.
  private func listToSearch(_ policy: FetchPolicy) async throws -> Sourced<Void> {
    if policy != .refresh, let stamp = cachedLists.first?.stamp {
      let rule = FreshnessRule(timeToLive: settings.coinListTimeToLive, maxStale: .zero)
      if case .serve = rule.decide(age: time.now.since(stamp.fetchedAt), policy: policy) { return stamp }
    }
    return try await coinList(policy: policy).map { _ in () }
  }

  /// Returns the coins whose id, symbol or name contains a text, best matches first.
  ///
  /// Well-known coins that begin with the text come first, the best known of them before the others. Exact symbols and
  /// ids follow, then other texts that begin with it, then the rest, each sorted by name. Case and diacritics do not
  /// matter.
  ///
  /// The cached coin list is searched; it is fetched at most once per time to live. `.refresh` fetches it now.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for an empty text.
  public func search(
    _ text: String, limit: Int = 50, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[CoinListItem]> {
    try await BlockingPool.run {
      guard let search = CoinSearch(text) else {
        throw BitpalError.usage("there is nothing to search for", hint: "give a part of a coin's id, symbol or name")
      }
      let list = try await listToSearch(policy)
      let source = list.about.provider
      let known = search.wellKnown.compactMap { coin in
        cache.coins(named: coin.id, provider: source).first { $0.id == coin.id }
      }
      let others = cache.search(search, limit: limit, provider: source).filter { !known.contains($0) }
      return list.map { _ in Array(search.inOrder(known + others).prefix(max(0, limit))) }
    }
  }

  /// Returns the nearest alias, id or symbol to a text that matches nothing; nil when none is near.
  package func nearestCoin(to text: String) -> String? {
    let items = coinsAtHand
    return NearestName.match(text, among: settings.aliases.keys.sorted() + items.map(\.id) + items.map(\.symbol))
  }
}
