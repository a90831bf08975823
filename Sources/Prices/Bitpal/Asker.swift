import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// The one way to ask, for any kind of question and any number of coins:
/// decide → join → lock → request → note → store.
///
/// `ask` finds what the cache may serve and asks one source after the other for the rest. `Asker+Flight` lets one
/// caller of many send a request, and `Asker+Request` sends it, notes the outcome and stores the answers.
struct Asker: Sendable {
  typealias Outcome = Result<Sourced<Answer>, BitpalError>

  let sources: PriceSources
  let lists: CoinLists
  let cache: PriceCache
  let settings: ServiceSettings

  /// The clock by which answers age; it stands still for a recording.
  let time: any TimeSource
  let trace: Trace

  /// The locks between the users of the cache.
  let locks: (any FlightLock)?
  let health: SourceHealth

  /// The renewal of answers that are served meanwhile.
  let renewals: Renewals
  var flights = SingleFlight()

  /// The coins that were asked for recently, with which requests are filled.
  var recentCoins = RecentCoins()

  /// The refusals of the last second.
  var refusals = Refusals()

  /// The state of a question while one source after the other is asked.
  struct Progress {
    /// The coins that the next source is asked for.
    var pending: [String]
    var answers: [String: Sourced<Answer>] = [:]
    var failures: [String: [ProviderFailure]] = [:]

    /// Older answers, for coins that no source answers.
    var olderAnswers: [String: Sourced<Answer>] = [:]

    /// The shortest wait until a source may be asked for a coin, with that source, by coin.
    var waits: [String: (wait: Duration, provider: any PriceProvider)] = [:]

    mutating func fail(_ coin: String, at provider: any PriceProvider, _ error: BitpalError) {
      failures[coin, default: []].append(ProviderFailure(provider: provider.descriptor.id, error: error))
    }
  }

  /// Answers a question about each of its coins: from the cache, from the first provider that can, or with an older
  /// answer.
  ///
  /// A coin without an answer is a failure of that coin only. The result has an entry for every coin of the question.
  ///
  /// - Throws: `CancellationError`.
  func ask(_ question: Question, policy: FetchPolicy) async throws -> [String: Outcome] {
    // Currencies have other sources than coins, and their prices keep longer.
    let currencies = question.coins.filter { CurrencyCoin.currency(of: $0) != nil }
    guard !currencies.isEmpty, currencies.count < question.coins.count else {
      let question = currencies.isEmpty ? question : question.keptAsRates
      let outcomes = try await ask(question, of: sources.sources(of: question), policy: policy)
      // The owner of a coin is the source of its price, so it explains every answer but that.
      guard question.kind != .quote else { return outcomes }
      return outcomes.reduce(into: outcomes) { $0[$1.key] = explained($1.key, $1.value, question) }
    }
    let coins = question.about(question.coins.filter { !currencies.contains($0) })
    let outcomes = try await ask(coins, policy: policy)
    return outcomes.merging(try await ask(question.about(currencies), policy: policy)) { $1 }
  }

  /// Returns an asker of other providers, with the same cache and the same record of failures.
  func asking(_ providers: [any PriceProvider]) -> Asker {
    let sources = PriceSources(providers: providers, converters: sources.converters)
    return Asker(
      sources: sources, lists: CoinLists(sources: sources, cache: cache, settings: settings, time: time), cache: cache,
      settings: settings, time: time, trace: trace, locks: locks, health: health, renewals: renewals,
      flights: flights, recentCoins: recentCoins, refusals: refusals)
  }

  /// Returns an asker of the providers after the one that gave an answer; nil for the last one.
  func askingLater(than about: AnswerKey) -> Asker? {
    let later = sources.providers.drop { $0.descriptor.cacheIdentity != about.provider }.dropFirst()
    return later.isEmpty ? nil : asking(Array(later))
  }

  /// Answers a question about each of its coins, each answer as a value of one type.
  ///
  /// - Throws: `CancellationError`.
  func ask<Value: AnswerValue>(
    _ question: Question, for type: Value.Type, policy: FetchPolicy
  ) async throws -> [String: Result<Sourced<Value>, BitpalError>] {
    try await ask(question, policy: policy).mapValues { $0.flatMap { $0.holding(type) } }
  }

  /// Answers a question about one coin.
  ///
  /// - Throws: `BitpalError` without an answer; `CancellationError`.
  func answer<Value: AnswerValue>(
    _ question: Question, for type: Value.Type = Value.self, policy: FetchPolicy
  ) async throws -> Sourced<Value> {
    guard let outcome = try await ask(question, for: type, policy: policy).values.first else {
      throw CancellationError()
    }
    return try outcome.get()
  }

  /// Answers a question whose coins are all priced by the same sources.
  ///
  /// - Throws: `CancellationError`.
  func ask(
    _ question: Question, of sources: [any PriceProvider], policy: FetchPolicy
  ) async throws -> [String: Outcome] {
    let question = question.living(renewals.spread(question.timeToLive))
    let coins = question.coins.distinct
    var progress = Progress(pending: coins)
    for provider in sources where !progress.pending.isEmpty {
      let question = question.living(question.timeToLive(at: provider.descriptor))
      let missing = takeCached(question, at: provider, policy: policy, &progress)
      if !missing.isEmpty {
        try await SharedResponses.within { try await ask(question, missing, of: provider, policy: policy, &progress) }
      }
      progress.pending.removeAll { progress.answers[$0] != nil }
    }
    try await retryAfterWait(question, sources, policy: policy, &progress)
    if question.kind == .quote { recordInterest(question, progress, of: sources) }
    return coins.reduce(into: [:]) { outcomes, coin in
      outcomes[coin] = outcome(of: coin, progress, question).map { markedByAge($0) }
    }
  }

  /// Asks a source for the coins that the cache lacks.
  ///
  /// A source that can answer without waiting is preferred to one that cannot, and so is an older answer.
  private func ask(
    _ question: Question, _ coins: [String], of provider: any PriceProvider, policy: FetchPolicy,
    _ progress: inout Progress
  ) async throws {
    let rule = FreshnessRule(timeToLive: question.timeToLive, maxStale: settings.maxStale)
    let found = try await Deadline.withoutWaiting {
      try await ask(question, coins, of: provider, policy: policy)
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
        guard progress.olderAnswers[coin] == nil, let left = cached(question, coin, at: provider)?.answer,
          case .fetch(canFallBack: true, _) = rule.decide(age: time.now.since(left.fetchedAt), policy: policy)
        else { continue }
        progress.olderAnswers[coin] = left
      }
    }
  }

  /// Asks again for the coins without any answer, each at the source that is free first, if the wait fits into the
  /// deadline.
  private func retryAfterWait(
    _ question: Question, _ sources: [any PriceProvider], policy: FetchPolicy, _ progress: inout Progress
  ) async throws {
    let waits = progress.waits.filter { coin, wait in
      progress.answers[coin] == nil && progress.olderAnswers[coin] == nil && Deadline.allowsWaiting(wait.wait)
    }
    for provider in sources where !waits.isEmpty {
      let identity = provider.descriptor.cacheIdentity
      let coins = question.coins.filter { waits[$0]?.provider.descriptor.cacheIdentity == identity }
      for (coin, outcome) in try await ask(question, coins, of: provider, policy: policy) {
        // The answer after the wait replaces the failure before it.
        progress.failures[coin]?.removeAll { $0.provider == provider.descriptor.id }
        switch outcome {
        case .success(let answer): progress.answers[coin] = answer
        case .failure(let error): progress.fail(coin, at: provider, error)
        }
      }
    }
  }

  /// Returns the answer about a coin, an older one where stale-if-error allows it, or the failure.
  private func outcome(of coin: String, _ progress: Progress, _ question: Question) -> Outcome {
    if let answer = progress.answers[coin] { return .success(answer) }
    let failure = progress.failures[coin]?.combined
    guard let older = progress.olderAnswers[coin] else {
      return .failure(failure ?? .offline(question: question.text(about: coin)))
    }
    guard let failure else { return .success(older) }
    guard failure.has(.staleIfError), question.mayBeAnswered(at: older.fetchedAt) else { return .failure(failure) }
    let age = time.now.since(older.fetchedAt)
    // With a limit nothing is wrong with the source, nor with an answer within its time to live.
    if age <= question.timeToLive, failure.code == .rateLimited {
      return .success(older.adding([.notRefreshed(reason: failure.message)]))
    }
    return .success(older.marked(.stale(age: age, because: .sourceFailed(failure.message))))
  }

  /// Marks an answer that is freshly fetched but old by the source's own time; a relay's mark gets its present age.
  private func markedByAge(_ answer: Sourced<Answer>) -> Sourced<Answer> {
    if case .stale(_, let cause) = answer.freshness {
      return answer.marked(.stale(age: max(.zero, time.now.since(answer.fetchedAt)), because: cause))
    }
    let isMarked = answer.freshness.isStale
    let rateTime = isMarked ? answer.conversion?.rateTime : nil
    let untradedSince = answer.value.isUntraded ? answer.fetchedAt.adding(.seconds(-86_400)) : nil
    let times = [answer.value.sourceTime, rateTime, untradedSince].compactMap(\.self)
    guard let made = times.min() ?? (isMarked ? answer.fetchedAt : nil), let source = sources.provider(of: answer.about)
    else { return answer }
    let age = time.now.since(made)
    return isMarked || age > source.descriptor.maxAge(of: answer.about.coin)
      ? answer.marked(.outdated(age: age)) : answer
  }
}

extension Sourced<Answer> {
  /// Returns the answer as a value of one type; `.unreadable` for an answer of another kind.
  func holding<Wanted: AnswerValue>(_ type: Wanted.Type) -> Result<Sourced<Wanted>, BitpalError> {
    guard let wanted = Wanted.value(of: value) else {
      return .failure(.unreadable(provider: source, reason: "its answer is a \(value.kind.rawValue)"))
    }
    return .success(map { _ in wanted })
  }
}
