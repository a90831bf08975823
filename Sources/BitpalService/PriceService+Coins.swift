import BitpalCache
public import BitpalModel
import BitpalProviders
import FoundationEssentials

extension PriceService {
  /// Every coin of the first provider that has a list; fetched at most once in its time to live.
  public func coinList(policy: FetchPolicy = .normal) async throws -> Sourced<[CoinListItem]> {
    guard let provider = listProvider else {
      throw BitpalError.unsupported(.coinList, provider: providers.first?.descriptor.id ?? "none", others: [])
    }
    let identity = provider.descriptor.cacheIdentity
    let rule = FreshnessRule(timeToLive: settings.coinListTimeToLive, maxStale: .seconds(10 * 365 * 86_400))
    let stamp = policy == .refresh ? nil : cache.coinListStamp(provider: identity)
    func cached() -> Sourced<[CoinListItem]>? {
      guard let stamp, let items = cache.coinList(provider: identity) else { return nil }
      return Sourced(items, source: stamp.source, fetchedAt: stamp.fetchedAt)
    }
    switch rule.decide(age: stamp.map { time.now.since($0.fetchedAt) }, policy: policy) {
    case .serve:
      if let answer = cached() { return answer }
    case .serveStale(let age):
      if let answer = cached() { return answer.stale(age: age, reason: "--offline") }
    case .nothing:
      throw BitpalError.offline(question: "the coin list")
    case .fetch(_, let because):
      trace(.cacheMiss(key: "coin list", reason: because))
    }
    do {
      // Of several that want the list at once, in this process or others, one fetches it.
      let hold = try await lock([Self.listKey(identity)])
      defer { withExtendedLifetime(hold) {} }
      if policy == .normal, let left = cache.coinListStamp(provider: identity), left.fetchedAt != stamp?.fetchedAt,
        case .serve = rule.decide(age: time.now.since(left.fetchedAt), policy: policy),
        let items = cache.coinList(provider: identity)
      {
        return Sourced(items, source: left.source, fetchedAt: left.fetchedAt)
      }
      let answer = try await provider.coinList()
      let now = time.now
      directory.keep(answer.value, provider: identity)
      cache.storeCoinList(answer.value, provider: identity, source: provider.descriptor.id, fetchedAt: now)
      trace(.stored(tier: "sqlite", key: "coin list (\(answer.value.count) coins)"))
      return Sourced(answer.value, source: provider.descriptor.id, fetchedAt: now, warnings: answer.warnings)
    } catch let error as BitpalError {
      guard let stamp, let answer = cached() else { throw error }
      return answer.stale(age: time.now.since(stamp.fetchedAt), reason: error.message)
    }
  }

  /// The id of the coin that goes by `name`: an alias, an id, or a symbol that only one coin has.
  ///
  /// An alias goes before an id, because the user wrote it and an id is sometimes another coin's ticker; so the answer
  /// does not depend on whether a coin list is at hand.
  public func resolve(_ name: String, policy: FetchPolicy = .normal) async throws -> String {
    var resolution = resolveLocally(name, policy: policy)
    if case .guess = resolution, await loadCoinList(policy: policy) { resolution = resolveInList(name) }
    tellWithheldAlias(name, meaning: resolution.id)
    return try id(of: resolution)
  }

  /// Runs `body` with the id of the coin; when it fails for the name's sake and the name was only guessed to be an id,
  /// looks the name up in the coin list and tries once more.
  func withResolved<Result>(
    _ name: String, policy: FetchPolicy, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let resolution = resolveLocally(name, policy: policy)
    let guess = try id(of: resolution)
    var meaning = guess
    defer { tellWithheldAlias(name, meaning: meaning) }
    do {
      return try await body(guess)
    } catch let error as BitpalError where error.isAboutTheName {
      guard case .guess = resolution, await loadCoinList(policy: policy) else { throw error }
      let found = try id(of: resolveInList(name))
      guard found != guess else { throw error }
      meaning = found
      return try await body(found)
    }
  }

  /// What can be said of a name without asking anybody.
  func resolveLocally(_ name: String, policy: FetchPolicy) -> Resolution {
    if let id = settings.aliases[name.lowercased()] { return .id(id) }
    guard policy != .refresh, let provider = listProvider else { return .guess(name) }
    let identity = provider.descriptor.cacheIdentity
    guard let stamp = cache.coinListStamp(provider: identity) else { return .guess(name) }
    let isFresh = time.now.since(stamp.fetchedAt) <= settings.coinListTimeToLive
    // A list past its time may lack a coin that is new.
    return resolveInList(name, orElse: isFresh ? nil : .guess(name))
  }

  /// What the coin list says of a name; when it says nothing `fallback`, or else a failure with the nearest name.
  func resolveInList(_ name: String, orElse fallback: Resolution? = nil) -> Resolution {
    guard let provider = listProvider else { return fallback ?? .guess(name) }
    let identity = provider.descriptor.cacheIdentity
    let matches = directory.coins(named: name, provider: identity)
    if matches.contains(where: { $0.id == name }) { return .id(name) }
    let lowercase = name.lowercased()
    if lowercase != name, directory.coins(named: lowercase, provider: identity).contains(where: { $0.id == lowercase })
    {
      return .id(lowercase)
    }
    if matches.count > 1 {
      // The original of a much-copied symbol usually has the shortest id (tether, of 59 usdt).
      let candidates = matches.sorted { ($0.id.count, $0.id) < ($1.id.count, $1.id) }
      return .failure(.ambiguous(symbol: name, candidates: candidates, prices: cachedPrices(of: candidates)))
    }
    if let only = matches.first { return .id(only.id) }
    if let fallback { return fallback }
    let items = directory.all(provider: identity) ?? []
    let names = Array(settings.aliases.keys.sorted()) + items.map(\.id) + items.map(\.symbol)
    return .failure(
      .notFound(coin: name, provider: provider.descriptor.id, suggestion: NearestName.match(name, among: names)))
  }

  /// Makes sure that a coin list is at hand; false when there is none to be had.
  func loadCoinList(policy: FetchPolicy) async -> Bool {
    // Why there is none matters less than the failure that made us look.
    (try? await coinList(policy: policy == .refresh ? .normal : policy)) != nil
  }

  /// The last prices of a few coins, as far as they are cached, however old.
  private func cachedPrices(of items: [CoinListItem]) -> CandidatePrices? {
    var prices: [String: Decimal] = [:]
    for item in items.prefix(BitpalError.candidatesShown) {
      for provider in providers {
        let key = CacheKey(
          provider: provider.descriptor.cacheIdentity, operation: .quote, coin: item.id, currency: settings.currency)
        if case .quote(let coin)? = cache.entry(for: key)?.entry.value {
          prices[item.id] = coin.currentPrice
          break
        }
      }
    }
    return prices.isEmpty ? nil : CandidatePrices(currency: settings.currency, prices: prices)
  }

  /// What stands for the list among the locks between processes.
  private static func listKey(_ identity: String) -> CacheKey {
    CacheKey(provider: identity, operation: .missing, coin: "", currency: "", range: "coin list")
  }

  private func id(of resolution: Resolution) throws(BitpalError) -> String {
    switch resolution {
    case .id(let id), .guess(let id): return id
    case .failure(let error): throw error
    }
  }

  /// The provider whose coin list counts.
  var listProvider: (any PriceProvider)? {
    providers.first { $0.descriptor.capabilities.contains(.coinList) }
  }
}
