import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

extension PriceService {
  /// The latest prices of coins, named by id, alias or symbol.
  ///
  /// What is cached is not asked for again, and all that is missing is asked for at once. A coin without an answer is a
  /// failure of that coin only.
  public func quotes(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> QuotesAnswer {
    var resolutions = coins.map { resolveLocally($0, policy: policy) }
    var outcomes = try await quotesByID(resolutions.compactMap(\.id), currency: currency, policy: policy)

    // A guess that the source does not know as an id may be a symbol: that needs the coin list.
    let guesses = resolutions.indices.filter { index in
      guard case .guess(let id) = resolutions[index], case .failure(let error)? = outcomes[id] else { return false }
      return error.isAboutTheName
    }
    if !guesses.isEmpty, policy != .offline, await loadCoinList(policy: policy) {
      for index in guesses { resolutions[index] = resolveInList(coins[index]) }
      let found = guesses.compactMap { resolutions[$0].id }.filter { outcomes[$0] == nil }
      outcomes.merge(try await quotesByID(found, currency: currency, policy: policy)) { $1 }
    }

    for (coin, resolution) in zip(coins, resolutions) { tellWithheldAlias(coin, meaning: resolution.id) }
    var quotes: [Sourced<Coin>] = []
    var failures: [CoinFailure] = []
    var seen: Set<String> = []
    for (coin, resolution) in zip(coins, resolutions) where seen.insert(resolution.id ?? coin).inserted {
      switch resolution.id.flatMap({ outcomes[$0] }) {
      case .success(let quote): quotes.append(quote)
      case .failure(let error): failures.append(CoinFailure(coin: coin, error: error))
      case nil:
        if case .failure(let error) = resolution { failures.append(CoinFailure(coin: coin, error: error)) }
      }
    }
    return QuotesAnswer(quotes: quotes, failures: failures)
  }

  private func quotesByID(
    _ ids: [String], currency: String, policy: FetchPolicy
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    let rule = FreshnessRule(timeToLive: settings.quotesTimeToLive, maxStale: settings.maxStale)
    var pending = ids.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var outcomes: [String: Result<Sourced<Coin>, BitpalError>] = [:]
    var standIns: [String: Sourced<Coin>] = [:]
    var firstFailures: [String: BitpalError] = [:]
    for provider in providers where !pending.isEmpty {
      var missing: [String] = []
      for id in pending {
        let key = quoteKey(id, currency, provider)
        let cached = policy == .refresh ? nil : cachedQuote(key)
        switch rule.decide(age: cached.map { time.now.since($0.quote.fetchedAt) }, policy: policy) {
        case .serve:
          guard let cached else { continue }
          tellHit(key, cached.tier, cached.quote.fetchedAt, settings.quotesTimeToLive)
          outcomes[id] = .success(cached.quote)
        case .serveStale(let age):
          outcomes[id] = cached.map { .success($0.quote.stale(age: age, reason: "--offline")) }
        case .nothing:
          break
        case .fetch(let canFallBack, let because):
          if policy == .normal, isKnownMissing(key) {
            firstFailures[id] = firstFailures[id] ?? .notFound(coin: id, provider: provider.descriptor.id)
            continue
          }
          trace(.cacheMiss(key: key.description, reason: because))
          if canFallBack { standIns[id] = standIns[id] ?? cached?.quote }
          missing.append(id)
        }
      }
      let fetched = try await fetchQuotes(missing, currency: currency, from: provider, policy: policy)
      for (id, outcome) in fetched {
        switch outcome {
        case .success: outcomes[id] = outcome
        case .failure(let error): firstFailures[id] = firstFailures[id] ?? error
        }
      }
      pending.removeAll { id in
        outcomes[id] != nil || firstFailures[id].map { !$0.mayBeAnsweredElsewhere } ?? false
      }
    }
    for id in ids where outcomes[id] == nil {
      let failure = firstFailures[id] ?? .offline(question: "the price of \(id) in \(currency)")
      if let old = standIns[id], failure.mayBeAnsweredByTheCache {
        outcomes[id] = .success(old.stale(age: time.now.since(old.fetchedAt), reason: failure.message))
      } else {
        outcomes[id] = .failure(failure)
      }
    }
    return outcomes
  }

  private func fetchQuotes(
    _ ids: [String], currency: String, from provider: any PriceProvider, policy: FetchPolicy
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    guard !ids.isEmpty else { return [:] }
    let source = provider.descriptor.id
    func all(_ error: BitpalError) -> [String: Result<Sourced<Coin>, BitpalError>] {
      if providers.count > 1 { trace(.fellBack(provider: source, reason: error.message)) }
      return Dictionary(ids.map { ($0, .failure(error)) }) { first, _ in first }
    }
    do throws(BitpalError) {
      try checkAbility(provider, .quotes, currency: currency)
    } catch {
      return all(error)
    }
    if let obstacle = reasonToPass(over: provider, for: .quotes, currency: currency, policy: policy) {
      return all(obstacle)
    }
    let keys = ids.map { quoteKey($0, currency, provider) }
    let landings = try await land(keys, policy: policy, timeToLive: settings.quotesTimeToLive) { keys in
      try await self.fetchQuotes(keys, currency: currency, from: provider)
    }
    var outcomes: [String: Result<Sourced<Coin>, BitpalError>] = [:]
    for (id, key) in zip(ids, keys) {
      outcomes[id] = landings[key].map { landing in
        landing.flatMap { fetched in
          guard case .quote(let coin) = fetched.entry.value else {
            return .failure(.notFound(coin: id, provider: source))
          }
          return .success(
            Sourced(
              coin, source: fetched.entry.source, fetchedAt: fetched.entry.fetchedAt,
              warnings: fetched.warnings + clockWarnings(coin)))
        }
      }
    }
    if providers.count > 1 {
      for case .failure(let error)? in Set(ids).map({ outcomes[$0] }) where error.isOfSource {
        trace(.fellBack(provider: source, reason: error.message))
        break
      }
    }
    return outcomes
  }

  /// Asks the provider and stores what it says, the absence of a coin too.
  private func fetchQuotes(
    _ keys: [CacheKey], currency: String, from provider: any PriceProvider
  ) async throws -> [CacheKey: FlightBoard.Landing] {
    let source = provider.descriptor.id
    do {
      let answer = try await provider.quotes(keys.map(\.coin), currency: currency)
      note(answer.value.coins.isEmpty ? answer.value.failures.values.first { $0.isOfSource } : nil, of: provider)
      let now = time.now
      var landings: [CacheKey: FlightBoard.Landing] = [:]
      var entries: [(key: CacheKey, entry: CacheEntry)] = []
      for key in keys {
        if let coin = answer.value.coins[key.coin] {
          let entry = CacheEntry(.quote(coin), fetchedAt: now, source: source)
          landings[key] = .success(FlightBoard.Fetched(entry: entry, warnings: answer.warnings))
          entries.append((key, entry))
        } else {
          let error = answer.value.failures[key.coin] ?? .notFound(coin: key.coin, provider: source)
          landings[key] = .failure(error)
          if case .notFound = error {
            entries.append((missingKey(key), CacheEntry(.missing, fetchedAt: now, source: source)))
          }
        }
      }
      cache.store(entries)
      if !entries.isEmpty {
        trace(.stored(tier: "both", key: "\(entries.count) quote\(entries.count == 1 ? "" : "s") in \(currency)"))
      }
      return landings
    } catch let error as BitpalError {
      note(error, of: provider)
      return Dictionary(keys.map { ($0, .failure(error)) }) { first, _ in first }
    }
  }

  private func cachedQuote(_ key: CacheKey) -> (quote: Sourced<Coin>, tier: PriceCache.Tier)? {
    guard let (entry, tier) = cache.entry(for: key), case .quote(let coin) = entry.value else { return nil }
    return (Sourced(coin, source: entry.source, fetchedAt: entry.fetchedAt), tier)
  }

  private func isKnownMissing(_ key: CacheKey) -> Bool {
    guard let (entry, _) = cache.entry(for: missingKey(key)) else { return false }
    let age = time.now.since(entry.fetchedAt)
    return age >= .zero && age < ServiceSettings.missingTimeToLive
  }

  private func quoteKey(_ id: String, _ currency: String, _ provider: any PriceProvider) -> CacheKey {
    CacheKey(provider: provider.descriptor.cacheIdentity, operation: .quote, coin: id, currency: currency)
  }

  private func missingKey(_ key: CacheKey) -> CacheKey {
    CacheKey(provider: key.provider, operation: .missing, coin: key.coin, currency: key.currency)
  }

  private func clockWarnings(_ coin: Coin) -> [AnswerWarning] {
    guard let ahead = coin.lastUpdated?.since(time.now), ahead > FreshnessRule.clockTolerance else { return [] }
    return [.sourceClockAhead(coin: coin.id, by: ahead)]
  }
}
