import BitpalModel
import BitpalProviders
import BitpalRateLimit
import FoundationEssentials

/// Decides, without a clock of its own, whether a source that keeps failing is left alone for a while.
struct CoolDownRule: Hashable, Sendable {
  /// So many failures in a row put a source aside.
  var failures = 5

  /// For so long it is then not asked; after that each further failure puts it aside again at once.
  var pause: Duration = .seconds(300)

  /// A failure so long ago says nothing of now.
  var memory: Duration = .seconds(3600)

  /// What is known after one more failure.
  func after(_ known: SourceFailures?, failingAt now: Date, reason: String) -> SourceFailures {
    let since = known.map { now.since($0.last) }
    let counts = since.map { $0 <= memory && $0 >= .zero - FreshnessRule.clockTolerance } ?? false
    return SourceFailures(count: counts ? (known?.count ?? 0) + 1 : 1, last: now, reason: reason)
  }

  /// How much longer the source is left alone; nil when it may be asked.
  func pauseLeft(_ known: SourceFailures?, now: Date) -> Duration? {
    guard let known, known.count >= failures else { return nil }
    // A failure in the future means that the clock was set back.
    let since = now.since(known.last)
    return since >= .zero && since < pause ? pause - since : nil
  }
}

extension PriceService {
  private static let coolDown = CoolDownRule()

  /// Refuses to ask a source that has failed too often, while another one of the list can answer instead.
  ///
  /// A source is never put aside where it is the only one, or where all others that could answer are aside too.
  func checkCoolDown(
    of provider: any PriceProvider, for capability: (ProviderDescriptor) -> Capability, currency: String?,
    policy: FetchPolicy
  ) throws(BitpalError) {
    guard policy == .normal, providers.count > 1, let (left, known) = pause(of: provider) else { return }
    let hasSubstitute = providers.contains { other in
      other.descriptor.cacheIdentity != provider.descriptor.cacheIdentity
        && (try? checkAbility(other, capability(other.descriptor), currency: currency)) != nil
        && pause(of: other) == nil
    }
    guard hasSubstitute else { return }
    throw .putAside(provider: provider.descriptor.id, left: left, failures: known.count, last: known.reason)
  }

  /// Keeps count of a source's failures for all processes; anything else it says shows that it is there.
  func note(_ failure: BitpalError?, of provider: any PriceProvider) {
    guard providers.count > 1 else { return }
    let source = provider.descriptor.cacheIdentity
    guard let failure else {
      if budgets.failures(of: source) != nil { budgets.changeFailures(of: source) { _ in nil } }
      return
    }
    let now = time.now
    // A limit, ours or one that the source asked for, has a pause of its own and says nothing of the source's health.
    if failure.code == .rateLimited { return }
    if failure.isOfSource {
      budgets.changeFailures(of: source) { Self.coolDown.after($0, failingAt: now, reason: failure.message) }
    } else if failure.has(.showsSourceWell) {
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
