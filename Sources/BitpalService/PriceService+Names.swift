import BitpalCache
public import BitpalModel
import BitpalProviders
import FoundationEssentials

extension PriceService {
  /// Every coin of the first provider that has a list and answers; fetched at most once in its time to live.
  public func coinList(policy: FetchPolicy = .normal) async throws -> Sourced<[CoinListItem]> {
    try await answer(.coinList(timeToLive: settings.coinListTimeToLive), policy: policy)
  }

  /// The id of the coin that goes by `name`: an alias, a well-known ticker, an id, or a symbol that only one coin has.
  ///
  /// An alias goes first, because the user wrote it; a well-known ticker goes before an id, because an id is sometimes
  /// another coin's ticker. `id:uni` is the coin of that id, whatever else goes by the name.
  public func resolve(_ name: String, policy: FetchPolicy = .normal) async throws -> String {
    var resolution = resolveLocally(name, policy: policy)
    if case .guess = resolution, await loadCoinList(policy: policy) {
      let listed = resolveInList(name)
      if case .failure(.notFound) = listed, try await pricedByOthers([name], policy: policy) == [name] {
        resolution = .id(name)
      } else {
        resolution = listed
      }
    }
    tellWithheldAlias(name, meaning: resolution.id)
    return try id(of: resolution)
  }

  /// The ids of coins that exist: the coin list has them, or where there is none, they have a price.
  ///
  /// - Parameters:
  ///   - names: Ids, aliases or symbols.
  ///   - currency: In which a price is asked for where there is no list.
  ///   - policy: Whether to fetch.
  /// - Returns: The ids in the order of their names, and why the others are none.
  public func existing(
    _ names: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> (ids: [String], failures: [CoinFailure]) {
    var ids: [String] = []
    var failures: [CoinFailure] = []
    for name in names {
      do {
        ids.append(try await resolve(name, policy: policy))
      } catch let error as BitpalError {
        failures.append(CoinFailure(coin: name, error: error))
      }
    }
    guard !ids.isEmpty else { return (ids, failures) }
    let gone: [CoinFailure]
    if let missing = await unlisted(ids, policy: policy) {
      let priced = try await pricedByOthers(missing, policy: policy)
      gone = missing.filter { !priced.contains($0) }.map { id in
        let error = BitpalError.notFound(
          coin: id, provider: listAtHand?.source ?? "", suggestion: nearestCoin(to: id))
        return CoinFailure(coin: id, error: error)
      }
    } else {
      gone = try await quotes(ids.map { name(ofID: $0) }, currency: currency, policy: policy).failures
    }
    let missing = Set(gone.map(\.coin))
    return (ids.filter { !missing.contains($0) && !missing.contains(name(ofID: $0)) }, failures + gone)
  }

  /// Those of some ids that the coin list lacks; nil when there is no list to be had.
  public func unlisted(_ ids: [String], policy: FetchPolicy = .normal) async -> [String]? {
    guard await loadCoinList(policy: policy), let list = listAtHand else { return nil }
    return ids.filter { id in
      !cache.coins(named: id, provider: list.about.provider).contains { $0.id == id }
    }
  }

  /// Whether everybody knows the coin of an id, so that no list needs to be asked.
  public func isWellKnown(_ id: String) -> Bool { WellKnownCoins.place(of: id) != nil }

  /// Whether somebody is asked who has no coin list, so that no list has all there is.
  private var hasUnlisted: Bool { providers.contains { !$0.descriptor.capabilities.contains(.coinList) } }

  /// Those of some ids that no list has and that have a price all the same, at a source without a list.
  private func pricedByOthers(_ ids: [String], policy: FetchPolicy) async throws -> [String] {
    guard hasUnlisted, !ids.isEmpty else { return [] }
    let answer = try await quotes(ids.map { "id:\($0)" }, currency: settings.currency, policy: policy)
    return answer.quotes.map(\.value.id)
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
    } catch let error as BitpalError where error.has(.isAboutName) {
      guard resolution.isDeniable, await loadCoinList(policy: policy) else { throw error }
      let found = try id(of: resolveInList(name))
      guard found != guess else { throw error }
      meaning = found
      return try await body(found)
    }
  }

  /// What can be said of a name without asking anybody.
  func resolveLocally(_ name: String, policy: FetchPolicy) -> Resolution {
    if let id = Self.forcedID(name) { return .id(id) }
    if let currency = CurrencyCoin.currency(of: name) { return .id(CurrencyCoin.id(of: currency)) }
    if let id = settings.aliases[name.lowercased()] { return .id(id) }
    if let coin = wellKnownCoin(name) { return .presumed(coin.id) }
    if providers.contains(where: { $0.knows(name) }) { return .id(name) }
    guard policy != .refresh, let stamp = listAtHand else { return .guess(name) }
    let isFresh = time.now.since(stamp.fetchedAt) <= settings.coinListTimeToLive
    // A list past its time may lack a coin that is new, and no list has what is of a source without one.
    return resolveInList(name, orElse: isFresh && !hasUnlisted ? nil : .guess(name))
  }

  /// The name by which the coin of an id is asked for: the id, or `id:` before it where something else goes by that.
  public func name(ofID id: String) -> String {
    let other = settings.aliases[id.lowercased()] ?? WellKnownCoins.coin(ticker: id)?.id
    return other == nil || other == id ? id : "id:\(id)"
  }

  /// What follows `id:`; nil for a name without.
  private static func forcedID(_ name: String) -> String? {
    let mark = "id:"
    return name.hasPrefix(mark) && name.count > mark.count ? String(name.dropFirst(mark.count)) : nil
  }

  /// The coin that everybody means by a ticker, unless the source is known not to have it.
  ///
  /// Another coin whose id is that ticker is hidden by it, which is told once.
  private func wellKnownCoin(_ ticker: String) -> CoinListItem? {
    guard let coin = WellKnownCoins.coin(ticker: ticker) else { return nil }
    guard let list = listAtHand?.about.provider else { return coin }
    func isListed(_ id: String) -> Bool { cache.coins(named: id, provider: list).contains { $0.id == id } }
    guard isListed(coin.id) else { return nil }
    if coin.id != ticker, isListed(ticker), told.withLock({ $0.insert("id:\(ticker)").inserted }) {
      warn("\(ticker) is \(coin.name) (\(coin.id)); the coin whose id is \(ticker) is id:\(ticker)")
    }
    return coin
  }

  /// What the coin list says of a name; when it says nothing `fallback`, or else a failure with the nearest name.
  func resolveInList(_ name: String, orElse fallback: Resolution? = nil) -> Resolution {
    guard let list = listAtHand else { return fallback ?? .guess(name) }
    let identity = list.about.provider
    let matches = cache.coins(named: name, provider: identity).sorted { $0.id < $1.id }
    if matches.contains(where: { $0.id == name }) { return .id(name) }
    let lowercase = name.lowercased()
    if lowercase != name, cache.coins(named: lowercase, provider: identity).contains(where: { $0.id == lowercase }) {
      return .id(lowercase)
    }
    if matches.count > 1 {
      let candidates = matches.sorted {
        (WellKnownCoins.place(of: $0.id) ?? .max, $0.name.lowercased(), $0.id)
          < (WellKnownCoins.place(of: $1.id) ?? .max, $1.name.lowercased(), $1.id)
      }
      let shown = candidates.prefix(BitpalError.candidatesShown)
      return .failure(.ambiguous(symbol: name, candidates: candidates, prices: cachedPrices(of: Array(shown))))
    }
    if let only = matches.first { return .id(only.id) }
    if let fallback { return fallback }
    let items = coinsAtHand
    let names = Array(settings.aliases.keys.sorted()) + items.map(\.id) + items.map(\.symbol)
    return .failure(
      .notFound(coin: name, provider: list.source, suggestion: NearestName.match(name, among: names)))
  }

  /// The last prices of coins, as far as they are cached, however old.
  public func cachedPrices(of items: [CoinListItem]) -> CandidatePrices? {
    var prices: [String: Decimal] = [:]
    for item in items {
      for provider in providers {
        let key = AnswerKey(
          provider: provider.descriptor.cacheIdentity, kind: .quote, coin: item.id, currency: settings.currency)
        if case .quote(let coin)? = cache.answer(for: key)?.answer.value {
          prices[item.id] = coin.currentPrice
          break
        }
      }
    }
    return prices.isEmpty ? nil : CandidatePrices(currency: settings.currency, prices: prices)
  }

  private func id(of resolution: Resolution) throws(BitpalError) -> String {
    switch resolution {
    case .id(let id), .presumed(let id), .guess(let id): return id
    case .failure(let error): throw error
    }
  }

  // MARK: The coin list

  /// Whence the list comes that names are looked up in; nil when none has been fetched.
  private var listAtHand: Sourced<Void>? {
    providers.lazy.filter { $0.descriptor.capabilities.contains(.coinList) }
      .compactMap { cache.stamp(of: AnswerKey(provider: $0.descriptor.cacheIdentity, kind: .coinList)) }.first
  }

  private var coinsAtHand: [CoinListItem] {
    guard let list = listAtHand, case .coinList(let items)? = cache.answer(for: list.about)?.answer.value else {
      return []
    }
    return items
  }

  /// Makes sure that a coin list is at hand; false when there is none to be had.
  func loadCoinList(policy: FetchPolicy) async -> Bool {
    // Why there is none matters less than the failure that made us look, and a list is not asked for again for the sake
    // of one look.
    (try? await listToSearch(policy == .refresh ? .normal : policy)) != nil
  }

  /// Sees to it that a list is at hand, without reading it when it is; says where it comes from.
  private func listToSearch(_ policy: FetchPolicy) async throws -> Sourced<Void> {
    if policy != .refresh, let stamp = listAtHand {
      let rule = FreshnessRule(timeToLive: settings.coinListTimeToLive, maxStale: .zero)
      if case .serve = rule.decide(age: time.now.since(stamp.fetchedAt), policy: policy) { return stamp }
    }
    return try await coinList(policy: policy).map { _ in () }
  }

  /// The coins whose id, symbol or name contains a text, best matches first.
  ///
  /// Well-known coins that begin with the text come first, best known before others, then exact symbols and ids, then what
  /// begins with the text, then the rest, each by name. Case and diacritics do not matter.
  ///
  /// The coin list is searched where it is cached; it is fetched at most once in its time to live. `.refresh` fetches it
  /// now.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for a text with nothing in it.
  public func search(
    _ text: String, limit: Int = 50, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[CoinListItem]> {
    guard let search = CoinSearch(text) else {
      throw BitpalError.usage("there is nothing to search for", hint: "give a part of a coin's id, symbol or name")
    }
    let list = try await listToSearch(policy)
    let source = list.about.provider
    let known = search.wellKnown.compactMap { coin in
      cache.coins(named: coin.id, provider: source).first { $0.id == coin.id }
    }
    let others = cache.search(search, limit: limit, provider: source).filter { !known.contains($0) }
    return list.map { _ in Array(search.inOrder(known + others).prefix(max(0, limit))) }
  }

  /// The nearest id or symbol to a text that matches nothing.
  public func nearestCoin(to text: String) -> String? {
    let items = coinsAtHand
    return NearestName.match(text, among: items.map(\.id) + items.map(\.symbol))
  }
}

/// What a coin's name turned out to mean.
enum Resolution {
  /// This coin, for certain.
  case id(String)

  /// Nearly certainly this coin, unless the source denies it.
  case presumed(String)

  /// Taken for an id, because there is no coin list to check it against.
  case guess(String)

  /// No coin, or several.
  case failure(BitpalError)

  /// Whether the coin list may know better when the source has no such coin.
  var isDeniable: Bool {
    switch self {
    case .presumed, .guess: true
    case .id, .failure: false
    }
  }

  /// The id to ask for; nil for a failure.
  var id: String? {
    switch self {
    case .id(let id), .presumed(let id), .guess(let id): id
    case .failure: nil
    }
  }
}
