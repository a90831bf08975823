import BitpalCache
import BitpalModel
import BitpalNetwork
import BitpalProviders
import FoundationEssentials

/// The last steps of asking: request → note → store.
extension Asker {
  /// Asks the provider and stores its answers, including that a coin is absent.
  func request(
    _ question: Question, _ keys: [AnswerKey], from provider: any PriceProvider
  ) async throws -> [AnswerKey: Outcome] {
    let source = provider.descriptor.id
    let asked = question.about(keys.map(\.coin))
    let reply: ProviderAnswer
    let pass: SourceHealth.Pass
    do throws(BitpalError) {
      pass = try health.admit(asked, at: provider)
    } catch {
      return Dictionary(keys.map { ($0, .failure(error)) }) { first, _ in first }
    }
    let companions = companions(of: question, keys.map(\.coin), at: provider)
    defer { recentCoins.release(companions.map { question.key($0, from: provider) }) }
    do {
      let repetition = RetryPolicy.Repetition { pass == .ordinary && health.mayRepeat(at: provider) }
      reply = try await RetryPolicy.$repetition.withValue(repetition) {
        try await question.answer(of: provider, about: asked.coins + companions)
      }
    } catch let error as BitpalError {
      health.note(error, of: asked, at: provider)
      refusals.note(error, by: provider.descriptor.cacheIdentity, at: time.monotonic)
      let failures = Dictionary(keys.map { ($0, lists.absence(error, of: $0.coin, at: provider)) }) { first, _ in first
      }
      // A failure of several coins at once need not be one of each of them.
      if keys.count == 1 { lists.keepAbsences(failures, from: source) }
      return failures.mapValues { .failure($0) }
    } catch {
      health.end(asked, at: provider, isGood: false)
      throw error
    }
    health.note(reply, to: asked, at: provider)
    let now = time.now
    var answers: [AnswerKey: Sourced<Answer>] = [:]
    var failures: [AnswerKey: BitpalError] = [:]
    let warnings = reply.warnings.filter { !$0.isAbout(companions) }
    for key in keys {
      if let fetched = reply.answers[key.coin] {
        guard fetched.kind == question.kind else {
          failures[key] = .unreadable(
            provider: source,
            reason: "it answers with a \(fetched.kind.rawValue) to a question for a \(key.kind.rawValue)")
          continue
        }
        answers[key] = answer(fetched, of: reply, to: question, key, warnings, at: provider, now: now)
      } else {
        let failure = reply.failures[key.coin] ?? .notFound(coin: key.coin, provider: source)
        let known = key.kind == .quote ? cache.answer(for: key)?.answer.fetchedAt : nil
        failures[key] = lists.absence(failure, of: key.coin, at: provider, known: known)
      }
    }
    lists.keepAbsences(failures, from: source)
    let stored = keys.compactMap { answers[$0] }
    cache.store(stored + extraAnswers(of: reply, question, companions, from: provider, at: now))
    if !stored.isEmpty { trace(.stored(tier: "both", key: question.stored(stored))) }
    return failures.mapValues { .failure($0) }.merging(answers.mapValues { .success($0) }) { $1 }
  }

  /// Returns what a source has answered, together with what is cached: a series continues it, and a price that is older by
  /// the source's own time does not replace it.
  private func answer(
    _ fetched: Answer, of reply: ProviderAnswer, to question: Question, _ key: AnswerKey, _ warnings: [AnswerWarning],
    at provider: any PriceProvider, now: Date
  ) -> Sourced<Answer> {
    let isCompared = question.grows || question.kind == .quote || fetched.sourceTime != nil
    let last = isCompared ? cache.answer(for: key)?.answer : nil
    // Behind a relay the series may be another source's than before.
    let isSame = last?.source == reply.origins[key.coin]?.source ?? provider.descriptor.id
    let stored = question.grows && isSame ? last?.value : nil
    let answer = newest(
      reply.sourced(
        stored.map { question.merged($0, with: fetched) } ?? fetched, about: key, from: provider.descriptor.id, at: now,
        warnings: warnings + (stored == nil ? [] : last?.warnings.filter { !warnings.contains($0) } ?? [])
          + clockWarnings(fetched, of: key.coin, now: now)), after: last, at: provider)
    return answer.adding(differences(answer.value, key, now: now) + doubts(answer.value, after: last, now: now))
  }

  /// Returns an answer, or the cached one where that price is newer by the source's own time; it counts as fetched now.
  ///
  /// Only the present content of a file counts.
  private func newest(
    _ answer: Sourced<Answer>, after last: Sourced<Answer>?, at provider: any PriceProvider
  ) -> Sourced<Answer> {
    guard provider.descriptor.needsNetwork, let time = answer.value.sourceTime, let known = last,
      answer.isOlder(than: known), let before = known.value.sourceTime
    else { return answer }
    return Sourced(
      known.value, about: answer.about, source: known.source, fetchedAt: answer.fetchedAt, freshness: known.freshness,
      warnings: answer.warnings + [.olderThanBefore(coin: answer.about.coin, time: time, before: before)],
      conversion: known.conversion)
  }

  private func clockWarnings(_ answer: Answer, of coin: String, now: Date) -> [AnswerWarning] {
    guard let ahead = answer.newest?.since(now), ahead > FreshnessRule.clockTolerance else { return [] }
    return [.sourceClockAhead(coin: coin, by: ahead)]
  }

  /// Returns a warning where another provider's last price is far from this one: a ticker may mean a coin at one source
  /// and a share at the other.
  private func differences(_ answer: Answer, _ key: AnswerKey, now: Date) -> [AnswerWarning] {
    guard sources.providers.count > 1, case .quote(let coin) = answer else { return [] }
    for provider in sources.providers where provider.descriptor.cacheIdentity != key.provider {
      guard let known = cache.answer(for: .quote(key.coin, in: key.currency, from: provider))?.answer,
        case .quote(let last) = known.value,
        now.since(known.fetchedAt) <= settings.maxStale
      else { continue }
      let (price, half) = (coin.currentPrice, last.currentPrice / 2)
      guard price < half || price > last.currentPrice + half else { continue }
      return [
        .differs(
          coin: key.coin, price: price, other: known.source, otherPrice: last.currentPrice, currency: key.currency)
      ]
    }
    return []
  }

  /// Returns a warning where the price of a coin is far from the one before it, or from that of a day before in the same
  /// answer.
  private func doubts(_ answer: Answer, after last: Sourced<Answer>?, now: Date) -> [AnswerWarning] {
    guard case .quote(let coin) = answer else { return [] }
    if let before = coin.priceBefore,
      let finding = Plausibility.finding(overDayFrom: before, to: coin.currentPrice, at: now)
    {
      return [.implausible(coin: coin.id, finding)]
    }
    guard let last, case .quote(let known) = last.value,
      let finding = Plausibility.finding(
        from: known.currentPrice, to: coin.currentPrice, after: max(.zero, now.since(last.fetchedAt)), now: now)
    else { return [] }
    return [.implausible(coin: coin.id, finding)]
  }

  // MARK: What a request carries in addition

  /// Returns the coins with which a request for quotes is filled; none at a source that has no room for them.
  ///
  /// No other request carries them until they are released.
  private func companions(of question: Question, _ coins: [String], at provider: any PriceProvider) -> [String] {
    let descriptor = provider.descriptor
    guard let room = descriptor.room, question.query.kind == .quote else { return [] }
    let packing = Packing(room: room, timeToLive: settings.quotesTimeToLive)
    return recentCoins.reserve(at: descriptor.cacheIdentity, in: question.currency) {
      packing.companions(of: coins, among: $0, at: time.now)
    }
  }

  /// Records the prices that were asked for at sources with room, and those for which a source could not be asked.
  ///
  /// A coin that a source does not have is not recorded.
  func recordInterest(_ question: Question, _ progress: Progress, of sources: [any PriceProvider]) {
    for provider in sources where provider.descriptor.room != nil {
      let (id, identity) = (provider.descriptor.id, provider.descriptor.cacheIdentity)
      let answered = progress.answers.values.filter { $0.about.provider == identity }
      let refused = progress.failures.filter { coin, failures in
        progress.answers[coin] == nil && failures.contains { $0.provider == id && $0.error.isOfSource }
      }
      recentCoins.note(
        answered.map { ($0.about, $0.fetchedAt) } + refused.keys.map { (question.key($0, from: provider), nil) },
        at: time.now, for: question.timeToLive)
    }
  }

  /// Returns the additional answers of a request, in the form in which the cache stores them.
  private func extraAnswers(
    of reply: ProviderAnswer, _ question: Question, _ companions: [String], from provider: any PriceProvider,
    at now: Date
  ) -> [Sourced<Answer>] {
    var extras: [AnswerKey: Answer] = [:]
    for coin in companions { extras[question.key(coin, from: provider)] = reply.answers[coin] }
    for (coin, answer) in reply.extras.flatMap({ coin, answers in answers.map { (coin, $0) } }) {
      let key = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: answer.kind, coin: coin, currency: question.currency,
        range: answer.kind == .line ? WeekLine.range : "")
      extras[key] = answer
    }
    recentCoins.noteFetched(extras.keys.filter { $0.kind == .quote }, at: now)
    return extras.filter { isWorthKeeping($0.key, at: now) }.map { key, answer in
      newest(
        reply.sourced(answer, about: key, from: provider.descriptor.id, at: now),
        after: answer.sourceTime == nil ? nil : cache.answer(for: key)?.answer, at: provider)
    }
  }

  /// Returns whether the cache stores an additional answer: the line of a week changes once per hour, and is large.
  private func isWorthKeeping(_ key: AnswerKey, at now: Date) -> Bool {
    guard key.kind == .line, let stored = cache.answer(for: key)?.answer else { return true }
    let age = now.since(stored.fetchedAt)
    return age < .zero || age >= WeekLine.shortestAge
  }
}

extension ProviderAnswer {
  /// The age from which a price that is passed on without a mark is not believed to be fresh: no server keeps one for so
  /// long.
  private static var oldestUnmarked: Duration { .seconds(86_400) }

  /// Returns an answer with its provenance.
  ///
  /// An answer that a relay passes on keeps the age that it had there; its time is never later than now.
  fileprivate func sourced(
    _ answer: Answer, about key: AnswerKey, from source: String, at now: Date, warnings: [AnswerWarning] = []
  ) -> Sourced<Answer> {
    let origin = origins[key.coin]
    let fetchedAt = min(origin?.fetchedAt ?? now, now)
    var freshness = origin?.freshness ?? .fresh
    if freshness == .fresh, key.kind == .quote, now.since(fetchedAt) > Self.oldestUnmarked {
      freshness = .outdated(age: now.since(fetchedAt))
    }
    return Sourced(
      answer, about: key, source: origin?.source ?? source, fetchedAt: fetchedAt, freshness: freshness,
      warnings: warnings, conversion: origin?.conversion)
  }
}

extension AnswerWarning {
  /// Returns whether the warning concerns one of some coins.
  fileprivate func isAbout(_ coins: [String]) -> Bool {
    switch self {
    case .leftOutFigure(_, let coin, _), .sourceClockAhead(let coin, _), .differs(let coin, _, _, _, _),
      .unconverted(_, let coin), .provisional(let coin, _, _), .marketClosed(let coin, _), .alsoCurrency(_, let coin),
      .sourcesDisagree(let coin, _), .implausible(let coin, _), .olderThanBefore(let coin, _, _):
      coins.contains(coin)
    case .droppedRows, .roundedNumbers, .withoutRate, .notRefreshed, .closesOfCandles: false
    }
  }
}

extension Coin {
  /// The price from which the change of a day is measured; nil where no change is known.
  fileprivate var priceBefore: Decimal? {
    let ratio = priceChangePercentage24h.map { 1 + $0 / 100 }
    return ratio.flatMap { $0 > 0 ? try? currentPrice.divided(by: $0, scale: 18) : nil }
  }
}
