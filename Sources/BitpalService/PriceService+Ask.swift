import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The one way to ask, for any kind of question and any number of coins:
/// decide → coalesce → lock → fetch → note → store (`PriceService+Fetch`) → stand in.
extension PriceService {
  typealias Outcome<Value: Sendable> = Result<Sourced<Value>, BitpalError>

  /// Answers a question about each of its coins: from the cache, from the first provider that can, or with an older
  /// answer.
  ///
  /// A coin without an answer is a failure of that coin only. The result has an entry for every coin of the question.
  ///
  /// - Throws: `CancellationError`.
  func ask<Value>(_ question: Question<Value>, policy: FetchPolicy) async throws -> [String: Outcome<Value>] {
    // Currencies have other sources than coins, and their prices keep longer.
    let currencies = question.coins.filter { CurrencyCoin.currency(of: $0) != nil }
    guard !currencies.isEmpty, currencies.count < question.coins.count else {
      let question = currencies.isEmpty ? question : question.keptAsRates
      return try await askSources(question, of: sources(of: question), policy: policy)
    }
    let coins = question.about(question.coins.filter { !currencies.contains($0) })
    let rates = question.about(currencies).keptAsRates
    let outcomes = try await askSources(coins, of: sources(of: coins), policy: policy)
    return outcomes.merging(try await askSources(rates, of: sources(of: rates), policy: policy)) { $1 }
  }

  /// The state of a question while one source after the other is asked.
  struct Progress<Value: Sendable> {
    /// The coins that the next source is asked for.
    var pending: [String]
    var answers: [String: Sourced<Value>] = [:]
    var failures: [String: [ProviderFailure]] = [:]

    /// Older answers, for coins that no source answers.
    var olderAnswers: [String: Sourced<Value>] = [:]

    /// The shortest wait until a source may be asked for a coin, with that source, by coin.
    var waits: [String: (wait: Duration, provider: any PriceProvider)] = [:]

    mutating func fail(_ coin: String, at provider: any PriceProvider, _ error: BitpalError) {
      failures[coin, default: []].append(ProviderFailure(provider: provider.descriptor.id, error: error))
    }
  }

  /// Answers a question whose coins are all priced by the same sources.
  ///
  /// - Throws: `CancellationError`.
  func askSources<Value>(
    _ question: Question<Value>, of sources: [any PriceProvider], policy: FetchPolicy
  ) async throws -> [String: Outcome<Value>] {
    let question = question.living(renewals.spread(question.timeToLive))
    let coins = question.coins.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    var progress = Progress<Value>(pending: coins)
    for provider in sources where !progress.pending.isEmpty {
      let missing = lookUp(question, at: provider, policy: policy, &progress)
      if !missing.isEmpty { try await fetch(question, missing, from: provider, policy: policy, &progress) }
      progress.pending.removeAll { progress.answers[$0] != nil }
    }
    try await retryAfterWait(question, sources, policy: policy, &progress)
    if question.kind == .quote { noteAsked(question, progress, of: sources) }
    return coins.reduce(into: [:]) { outcomes, coin in
      outcomes[coin] = outcome(of: coin, progress, question).map { markedByAge($0, question) }
    }
  }

  /// Takes the answers that the cache may serve, and returns the coins for which the source is to be asked.
  private func lookUp<Value>(
    _ question: Question<Value>, at provider: any PriceProvider, policy: FetchPolicy, _ progress: inout Progress<Value>
  ) -> [String] {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    // A recording and a file are offline by nature.
    let policy = policy == .offline && !provider.descriptor.needsNetwork ? .normal : policy
    var missing: [String] = []
    var renewed: [String: Duration] = [:]
    defer { renew(question, renewed, from: provider) }
    for coin in progress.pending {
      let key = question.key(coin, from: provider)
      let cached = cachedAnswer(question, key)
      let age = cached.map { time.now.since($0.answer.fetchedAt) }
      if let cached, let age, provider.descriptor.needsNetwork, policy == .normal || policy == .renewing,
        renewals.covers(age: age, timeToLive: question.timeToLive)
      {
        renewed[coin] = age
        tellHit(key, cached.tier, cached.answer.fetchedAt, question.timeToLive)
        progress.answers[coin] = cached.answer.marked(.stale(age: age, because: .renewing))
        continue
      }
      switch rule.decide(age: age, policy: policy) {
      case .serve:
        guard let cached else { continue }
        tellHit(key, cached.tier, cached.answer.fetchedAt, question.timeToLive)
        progress.answers[coin] = cached.answer
      case .serveStale(let age):
        progress.olderAnswers[coin] =
          progress.olderAnswers[coin] ?? cached?.answer.marked(.stale(age: age, because: .offline))
      case .nothing:
        guard policy == .cached || policy == .renewing, knownFailure(question, coin, at: provider) == nil else {
          continue
        }
        // This source would be asked next, so the answer of a later one would be the wrong one.
        progress.pending.removeAll { $0 == coin }
      case .fetch(let canFallBack, let because):
        if policy == .normal, let known = knownFailure(question, coin, at: provider) {
          progress.fail(coin, at: provider, known)
          continue
        }
        trace(.cacheMiss(key: key.description, reason: because))
        if canFallBack { progress.olderAnswers[coin] = progress.olderAnswers[coin] ?? cached?.answer }
        missing.append(coin)
      }
    }
    return missing
  }

  /// Returns the failure that the source is known to answer with, so that it need not be asked.
  private func knownFailure<Value>(
    _ question: Question<Value>, _ coin: String, at provider: any PriceProvider
  ) -> BitpalError? {
    let id = provider.descriptor.id
    if isKnownMissing(question.key(coin, from: provider), at: provider) { return .notFound(coin: coin, provider: id) }
    return ownCurrency(of: coin, at: provider, question).map {
      .unsupportedCurrency(question.currency, provider: id, supported: [$0])
    }
  }

  /// Asks a source for the coins that the cache lacks.
  ///
  /// A source that can answer without waiting is preferred to one that cannot, and so is an older answer.
  private func fetch<Value>(
    _ question: Question<Value>, _ coins: [String], from provider: any PriceProvider, policy: FetchPolicy,
    _ progress: inout Progress<Value>
  ) async throws {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    let found = try await Deadline.withoutWaiting {
      try await fetch(question, coins, from: provider, policy: policy)
    }
    for (coin, outcome) in found {
      switch outcome {
      case .success(let answer): progress.answers[coin] = answer
      case .failure(let error):
        progress.fail(coin, at: provider, error)
        if let wait = error.retryAfter, progress.waits[coin].map({ wait < $0.wait }) ?? true {
          progress.waits[coin] = (wait, provider)
        }
        if !error.has(.fallsBack) { progress.pending.removeAll { $0 == coin } }
        // Another machine may have left an answer that is too old to be fresh but may be used as stale-if-error.
        guard progress.olderAnswers[coin] == nil,
          let left = cachedAnswer(question, question.key(coin, from: provider))?.answer,
          case .fetch(canFallBack: true, _) = rule.decide(age: time.now.since(left.fetchedAt), policy: policy)
        else { continue }
        progress.olderAnswers[coin] = left
      }
    }
  }

  /// Asks again for the coins without any answer, each at the source that is free first, if the wait fits into the
  /// deadline.
  private func retryAfterWait<Value>(
    _ question: Question<Value>, _ sources: [any PriceProvider], policy: FetchPolicy,
    _ progress: inout Progress<Value>
  ) async throws {
    let waits = progress.waits.filter { coin, wait in
      progress.answers[coin] == nil && progress.olderAnswers[coin] == nil && Deadline.allowsWaiting(wait.wait)
    }
    for provider in sources where !waits.isEmpty {
      let identity = provider.descriptor.cacheIdentity
      let coins = question.coins.filter { waits[$0]?.provider.descriptor.cacheIdentity == identity }
      for (coin, outcome) in try await fetch(question, coins, from: provider, policy: policy) {
        // The answer after the wait replaces the failure before it.
        progress.failures[coin]?.removeAll { $0.provider == provider.descriptor.id }
        switch outcome {
        case .success(let answer): progress.answers[coin] = answer
        case .failure(let error): progress.fail(coin, at: provider, error)
        }
      }
    }
  }

  /// Answers a question about one coin.
  ///
  /// - Throws: `BitpalError` when there is no answer; `CancellationError`.
  func answer<Value>(_ question: Question<Value>, policy: FetchPolicy) async throws -> Sourced<Value> {
    let outcomes = try await ask(question, policy: policy)
    guard let outcome = outcomes.values.first else { throw CancellationError() }
    return try outcome.get()
  }

  /// Returns the sources that can answer, in order of fallback; all of them when none can, so that each states its
  /// refusal.
  private func sources<Value>(of question: Question<Value>) -> [any PriceProvider] {
    let asked = question.isOfRates ? currencySources(isConversion: question.isConversion) : providers
    let able = asked.filter { $0.descriptor.capabilities.contains(question.capability($0.descriptor)) }
    return able.isEmpty ? asked : able
  }

  // MARK: Decide and stand in

  private func cachedAnswer<Value>(
    _ question: Question<Value>, _ key: AnswerKey
  ) -> (answer: Sourced<Value>, tier: String)? {
    guard let (answer, tier) = cache.answer(for: key), let value = question.value(answer.value) else { return nil }
    return (answer.map { _ in value }, tier)
  }

  /// Returns the currency in which a source with one currency per coin is known to answer, where it is not the wanted
  /// one.
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

  /// Whether the source has answered within the last minute that it does not have the coin.
  ///
  /// For a source that is asked by ticker, a coin list newer than that answer may have brought the coin's ticker.
  private func isKnownMissing(_ key: AnswerKey, at provider: any PriceProvider) -> Bool {
    guard let (answer, _) = cache.answer(for: key.ofAbsence) else { return false }
    if provider.descriptor.listedIDs == .tickers, let list = cachedList(of: provider),
      list.fetchedAt >= answer.fetchedAt
    {
      return false
    }
    let age = time.now.since(answer.fetchedAt)
    return age >= .zero && age < ServiceSettings.missingTimeToLive
  }

  /// Marks an answer that is freshly fetched but old by the source's own time; a relay's mark gets its present age.
  private func markedByAge<Value>(_ answer: Sourced<Value>, _ question: Question<Value>) -> Sourced<Value> {
    if case .stale(_, let cause) = answer.freshness {
      return answer.marked(.stale(age: max(.zero, time.now.since(answer.fetchedAt)), because: cause))
    }
    let isMarked = answer.freshness.isStale
    let rateTime = isMarked ? answer.conversion?.rateTime : nil
    let times = [question.sourceTime(answer.value), rateTime].compactMap(\.self)
    guard let made = times.min() ?? (isMarked ? answer.fetchedAt : nil), let source = provider(of: answer.about)
    else { return answer }
    let age = time.now.since(made)
    return isMarked || age > source.descriptor.maxAge ? answer.marked(.outdated(age: age)) : answer
  }

  /// Returns the provider that gave an answer.
  ///
  /// A relay passes on the answers of other sources, so this need not be the answer's source.
  func provider(of key: AnswerKey) -> (any PriceProvider)? {
    (providers + converters.atHand).first { $0.descriptor.cacheIdentity == key.provider }
  }

  /// Returns the answer about a coin, an older one where stale-if-error allows it, or the failure.
  private func outcome<Value>(
    of coin: String, _ progress: Progress<Value>, _ question: Question<Value>
  ) -> Outcome<Value> {
    if let answer = progress.answers[coin] { return .success(answer) }
    let failure = progress.failures[coin]?.combined
    guard let older = progress.olderAnswers[coin] else {
      return .failure(failure ?? .offline(question: question.description(coin)))
    }
    guard let failure else { return .success(older) }
    guard failure.has(.staleIfError) else { return .failure(failure) }
    let age = time.now.since(older.fetchedAt)
    return .success(older.marked(.stale(age: age, because: .sourceFailed(failure.message))))
  }

  /// Traces that a tier of the cache had an answer.
  func tellHit(_ key: AnswerKey, _ tier: String, _ fetchedAt: Date, _ timeToLive: Duration) {
    trace(
      .cacheHit(
        tier: tier, key: key.description, age: max(.zero, time.now.since(fetchedAt)), timeToLive: timeToLive))
  }

  /// Refuses, before anything is sent, a question that the provider cannot answer.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.unsupported` for a missing capability, `.unsupportedCurrency` for a
  ///   missing currency.
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
