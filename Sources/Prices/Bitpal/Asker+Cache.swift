import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The first step of asking: what the cache may serve, and what a source is known not to answer.
extension Asker {
  /// Takes the answers that the cache may serve, and returns the coins for which the source is to be asked.
  func takeCached(
    _ question: Question, at provider: any PriceProvider, policy: FetchPolicy, _ progress: inout Progress
  ) -> [String] {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    // A recording and a file are offline by nature.
    let policy = policy == .offline && !provider.descriptor.needsNetwork ? .normal : policy
    var missing: [String] = []
    var renewed: [String: Duration] = [:]
    defer { renew(question, renewed, from: provider) }
    for coin in progress.pending {
      let cached = cached(question, coin, at: provider)
      let age = cached.map { time.now.since($0.answer.fetchedAt) }
      if let cached, let age, provider.descriptor.needsNetwork, policy == .normal || policy == .renewing,
        renewals.covers(age: age, timeToLive: question.timeToLive)
      {
        renewed[coin] = age
        traceHit(cached.answer, cached.tier, question.timeToLive)
        progress.answers[coin] = cached.answer.marked(.stale(age: age, because: .renewing))
        continue
      }
      switch rule.decide(age: age, policy: policy) {
      case .serve:
        guard let cached else { continue }
        traceHit(cached.answer, cached.tier, question.timeToLive)
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
        trace(.cacheMiss(key: question.key(coin, from: provider).description, reason: because))
        if canFallBack { progress.olderAnswers[coin] = progress.olderAnswers[coin] ?? cached?.answer }
        missing.append(coin)
      }
    }
    return missing
  }

  /// Returns the cached answer about a coin from a source, with the tier that has it.
  func cached(
    _ question: Question, _ coin: String, at provider: any PriceProvider
  ) -> (answer: Sourced<Answer>, tier: String)? {
    cache.answer(for: question.key(coin, from: provider)).flatMap { found in
      found.answer.value.kind == question.kind ? found : nil
    }
  }

  /// Returns the failure that the source is known to answer with, so that it need not be asked.
  private func knownFailure(_ question: Question, _ coin: String, at provider: any PriceProvider) -> BitpalError? {
    let id = provider.descriptor.id
    if lists.isKnownMissing(question.key(coin, from: provider), at: provider) {
      return .notFound(coin: coin, provider: id)
    }
    return ownCurrency(of: coin, at: provider, question).map {
      .unsupportedCurrency(question.currency, provider: id, supported: [$0])
    }
  }

  /// Returns the currency in which a source with one currency per coin is known to answer, where it is not the wanted
  /// one.
  private func ownCurrency(of coin: String, at provider: any PriceProvider, _ question: Question) -> String? {
    guard provider.descriptor.hasOwnCurrencies, !question.currency.isEmpty else { return nil }
    return provider.descriptor.currencies.first { currency in
      currency != question.currency && cache.answer(for: .quote(coin, in: currency, from: provider)) != nil
    }
  }

  /// Traces that a tier of the cache had an answer.
  func traceHit<Value>(_ answer: Sourced<Value>, _ tier: String, _ timeToLive: Duration) {
    trace(
      .cacheHit(
        tier: tier, key: answer.about.description, age: max(.zero, time.now.since(answer.fetchedAt)),
        timeToLive: timeToLive))
  }

  /// Fetches answers that are served meanwhile, each once at a time; no caller waits, and no budget is waited for.
  ///
  /// - Parameter ages: The ages of the answers, by coin; an answer that another machine has left must be younger.
  private func renew(_ question: Question, _ ages: [String: Duration], from provider: any PriceProvider) {
    guard let youngest = ages.values.min() else { return }
    let keys = renewals.begin(ages.keys.sorted().map { question.key($0, from: provider) })
    guard !keys.isEmpty else { return }
    Task(executorPreference: BlockingPool.shared) {
      await Deadline.independent(on: time) {
        _ = try? await Deadline.withoutWaiting {
          try await ask(
            question, keys.map(\.coin), of: provider, policy: .normal, youngerThan: youngest - .milliseconds(1))
        }
      }
      renewals.end(keys)
    }
  }
}
