import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The second half of the one way to ask: coalesce → lock → fetch → note → store.
extension PriceService {
  // MARK: Coalesce and lock

  /// Returns the answers of a provider to a question about some coins, or the reasons for which it is not asked.
  ///
  /// - Parameter limit: The age up to which an answer of another process or machine is used; nil for the time to live.
  /// - Throws: `CancellationError`.
  func fetch<Value>(
    _ question: Question<Value>, _ coins: [String], from provider: any PriceProvider, policy: FetchPolicy,
    youngerThan limit: Duration? = nil
  ) async throws -> [String: Outcome<Value>] {
    let unknown = unknownByList(coins, at: provider)
    guard unknown.isEmpty else {
      let others = coins.filter { !unknown.contains($0) }
      return try await fetch(question, others, from: provider, policy: policy, youngerThan: limit).merging(
        unknown.map { ($0, .failure(.notFound(coin: $0, provider: provider.descriptor.id))) }
      ) { $1 }
    }
    guard !coins.isEmpty else { return [:] }
    let source = provider.descriptor.id
    let currency = question.currency.isEmpty ? nil : question.currency
    do throws(BitpalError) {
      try checkAbility(provider, question.capability(provider.descriptor), currency: currency)
      try checkCoolDown(of: provider, for: question.capability, currency: currency, policy: policy)
    } catch {
      if providers.count > 1 { trace(.fellBack(provider: source, reason: error.message)) }
      return Dictionary(coins.map { ($0, .failure(error)) }) { first, _ in first }
    }
    let keys = coins.map { question.key($0, from: provider) }
    let found = try await join(keys, policy: policy, timeToLive: limit ?? question.timeToLive) { keys in
      try await self.request(question, keys, from: provider)
    }
    var outcomes: [String: Outcome<Value>] = [:]
    for key in keys {
      outcomes[key.coin] = found[key].map { outcome in
        outcome.flatMap { answer in
          question.value(answer.value).map { value in .success(answer.map { _ in value }) }
            ?? .failure(.notFound(coin: key.coin, provider: source))
        }
      }
    }
    if providers.count > 1 {
      for case .failure(let error)? in keys.map({ outcomes[$0.coin] })
      where coins.count == 1 || error.isOfSource {
        trace(.fellBack(provider: source, reason: error.message))
        break
      }
    }
    return outcomes
  }

  /// Fetches the missing answers with one flight per key in this process, and one process at a time per key.
  ///
  /// With a tier of other machines their answers are looked up before the lock. All shared tiers are looked up again
  /// under the lock, because the process that held it has usually stored the answer.
  private func join(
    _ keys: [AnswerKey], policy: FetchPolicy, timeToLive: Duration,
    fetch: @escaping @Sendable ([AnswerKey]) async throws -> [AnswerKey: SingleFlight.Outcome]
  ) async throws -> [AnswerKey: SingleFlight.Outcome] {
    let tell = trace
    let found = try await flights.run(
      keys, joined: { keys in for key in keys { tell(.joinedFlight(key: key.description)) } },
      fetch: { keys in
        do {
          var found: [AnswerKey: SingleFlight.Outcome] = [:]
          // An answer that another machine has stored is served even while a third one holds the lock.
          if policy != .refresh, self.cache.hasRemoteTier { found = self.leftByOthers(keys, timeToLive: timeToLive) }
          var missing = keys.filter { found[$0] == nil }
          guard !missing.isEmpty else { return found }
          if let refusal = self.knownRefusal(of: missing, policy: policy) {
            return found.merging(missing.map { ($0, .failure(refusal)) }) { $1 }
          }
          let hold = try await self.lock(missing)
          defer { hold?.release() }
          if policy != .refresh { found.merge(self.leftByOthers(missing, hold, timeToLive: timeToLive)) { $1 } }
          missing = keys.filter { found[$0] == nil }
          if !missing.isEmpty { found.merge(try await fetch(missing)) { $1 } }
          return found
        } catch is CancellationError where Task.isCancelled {
          // All callers have left.
          return [:]
        } catch {
          let failure = error as? BitpalError ?? .unreadable(provider: keys.first?.provider ?? "?", reason: "\(error)")
          return Dictionary(keys.map { ($0, .failure(failure)) }) { first, _ in first }
        }
      })
    guard found.count == Set(keys).count else { throw CancellationError() }
    return found
  }

  /// Returns a refusal of the last second that answers a question which cannot wait; nil without a fleet.
  private func knownRefusal(of keys: [AnswerKey], policy: FetchPolicy) -> BitpalError? {
    guard policy != .refresh, cache.hasRemoteTier, let source = keys.first?.provider,
      let refusal = refusals.refusal(by: source, at: time.monotonic), let wait = refusal.retryAfter,
      !Deadline.allowsWaiting(wait)
    else { return nil }
    return refusal
  }

  /// Waits for other processes with the same question, for half of the time that is left: then this process can still
  /// ask when the other one does not return.
  ///
  /// Without a shared file or tier the other process could not pass its answer on, so there is no wait.
  private func lock(_ keys: [AnswerKey]) async throws -> (any FlightHold)? {
    guard let locks, cache.isShared else { return nil }
    let left = Deadline.current.map { $0 - time.monotonic } ?? Deadline.standard
    return try await locks.lock(keys, patience: max(.zero, left / 2))
  }

  /// Returns the fresh answers that other processes and machines have stored.
  ///
  /// - Parameter hold: The lock, which may have brought the answers of other machines along.
  private func leftByOthers(
    _ keys: [AnswerKey], _ hold: (any FlightHold)? = nil, timeToLive: Duration
  ) -> [AnswerKey: SingleFlight.Outcome] {
    var found: [AnswerKey: SingleFlight.Outcome] = [:]
    let left = cache.answersLeftByOthers(
      for: keys, newEnoughFrom: time.now.adding(.zero - timeToLive), brought: hold?.answers)
    for (key, (answer, tier)) in left {
      let age = time.now.since(answer.fetchedAt)
      guard age <= timeToLive, age > .zero - FreshnessRule.clockTolerance else { continue }
      found[key] = .success(answer)
      tellHit(key, tier, answer.fetchedAt, timeToLive)
    }
    return found
  }

  // MARK: Fetch, note and store

  /// Asks the provider and stores its answers, including that a coin is absent.
  private func request<Value>(
    _ question: Question<Value>, _ keys: [AnswerKey], from provider: any PriceProvider
  ) async throws -> [AnswerKey: SingleFlight.Outcome] {
    let source = provider.descriptor.id
    let said: Question<Value>.Said
    let companions = companions(of: question, keys.map(\.coin), at: provider)
    let carried = companions.map { question.key($0, from: provider) }
    defer { recentCoins.release(carried) }
    do {
      said = try await question.fetch(provider, keys.map(\.coin) + companions)
    } catch let error as BitpalError {
      note(error, of: provider)
      refusals.note(error, by: provider.descriptor.cacheIdentity, at: time.monotonic)
      let failures = Dictionary(keys.map { ($0, absence(error, of: $0.coin, at: provider)) }) { first, _ in first }
      // What is said of several coins at once is not known of each of them.
      if keys.count == 1 { keepAbsences(failures, from: source) }
      return failures.mapValues { .failure($0) }
    }
    note(said.answers.isEmpty ? said.failures.values.first { $0.isOfSource } : nil, of: provider)
    let now = time.now
    var found: [AnswerKey: SingleFlight.Outcome] = [:]
    var answers: [Sourced<AnswerContent>] = []
    var absences: [AnswerKey: BitpalError] = [:]
    let warnings = said.warnings.filter { !$0.isAbout(companions) }
    for key in keys {
      if let fetched = said.answers[key.coin] {
        let merged = question.merge.flatMap { merge in
          cache.answer(for: key).map { merge($0.answer.value, fetched) }
        }
        let answer = said.sourced(
          merged ?? fetched, about: key, from: source, at: now,
          warnings: warnings + clockWarnings(fetched, of: key.coin, now: now) + differences(fetched, key, now: now))
        found[key] = .success(answer)
        answers.append(answer)
      } else {
        let said = said.failures[key.coin] ?? .notFound(coin: key.coin, provider: source)
        absences[key] = absence(said, of: key.coin, at: provider)
        found[key] = absences[key].map { .failure($0) }
      }
    }
    keepAbsences(absences, from: source)
    cache.store(answers + carriedAnswers(of: said, question, companions, from: provider, at: now))
    if !answers.isEmpty { trace(.stored(tier: "both", key: question.stored(answers))) }
    return found
  }

  /// Returns the failure of a coin that an answer lacks: a coin in the source's own list exists, so it only has no price
  /// now.
  private func absence(_ error: BitpalError, of coin: String, at provider: any PriceProvider) -> BitpalError {
    guard case .notFound = error, !coin.isEmpty, provider.descriptor.capabilities.contains(.coinList),
      let list = cachedList(of: provider), isNewEnough(list), isListed(coin, in: list)
    else { return error }
    return .noPrice(
      coin: coin, provider: provider.descriptor.id, reason: "its list of coins has it, but this answer does not")
  }

  /// Remembers for a minute that coins do not exist at a source.
  private func keepAbsences(_ failures: [AnswerKey: BitpalError], from source: String) {
    let absent = failures.filter { if case .notFound = $0.value { true } else { false } }.keys
    cache.store(absent.map { Sourced(.missing, about: $0.ofAbsence, source: source, fetchedAt: time.now) })
  }

  private func clockWarnings(_ answer: AnswerContent, of coin: String, now: Date) -> [AnswerWarning] {
    guard let ahead = answer.newest?.since(now), ahead > FreshnessRule.clockTolerance else { return [] }
    return [.sourceClockAhead(coin: coin, by: ahead)]
  }

  /// Returns a warning where another provider's last price is far from this one: a ticker may mean a coin at one source
  /// and a share at the other.
  private func differences(_ answer: AnswerContent, _ key: AnswerKey, now: Date) -> [AnswerWarning] {
    guard providers.count > 1, case .quote(let coin) = answer else { return [] }
    for provider in providers where provider.descriptor.cacheIdentity != key.provider {
      let other = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: key.kind, coin: key.coin, currency: key.currency)
      guard let known = cache.answer(for: other)?.answer, case .quote(let last) = known.value,
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
}

extension Question.Said {
  /// The age from which a price that is passed on without a mark is not believed to be fresh: no server keeps one for so
  /// long.
  private static var oldestUnmarked: Duration { .seconds(86_400) }

  /// Returns an answer with its provenance.
  ///
  /// An answer that a relay passes on keeps the age that it had there; its time is never later than now.
  func sourced(
    _ content: AnswerContent, about key: AnswerKey, from source: String, at now: Date, warnings: [AnswerWarning] = []
  ) -> Sourced<AnswerContent> {
    let origin = origins[key.coin]
    let fetchedAt = min(origin?.fetchedAt ?? now, now)
    var freshness = origin?.freshness ?? .fresh
    if freshness == .fresh, key.kind == .quote, now.since(fetchedAt) > Self.oldestUnmarked {
      freshness = .outdated(age: now.since(fetchedAt))
    }
    return Sourced(
      content, about: key, source: origin?.source ?? source, fetchedAt: fetchedAt, freshness: freshness,
      warnings: warnings, conversion: origin?.conversion)
  }
}
