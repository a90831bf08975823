import BitpalCache
import BitpalModel
import BitpalProviders

extension PriceService {
  private static let coolDown = CoolDownRule()

  /// Why a source is not asked now: it has failed too often, and another one of the list can answer instead.
  ///
  /// A source is never put aside where it is the only one, or where all others that could answer are aside too.
  func reasonToPass(
    over provider: any PriceProvider, for capability: Capability, currency: String?, policy: FetchPolicy
  ) -> BitpalError? {
    guard policy == .normal, providers.count > 1, let (left, record) = pause(of: provider) else { return nil }
    let hasSubstitute = providers.contains { other in
      other.descriptor.cacheIdentity != provider.descriptor.cacheIdentity
        && (try? checkAbility(other, capability, currency: currency)) != nil && pause(of: other) == nil
    }
    guard hasSubstitute else { return nil }
    return .network(
      host: provider.descriptor.id,
      reason: "put aside for \(left.shortText) after \(record.failures) failures in a row, the last: \(record.reason)")
  }

  /// Keeps count of a source's failures for all processes; anything else it says shows that it is there.
  func note(_ failure: BitpalError?, of provider: any PriceProvider) {
    guard providers.count > 1 else { return }
    let source = provider.descriptor.cacheIdentity
    guard let failure else {
      if cache.record(ofSource: source) != nil { cache.changeRecord(ofSource: source) { _ in nil } }
      return
    }
    let now = time.now
    switch failure {
    case _ where failure.isOfSource:
      cache.changeRecord(ofSource: source) {
        Self.coolDown.record($0, failingAt: now, reason: failure.message)
      }
    case .notFound, .noPrice, .noData:
      note(nil, of: provider)
    default:
      break
    }
  }

  private func pause(of provider: any PriceProvider) -> (left: Duration, record: SourceRecord)? {
    let record = cache.record(ofSource: provider.descriptor.cacheIdentity)
    guard let record, let left = Self.coolDown.pauseLeft(record, now: time.now) else { return nil }
    return (left, record)
  }
}
