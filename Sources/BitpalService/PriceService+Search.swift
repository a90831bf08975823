import BitpalCache
public import BitpalModel
import BitpalProviders

extension PriceService {
  /// The coins whose id, symbol or name contains a text, best matches first.
  ///
  /// Exact symbols and ids come first, then what begins with the text, then the rest, each by name. Case and diacritics do
  /// not matter.
  ///
  /// The coin list is searched where it is cached; it is fetched at most once in its time to live. `.refresh` fetches it
  /// now, and an old list stands in when that fails.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for a text with nothing in it.
  public func search(
    _ text: String, limit: Int = 50, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[CoinListItem]> {
    guard let search = CoinSearch(text) else {
      throw BitpalError.usage("there is nothing to search for", hint: "give a part of a coin's id, symbol or name")
    }
    let list = try await searchableList(policy)
    let identity = listProvider?.descriptor.cacheIdentity ?? ""
    return list.map { _ in directory.search(search, limit: limit, provider: identity) }
  }

  /// The nearest id or symbol to a text that matches nothing.
  public func nearestCoin(to text: String) -> String? {
    let items = listProvider.flatMap { directory.all(provider: $0.descriptor.cacheIdentity) } ?? []
    return NearestName.match(text, among: items.map(\.id) + items.map(\.symbol))
  }

  /// Sees to it that a list is at hand, without reading it when it is; says where it comes from.
  private func searchableList(_ policy: FetchPolicy) async throws -> Sourced<Void> {
    let identity = listProvider?.descriptor.cacheIdentity
    let stamp = identity.flatMap { cache.coinListStamp(provider: $0) }
    if let stamp, policy != .refresh {
      let rule = FreshnessRule(timeToLive: settings.coinListTimeToLive, maxStale: .zero)
      if case .serve = rule.decide(age: time.now.since(stamp.fetchedAt), policy: policy) {
        return Sourced((), source: stamp.source, fetchedAt: stamp.fetchedAt)
      }
    }
    do {
      return try await coinList(policy: policy).map { _ in () }
    } catch let error as BitpalError where policy == .refresh && error.mayBeAnsweredByTheCache {
      guard let stamp else { throw error }
      return Sourced((), source: stamp.source, fetchedAt: stamp.fetchedAt)
        .stale(age: max(.zero, time.now.since(stamp.fetchedAt)), reason: error.message)
    }
  }
}
