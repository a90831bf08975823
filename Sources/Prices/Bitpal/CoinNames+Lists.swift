import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The fetching and searching of coin lists.
extension CoinNames {
  /// Returns every coin of the first provider that has a list and answers; fetched at most once per time to live.
  ///
  /// - Throws: `BitpalError` when no list can be had; `CancellationError`.
  func coinList(policy: FetchPolicy) async throws -> Sourced<[CoinListItem]> {
    try await asker.answer(.coinList(timeToLive: settings.coinListTimeToLive), policy: policy)
  }

  /// Fetches the coin lists that are missing or older than a day.
  ///
  /// - Parameter isWanted: Whether the list of a source is useful.
  /// - Returns: The failure of the first list that could not be fetched; nil when all are new enough, or may not be
  ///   fetched.
  func renewLists(
    _ policy: FetchPolicy, where isWanted: (any PriceProvider) -> Bool = { _ in true }
  ) async -> BitpalError? {
    var failure: BitpalError?
    for provider in sources.listProviders
    where isWanted(provider) && (lists.cachedList(of: provider).map { !lists.isNewEnough($0) } ?? true) {
      guard policy.mayFetch || policy == .offline && !provider.descriptor.needsNetwork else { continue }
      let question = Question.coinList(timeToLive: ServiceSettings.absenceTimeToLive)
      let outcomes = try? await asker.ask(question, question.coins, of: provider, policy: policy)
      // A list that a recording does not have, or that a source does not offer, leaves nothing open.
      if case .failure(let error)? = outcomes?.values.first, error.has(.staleIfError) {
        failure = failure ?? error
      }
    }
    return failure
  }

  /// Returns the ids, of some given ones, that no coin list has; nil when no list can be had.
  func unlisted(_ ids: [String], policy: FetchPolicy) async -> [String]? {
    func missing() -> [String] {
      let cached = lists.cached
      return ids.filter { id in !cached.contains { lists.isListed(id, in: $0.stamp) } }
    }
    if lists.cached.isEmpty || !missing().isEmpty { _ = await renewLists(policy) }
    return lists.cached.isEmpty ? nil : missing()
  }

  /// Returns the ticker of a coin: its alias, otherwise the well-known ticker, otherwise the symbol of the coin list,
  /// otherwise the id.
  ///
  /// A currency has its code.
  func symbol(of id: String, policy: FetchPolicy) async -> String {
    if let currency = CurrencyCoin.currency(of: id) { return currency }
    if let alias = settings.aliases.filter({ $0.value == id }).map(\.key).min() { return alias }
    if let known = WellKnownCoins.coin(ofID: id) { return known.symbol }
    func listed() -> String? {
      sources.providers.lazy.flatMap { asker.cache.coins(named: id, provider: $0.descriptor.cacheIdentity) }
        .first { $0.id == id }?.symbol
    }
    if let symbol = listed() { return symbol }
    // The reason for a missing list matters less than the failure that caused this lookup, and one lookup does not
    // justify fetching a cached list again.
    _ = try? await listToSearch(policy == .refresh ? .normal : policy)
    return listed() ?? id
  }

  /// Returns the name that a coin has alone where no other can be meant: its ticker, otherwise its id.
  ///
  /// A ticker is that of the alias or the well-known coin that has it. A code of a currency is the currency's, and a ticker that
  /// is another coin's too, or its id, in the list that has the coin is that of none.
  func soleName(of id: String, policy: FetchPolicy) async -> String {
    let symbol = await symbol(of: id, policy: policy)
    if CurrencyCoin.currency(of: id) != nil { return symbol }
    if CurrencyCoin.isCurrency(symbol) { return id }
    if let owner = settings.aliases[symbol.lowercased()] ?? WellKnownCoins.coin(ticker: symbol)?.id {
      return owner == id ? symbol : id
    }
    let lists = sources.providers.lazy.map(\.descriptor.cacheIdentity)
    let list = lists.first { list in asker.cache.coins(named: id, provider: list).contains { $0.id == id } }
    let isShared = list.map { asker.cache.coins(named: symbol, provider: $0).contains { $0.id != id } }
    return isShared == true && id.lowercased() != symbol.lowercased() ? id : symbol
  }

  /// Returns the coins whose id, symbol or name contains a text, best matches first.
  ///
  /// - Throws: `.usage` for an empty text; the failure of the list.
  func search(_ text: String, limit: Int, policy: FetchPolicy) async throws -> Sourced<[CoinListItem]> {
    guard let search = CoinSearch(text) else {
      throw BitpalError.usage("there is nothing to search for", hint: "give a part of a coin's id, symbol or name")
    }
    let list = try await listToSearch(policy)
    let source = list.about.provider
    let wellKnown = search.wellKnown
    let known = wellKnown.compactMap { coin in
      asker.cache.coins(named: coin.id, provider: source).first { $0.id == coin.id }
    }
    let others = asker.cache.search(search, limit: limit, provider: source).filter { !known.contains($0) }
    return list.map { _ in Array(search.inOrder(known + others, wellKnown: wellKnown).prefix(max(0, limit))) }
  }

  /// Fetches a list unless one is cached, without reading it.
  private func listToSearch(_ policy: FetchPolicy) async throws -> Sourced<Void> {
    if policy != .refresh, let stamp = lists.cached.first?.stamp {
      let rule = FreshnessRule(timeToLive: settings.coinListTimeToLive, maxStale: .zero)
      if case .serve = rule.decide(age: asker.time.now.since(stamp.fetchedAt), policy: policy) { return stamp }
    }
    return try await coinList(policy: policy).map { _ in () }
  }
}
