import BitpalModel
import BitpalProviders
import BitpalRateLimit
import FoundationEssentials

/// A circuit breaker: decides, without a clock of its own, whether a source that keeps failing is in a cool-down.
struct CoolDownRule: Hashable, Sendable {
  /// The number of failures in a row that starts a cool-down.
  var failures = 5

  /// The length of a cool-down; each further failure after it starts another one at once.
  var pause: Duration = .seconds(300)

  /// The age from which an earlier failure no longer counts.
  var memory: Duration = .seconds(3600)

  /// Returns the failures of a source after one more; the count starts again when the last failure is older than
  /// ``memory``.
  func after(_ known: SourceFailures?, failingAt now: Date, reason: String) -> SourceFailures {
    let since = known.map { now.since($0.last) }
    let counts = since.map { $0 <= memory && $0 >= .zero - FreshnessRule.clockTolerance } ?? false
    return SourceFailures(count: counts ? (known?.count ?? 0) + 1 : 1, last: now, reason: reason)
  }

  /// Returns the rest of the cool-down; nil when the source may be asked.
  func pauseLeft(_ known: SourceFailures?, now: Date) -> Duration? {
    guard let known, known.count >= failures else { return nil }
    // A failure in the future means that the clock was set back.
    let since = now.since(known.last)
    return since >= .zero && since < pause ? pause - since : nil
  }
}

/// The record of failing sources, which puts one aside for a while when another can answer instead.
struct SourceHealth: Sendable {
  let sources: PriceSources

  /// The store that counts the failures for all processes.
  let budgets: any BudgetStore
  let time: any TimeSource

  private static let coolDown = CoolDownRule()

  /// Refuses to ask a source in its cool-down while another source of the list can answer instead.
  ///
  /// A source is asked in spite of its cool-down when it is the only one, or when all others that could answer are
  /// cooling down too.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.coolingDown` for a source in its cool-down.
  func checkCoolDown(
    of provider: any PriceProvider, for question: Question, policy: FetchPolicy
  ) throws(BitpalError) {
    guard policy == .normal, sources.providers.count > 1, let (left, known) = pause(of: provider) else { return }
    let hasSubstitute = sources.providers.contains { other in
      other.descriptor.cacheIdentity != provider.descriptor.cacheIdentity
        && (try? sources.checkAbility(of: other, for: question)) != nil && pause(of: other) == nil
    }
    guard hasSubstitute else { return }
    throw .coolingDown(provider: provider.descriptor.id, left: left, failures: known.count, last: known.reason)
  }

  /// Records the outcome of a request for all processes: a failure of the source is counted, any other answer resets
  /// the count.
  ///
  /// - Parameter failure: The failure; nil for a good answer.
  func note(_ failure: BitpalError?, of provider: any PriceProvider) {
    guard sources.providers.count > 1 else { return }
    let source = provider.descriptor.cacheIdentity
    guard let failure else {
      if budgets.failures(of: source) != nil { budgets.changeFailures(of: source) { _ in nil } }
      return
    }
    let now = time.now
    // A rate limit, ours or the source's, has a pause of its own and is not evidence of a failing source.
    if failure.code == .rateLimited { return }
    if failure.isOfSource {
      budgets.changeFailures(of: source) { Self.coolDown.after($0, failingAt: now, reason: failure.message) }
    } else if failure.has(.provesSourceHealthy) {
      note(nil, of: provider)
    }
  }

  private func pause(of provider: any PriceProvider) -> (left: Duration, known: SourceFailures)? {
    guard let known = budgets.failures(of: provider.descriptor.cacheIdentity),
      let left = Self.coolDown.pauseLeft(known, now: time.now)
    else { return nil }
    return (left, known)
  }
}
