import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

extension PriceService {
  /// Answers a question about one coin: from the cache, from the first provider that can, or from what is left of an
  /// older answer.
  func answer<Value: Sendable>(_ question: Question<Value>, policy: FetchPolicy) async throws -> Sourced<Value> {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    var firstFailure: BitpalError?
    var standIn: Sourced<Value>?
    asking: for provider in providers {
      let key = question.key(provider)
      let cached = policy == .refresh ? nil : cachedAnswer(question, key)
      switch rule.decide(age: cached.map { time.now.since($0.answer.fetchedAt) }, policy: policy) {
      case .serve:
        if let cached {
          tellHit(key, cached.tier, cached.answer.fetchedAt, question.timeToLive)
          return cached.answer
        }
      case .serveStale(let age):
        standIn = standIn ?? cached?.answer.stale(age: age, reason: "--offline")
      case .nothing:
        break
      case .fetch(let canFallBack, let because):
        trace(.cacheMiss(key: key.description, reason: because))
        do {
          try checkAbility(provider, question.capability, currency: question.currency)
          let obstacle = reasonToPass(
            over: provider, for: question.capability, currency: question.currency, policy: policy)
          if let obstacle { throw obstacle }
          return try await fetch(question, from: provider, key, policy: policy)
        } catch let error as BitpalError {
          firstFailure = firstFailure ?? error
          if canFallBack, let old = cached?.answer {
            standIn = standIn ?? old.stale(age: time.now.since(old.fetchedAt), reason: error.message)
          }
          if providers.count > 1 { trace(.fellBack(provider: provider.descriptor.id, reason: error.message)) }
          guard error.mayBeAnsweredElsewhere else { break asking }
        }
      }
    }
    if let standIn, firstFailure.map(\.mayBeAnsweredByTheCache) ?? true { return standIn }
    throw firstFailure ?? .offline(question: question.words)
  }

  private func fetch<Value: Sendable>(
    _ question: Question<Value>, from provider: any PriceProvider, _ key: CacheKey, policy: FetchPolicy
  ) async throws -> Sourced<Value> {
    let landings = try await land([key], policy: policy, timeToLive: question.timeToLive) { _ in
      do {
        let fetched = try await question.fetch(provider)
        self.note(nil, of: provider)
        let stored = self.cache.entry(for: key).flatMap { question.unwrap($0.entry.value) }
        let merged = stored.map { question.merge($0, fetched.value) } ?? fetched.value
        let entry = CacheEntry(question.wrap(merged), fetchedAt: self.time.now, source: provider.descriptor.id)
        self.cache.store([(key, entry)])
        self.trace(.stored(tier: "both", key: key.description))
        return [key: .success(FlightBoard.Fetched(entry: entry, warnings: fetched.warnings))]
      } catch let error as BitpalError {
        self.note(error, of: provider)
        return [key: .failure(error)]
      }
    }
    guard let fetched = try landings[key]?.get(), let value = question.unwrap(fetched.entry.value) else {
      throw BitpalError.noData(question: question.words, provider: provider.descriptor.id)
    }
    return Sourced(
      value, source: fetched.entry.source, fetchedAt: fetched.entry.fetchedAt, warnings: fetched.warnings)
  }

  private func cachedAnswer<Value: Sendable>(
    _ question: Question<Value>, _ key: CacheKey
  ) -> (answer: Sourced<Value>, tier: PriceCache.Tier)? {
    guard let (entry, tier) = cache.entry(for: key), let value = question.unwrap(entry.value) else { return nil }
    return (Sourced(value, source: entry.source, fetchedAt: entry.fetchedAt), tier)
  }

  func tellHit(_ key: CacheKey, _ tier: PriceCache.Tier, _ fetchedAt: Date, _ timeToLive: Duration) {
    trace(
      .cacheHit(
        tier: tier.rawValue, key: key.description, age: max(.zero, time.now.since(fetchedAt)), timeToLive: timeToLive))
  }

  /// Refuses, before anything is sent, what the provider cannot do.
  func checkAbility(
    _ provider: any PriceProvider, _ capability: Capability, currency: String?
  ) throws(BitpalError) {
    let descriptor = provider.descriptor
    guard descriptor.capabilities.contains(capability) else {
      let others = providers.map(\.descriptor).filter { $0.capabilities.contains(capability) }.map(\.id)
      throw .unsupported(capability, provider: descriptor.id, others: others)
    }
    if let currency, !descriptor.currencies.isEmpty, !descriptor.currencies.contains(currency) {
      throw .unsupportedCurrency(currency, provider: descriptor.id, supported: descriptor.currencies)
    }
  }
}

extension Sourced {
  /// The same answer, marked stale.
  func stale(age: Duration, reason: String) -> Sourced {
    Sourced(
      value, source: source, fetchedAt: fetchedAt, freshness: .stale(age: age, reason: reason), warnings: warnings)
  }
}

extension BitpalError {
  /// Whether another provider may have the answer.
  var mayBeAnsweredElsewhere: Bool {
    if isOfSource { return true }
    switch self {
    case .notFound, .noPrice, .notRecorded, .noData, .unsupported, .unsupportedCurrency, .planLimit: return true
    default: return false
    }
  }

  /// Whether an older answer may stand in.
  ///
  /// The knowledge that a coin is gone is an answer, not a failure to get one; a coin that is there and has no price, or
  /// one that cannot be, is a fault of the source.
  var mayBeAnsweredByTheCache: Bool {
    if case .noPrice = self { true } else { isOfSource }
  }
}
