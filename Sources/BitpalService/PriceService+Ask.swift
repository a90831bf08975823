import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The one way to ask, for any kind of question and any number of coins:
/// decide → coalesce → lock → fetch → note → store (`PriceService+Fetch`) → stand in.
extension PriceService {
  typealias Outcome<Value: Sendable> = Result<Sourced<Value>, BitpalError>

  /// Answers a question about each of its coins: from the cache, from the first provider that can, or from what is left
  /// of an older answer.
  ///
  /// A coin without an answer is a failure of that coin only. Every coin of the question is in what is returned.
  ///
  /// - Throws: `CancellationError`.
  func ask<Value>(_ question: Question<Value>, policy: FetchPolicy) async throws -> [String: Outcome<Value>] {
    // Currencies are priced by others than coins, and keep their prices longer.
    let currencies = question.coins.filter { CurrencyCoin.currency(of: $0) != nil }
    guard !currencies.isEmpty, currencies.count < question.coins.count else {
      return try await askAlike(currencies.isEmpty ? question : question.keptAsRates, policy: policy)
    }
    let coins = question.coins.filter { !currencies.contains($0) }
    let outcomes = try await askAlike(question.about(coins), policy: policy)
    return outcomes.merging(try await askAlike(question.about(currencies).keptAsRates, policy: policy)) { $1 }
  }

  /// Answers a question of which all coins are priced by the same sources.
  private func askAlike<Value>(
    _ question: Question<Value>, policy: FetchPolicy
  ) async throws -> [String: Outcome<Value>] {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    let coins = question.coins.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var pending = coins
    var outcomes: [String: Outcome<Value>] = [:]
    var failures: [String: [ProviderFailure]] = [:]
    var standIns: [String: Sourced<Value>] = [:]
    var waits: [String: Wait] = [:]
    let sources = sources(of: question)
    for provider in sources where !pending.isEmpty {
      // A recording and a file are offline by nature.
      let policy = policy == .offline && !provider.descriptor.needsNetwork ? .normal : policy
      var missing: [String] = []
      for coin in pending {
        let key = question.key(coin, from: provider)
        let cached = cachedAnswer(question, key)
        switch rule.decide(age: cached.map { time.now.since($0.answer.fetchedAt) }, policy: policy) {
        case .serve:
          guard let cached else { continue }
          tellHit(key, cached.tier, cached.answer.fetchedAt, question.timeToLive)
          outcomes[coin] = .success(cached.answer)
        case .serveStale(let age):
          standIns[coin] = standIns[coin] ?? cached?.answer.marked(.stale(age: age, because: .offline))
        case .nothing:
          break
        case .fetch(let canFallBack, let because):
          if policy == .normal, isKnownMissing(key) {
            let id = provider.descriptor.id
            failures[coin, default: []].append(
              ProviderFailure(provider: id, error: .notFound(coin: coin, provider: id)))
            continue
          }
          if policy == .normal, let own = ownCurrency(of: coin, at: provider, question) {
            let id = provider.descriptor.id
            failures[coin, default: []].append(
              ProviderFailure(
                provider: id, error: .unsupportedCurrency(question.currency, provider: id, supported: [own])))
            continue
          }
          trace(.cacheMiss(key: key.description, reason: because))
          if canFallBack { standIns[coin] = standIns[coin] ?? cached?.answer }
          missing.append(coin)
        }
      }
      var isFinal: Set<String> = []
      // Who can answer without waiting goes first, and so does an older answer.
      let found =
        missing.isEmpty
        ? [:]
        : try await Deadline.withoutWaiting {
          try await fetch(question, missing, from: provider, policy: policy)
        }
      for (coin, outcome) in found {
        switch outcome {
        case .success: outcomes[coin] = outcome
        case .failure(let error):
          failures[coin, default: []].append(ProviderFailure(provider: provider.descriptor.id, error: error))
          if let wait = error.retryAfter, waits[coin].map({ wait < $0.wait }) ?? true { waits[coin] = (wait, provider) }
          if !error.has(.fallsBack) { isFinal.insert(coin) }
          // Another machine may have left an answer that is too old to be fresh and can stand in.
          let left = standIns[coin] == nil ? cachedAnswer(question, question.key(coin, from: provider)) : nil
          if let left,
            case .fetch(canFallBack: true, _) = rule.decide(
              age: time.now.since(left.answer.fetchedAt), policy: policy)
          {
            standIns[coin] = left.answer
          }
        }
      }
      pending.removeAll { outcomes[$0] != nil || isFinal.contains($0) }
    }
    let worthWaiting = waits.filter { outcomes[$0.key] == nil && standIns[$0.key] == nil }
    for (coin, outcome) in try await patiently(question, worthWaiting, sources, policy: policy) {
      guard case .failure(let error) = outcome else {
        outcomes[coin] = outcome
        continue
      }
      // What it says after the wait takes the place of what it said before.
      let source = waits[coin]?.provider.descriptor.id ?? ""
      failures[coin]?.removeAll { $0.provider == source }
      failures[coin, default: []].append(ProviderFailure(provider: source, error: error))
    }
    for coin in coins where outcomes[coin] == nil {
      outcomes[coin] = outcome(failures[coin]?.combined, standIn: standIns[coin], words: question.words(coin))
    }
    return outcomes.mapValues { $0.map { markedByAge($0, question) } }
  }

  /// How long until a provider may be asked for a coin.
  private typealias Wait = (wait: Duration, provider: any PriceProvider)

  /// Asks again, each coin at the provider that is free first, and waits for it as long as may be waited.
  private func patiently<Value>(
    _ question: Question<Value>, _ waits: [String: Wait], _ sources: [any PriceProvider], policy: FetchPolicy
  ) async throws -> [String: Outcome<Value>] {
    var outcomes: [String: Outcome<Value>] = [:]
    for provider in sources where !waits.isEmpty {
      let source = provider.descriptor.cacheIdentity
      let coins = question.coins.filter { coin in
        waits[coin].map { $0.provider.descriptor.cacheIdentity == source && Deadline.allowsWaiting($0.wait) } ?? false
      }
      outcomes.merge(try await fetch(question, coins, from: provider, policy: policy)) { $1 }
    }
    return outcomes
  }

  /// Answers a question about one coin.
  ///
  /// - Throws: `BitpalError`, `CancellationError`.
  func answer<Value>(_ question: Question<Value>, policy: FetchPolicy) async throws -> Sourced<Value> {
    let outcomes = try await ask(question, policy: policy)
    guard let outcome = outcomes.values.first else { throw CancellationError() }
    return try outcome.get()
  }

  /// Those who can answer, in order of fallback; all of them, to say that they cannot, when nobody can.
  private func sources<Value>(of question: Question<Value>) -> [any PriceProvider] {
    let asked = question.isOfRates ? currencySources(isConversion: question.isConversion) : providers
    let able = asked.filter { $0.descriptor.capabilities.contains(question.capability) }
    return able.isEmpty ? asked : able
  }

  // MARK: Decide and stand in

  private func cachedAnswer<Value>(
    _ question: Question<Value>, _ key: AnswerKey
  ) -> (answer: Sourced<Value>, tier: String)? {
    guard let (answer, tier) = cache.answer(for: key), let value = question.value(answer.value) else { return nil }
    return (answer.map { _ in value }, tier)
  }

  /// The currency in which a source that has one for each coin is known to answer, where it is another than is asked for.
  private func ownCurrency<Value>(
    of coin: String, at provider: any PriceProvider, _ question: Question<Value>
  ) -> String? {
    guard provider.descriptor.hasOwnCurrencies, !question.currency.isEmpty else { return nil }
    return provider.descriptor.currencies.first { currency in
      let key = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: .quote, coin: coin, currency: currency)
      return currency != question.currency && cache.answer(for: key) != nil
    }
  }

  private func isKnownMissing(_ key: AnswerKey) -> Bool {
    guard let (answer, _) = cache.answer(for: key.ofAbsence) else { return false }
    let age = time.now.since(answer.fetchedAt)
    return age >= .zero && age < ServiceSettings.missingTimeToLive
  }

  /// Marks what is as new as it can be had and yet old by the source's own time.
  private func markedByAge<Value>(_ answer: Sourced<Value>, _ question: Question<Value>) -> Sourced<Value> {
    guard !answer.freshness.isStandIn, let made = question.sourceTime(answer.value),
      let source = (question.isOfRates ? converters.atHand + providers : providers)
        .first(where: { $0.descriptor.id == answer.source })
    else { return answer }
    let age = time.now.since(made)
    return age > source.descriptor.maxAge ? answer.marked(.outdated(age: age)) : answer
  }

  private func outcome<Value>(
    _ failure: BitpalError?, standIn: Sourced<Value>?, words: String
  ) -> Outcome<Value> {
    guard let standIn else { return .failure(failure ?? .offline(question: words)) }
    guard let failure else { return .success(standIn) }
    guard failure.has(.oldAnswerStandsIn) else { return .failure(failure) }
    let age = time.now.since(standIn.fetchedAt)
    return .success(standIn.marked(.stale(age: age, because: .sourceFailed(failure.message))))
  }

  func tellHit(_ key: AnswerKey, _ tier: String, _ fetchedAt: Date, _ timeToLive: Duration) {
    trace(
      .cacheHit(
        tier: tier, key: key.description, age: max(.zero, time.now.since(fetchedAt)), timeToLive: timeToLive))
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
