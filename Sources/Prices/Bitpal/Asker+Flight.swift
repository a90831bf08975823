import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The second step of asking: whether a source may be asked, and that one caller of many asks it.
extension Asker {
  /// Returns the answers of a provider to a question about some coins, or the reasons for which it is not asked.
  ///
  /// - Parameter limit: The age up to which an answer of another process or machine is used; nil for the time to live.
  /// - Throws: `CancellationError`.
  func ask(
    _ question: Question, _ coins: [String], of provider: any PriceProvider, policy: FetchPolicy,
    youngerThan limit: Duration? = nil
  ) async throws -> [String: Outcome] {
    let source = provider.descriptor.id
    let unlisted = lists.unlisted(coins, at: provider)
    var refused = Dictionary(unlisted.map { ($0, Outcome.failure(.notFound(coin: $0, provider: source))) }) { $1 }
    var coins = unlisted.isEmpty ? coins : coins.filter { !unlisted.contains($0) }
    guard !coins.isEmpty else { return refused }
    do throws(BitpalError) {
      try sources.checkAbility(of: provider, for: question)
    } catch {
      if sources.providers.count > 1 { trace(.fellBack(provider: source, reason: error.message)) }
      return refused.merging(coins.map { ($0, .failure(error)) }) { first, _ in first }
    }
    var known = health.refusals(of: question.about(coins), at: provider)
    // A source that is not asked now may still be known not to have a coin.
    for coin in known.keys { known[coin] = provider.denial(of: question.query.about([coin])) ?? known[coin] }
    if let error = coins.lazy.compactMap({ known[$0] }).first {
      if sources.providers.count > 1 { trace(.fellBack(provider: source, reason: error.message)) }
      refused.merge(known.mapValues { .failure($0) }) { first, _ in first }
      coins.removeAll { known[$0] != nil }
      guard !coins.isEmpty else { return refused }
    }
    let keys = coins.map { question.key($0, from: provider) }
    let found = try await join(keys, policy: policy, timeToLive: limit ?? question.timeToLive) { keys in
      try await self.request(question, keys, from: provider)
    }
    if sources.providers.count > 1 {
      for case .failure(let error)? in keys.map({ found[$0] }) where coins.count == 1 || error.isOfSource {
        trace(.fellBack(provider: source, reason: error.message))
        break
      }
    }
    return keys.reduce(into: refused) { outcomes, key in outcomes[key.coin] = found[key] }
  }

  /// Asks for the missing answers with one flight per key in this process, and one process at a time per key.
  ///
  /// With a tier of other machines their answers are looked up before the lock. All shared tiers are looked up again
  /// under the lock, because the process that held it has usually stored the answer.
  private func join(
    _ keys: [AnswerKey], policy: FetchPolicy, timeToLive: Duration,
    request: @escaping @Sendable ([AnswerKey]) async throws -> [AnswerKey: Outcome]
  ) async throws -> [AnswerKey: Outcome] {
    let trace = trace
    let found = try await flights.run(
      keys, joined: { keys in for key in keys { trace(.joinedFlight(key: key.description)) } },
      fetch: { keys in
        do {
          var found: [AnswerKey: Outcome] = [:]
          // An answer that another machine has stored is served even while a third one holds the lock.
          if policy != .refresh, self.cache.hasRemoteTier { found = self.leftByOthers(keys, timeToLive: timeToLive) }
          var missing = keys.filter { found[$0] == nil }
          guard !missing.isEmpty else { return found }
          if let refusal = self.knownRefusal(of: missing, policy: policy) {
            return found.merging(missing.map { ($0, .failure(refusal)) }) { $1 }
          }
          let hold = try await self.lock(missing)
          defer { hold?.release() }
          if policy != .refresh {
            found.merge(self.leftByOthers(missing, hold, timeToLive: timeToLive)) { $1 }
          } else if self.cache.hasRemoteTier {
            // The price of another machine may be newer than the source's next answer.
            _ = self.cache.answersLeftByOthers(for: missing, newEnoughFrom: .distantFuture, brought: hold?.answers)
          }
          missing = keys.filter { found[$0] == nil }
          if !missing.isEmpty { found.merge(try await request(missing)) { $1 } }
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
  /// Without a shared file or tier the other process could not pass its answer on, so nothing is waited for.
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
  ) -> [AnswerKey: Outcome] {
    var found: [AnswerKey: Outcome] = [:]
    let left = cache.answersLeftByOthers(
      for: keys, newEnoughFrom: time.now.adding(.zero - timeToLive), brought: hold?.answers)
    for (key, (answer, tier)) in left where answer.value.kind == key.kind {
      let age = time.now.since(answer.fetchedAt)
      guard age <= timeToLive, age > .zero - FreshnessRule.clockTolerance else { continue }
      found[key] = .success(answer)
      traceHit(answer, tier, timeToLive)
    }
    return found
  }
}
