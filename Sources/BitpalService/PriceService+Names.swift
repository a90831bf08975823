import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

extension PriceService {
  /// Returns the id of the coin that goes by `name`: an alias, a well-known ticker, an id, or a symbol that only one coin has.
  ///
  /// An alias goes first, because the user wrote it; a well-known ticker goes before an id, because an id is sometimes
  /// another coin's ticker. `id:uni` is the coin of that id, whatever else goes by the name.
  ///
  /// - Throws: `.ambiguous` for a symbol of several coins; `.notFound` when neither a coin list nor a source without one has
  ///   the name; the failure of a source that may have it.
  public func resolve(_ name: String, policy: FetchPolicy = .normal) async throws -> String {
    try await BlockingPool.run {
      var meaning = meaning(of: name)
      if case .guess(let guess) = meaning {
        let listFailure = await renewCoinLists(policy)
        meaning = self.meaning(of: name, isFinal: true)
        if case .failure(.notFound) = meaning {
          guard let denial = try await denials(of: [guess], currency: settings.currency, policy: policy)[guess] else {
            return guess
          }
          throw listFailure.map { denial.followed(by: $0) } ?? denial
        }
      }
      tellWithheldAlias(name, meaning: meaning.id)
      return try id(of: meaning)
    }
  }

  /// Returns the ids of coins that exist: a coin list has them, or a source without a list has a price for them.
  ///
  /// - Parameters:
  ///   - names: Ids, aliases or symbols.
  ///   - currency: The currency in which a price is asked for where there is no list.
  ///   - policy: The use of the cache and the sources.
  /// - Returns: The ids in the order of their names, and for each other name the failure.
  /// - Throws: `CancellationError`.
  public func existing(
    _ names: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> (ids: [String], failures: [CoinFailure]) {
    try await BlockingPool.run {
      var ids: [(name: String, id: String)] = []
      var failures: [CoinFailure] = []
      for name in names {
        do {
          ids.append((name, try await resolve(name, policy: policy)))
        } catch let error as BitpalError {
          failures.append(CoinFailure(coin: name, error: error))
        }
      }
      let unlisted = await unlisted(ids.map(\.id), policy: policy)
      let denials = try await denials(of: unlisted ?? ids.map(\.id), currency: currency, policy: policy)
      for (name, id) in ids {
        if let denial = denials[id] { failures.append(CoinFailure(coin: name, error: denial)) }
      }
      return (ids.map(\.id).filter { denials[$0] == nil }, failures)
    }
  }

  /// Returns the ids, of some given ones, that no coin list has; nil when no list can be had.
  package func unlisted(_ ids: [String], policy: FetchPolicy = .normal) async -> [String]? {
    await BlockingPool.run {
      func missing() -> [String] {
        let lists = cachedLists
        return ids.filter { id in !lists.contains { isListed(id, in: $0.stamp) } }
      }
      if cachedLists.isEmpty || !missing().isEmpty { _ = await renewCoinLists(policy) }
      return cachedLists.isEmpty ? nil : missing()
    }
  }

  /// Whether a coin's id is well known, so that no list needs to be asked.
  package func isWellKnown(_ id: String) -> Bool { WellKnownCoins.place(of: id) != nil }

  /// Returns, by id, the failures of unlisted coins for which a source without a list has no price either.
  private func denials(
    of ids: [String], currency: String, policy: FetchPolicy
  ) async throws -> [String: BitpalError] {
    guard !ids.isEmpty else { return [:] }
    let lister = cachedLists.first?.stamp.source
    func unknown(_ id: String, at provider: String) -> BitpalError {
      .notFound(coin: id, provider: provider, suggestion: nearestCoin(to: id))
    }
    if let lister, !hasSourceWithoutList { return ids.reduce(into: [:]) { $0[$1] = unknown($1, at: lister) } }
    let outcomes = try await quotesByName(ids.map { "id:\($0)" }, currency: currency, policy: policy)
    return ids.reduce(into: [:]) { denials, id in
      // Without an answer no source denies it.
      guard case .failure(let error)? = outcomes["id:\(id)"] else { return }
      denials[id] = lister.map { error.has(.mayBeTicker) ? unknown(id, at: $0) : error } ?? error
    }
  }

  /// Whether some source has no coin list, so that the lists together do not have every coin.
  private var hasSourceWithoutList: Bool {
    providers.contains { !$0.descriptor.capabilities.contains(.coinList) }
  }

  /// Runs `body` with the id of a coin, and once more with another id when all sources deny the first.
  ///
  /// A name that was taken for an id is then looked up in coin lists of at most a day.
  ///
  /// - Throws: The error of `body`, or the failure of the second lookup.
  func withResolved<Result>(
    _ name: String, policy: FetchPolicy, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let first = try id(of: meaning(of: name))
    var meant = first
    defer { tellWithheldAlias(name, meaning: meant) }
    do {
      return try await body(first)
    } catch let error as BitpalError where error.mayBeAboutName {
      let denied = DeniedName(name: name, id: first, denial: error)
      guard let next = await reconsider([denied], policy: policy).first else { throw error }
      meant = try next.get()
      return try await body(meant)
    }
  }

  /// A name whose id all sources have denied.
  struct DeniedName {
    let name: String
    let id: String
    let denial: BitpalError
  }

  /// Returns for each denied name the id to ask for now, or the failure that remains.
  ///
  /// The id may be the same one when a newer list has it. A list older than a day is fetched before a coin is said not
  /// to exist; a list that cannot be fetched leaves the question open. While a source is rate limited or down only
  /// lists on this machine are used, and its failure remains unless they have the name.
  func reconsider(_ names: [DeniedName], policy: FetchPolicy) async -> [Result<String, BitpalError>] {
    if names.isEmpty { return [] }
    let lists = cachedLists
    let hasGuess = names.contains { if case .guess = meaning(of: $0.name) { true } else { false } }
    let isDenied = names.contains { $0.denial.has(.mayBeTicker) }
    let listFailure = await renewCoinLists(isDenied ? policy : .offline) { source in
      // An id needs no list, unless the source is asked by ticker and only its list may have the ticker.
      cachedList(of: source) != nil || hasGuess || source.descriptor.listedIDs == .tickers
    }
    let hasNewList = cachedLists.map(\.stamp.fetchedAt) != lists.map(\.stamp.fetchedAt)
    return names.map { denied in
      let meaning = meaning(of: denied.name, isFinal: true)
      guard denied.denial.has(.mayBeTicker) else {
        return meaning.id.flatMap { $0 == denied.id ? nil : .success($0) } ?? .failure(denied.denial)
      }
      if let id = meaning.id, id != denied.id || hasNewList { return .success(id) }
      if case .failure(let failure) = meaning, failure.code == .ambiguous { return .failure(failure) }
      if let listFailure { return .failure(denied.denial.followed(by: listFailure)) }
      guard case .failure(.notFound(let coin, let lister, let suggestion)) = meaning else {
        return .failure(denied.denial)
      }
      let provider = if case .notFound(_, let deniers, _) = denied.denial { deniers } else { lister }
      return .failure(.notFound(coin: coin, provider: provider, suggestion: suggestion))
    }
  }

  /// Returns the meaning of a name as far as it is known without asking a source.
  ///
  /// - Parameter isFinal: Whether a name that no list has is a failure, and not taken for an id.
  func meaning(of name: String, isFinal: Bool = false) -> NameMeaning {
    let shown = name.printable()
    guard shown == name else {
      return .failure(.usage("the name \"\(shown)\" has a character that is not shown (�); write it again by hand"))
    }
    if let id = Self.forcedID(name) { return .id(id) }
    if let currency = CurrencyCoin.currency(of: name) { return .id(CurrencyCoin.id(of: currency)) }
    if let id = settings.aliases[name.lowercased()] { return .id(id) }
    if let coin = WellKnownCoins.coin(ticker: name) { return meaning(ofTicker: name, coin) }
    if providers.contains(where: { $0.knows(name) }) { return .id(name) }
    let lists = cachedLists
    for list in lists {
      if let meaning = meaning(of: name, in: list.stamp) { return meaning }
    }
    guard let first = lists.first else { return .guess(name) }
    // An expired list may lack a new coin, and no list has the coins of a source without one.
    let isComplete = lists.count == listProviders.count && lists.allSatisfy { isNewEnough($0.stamp) }
    guard isFinal || isComplete && !hasSourceWithoutList else { return .guess(name) }
    return .failure(.notFound(coin: name, provider: first.stamp.source, suggestion: nearestCoin(to: name)))
  }

  /// Returns the name that stands for the coin of an id: the id, or `id:` before it where an alias or a ticker has that
  /// name.
  public func name(ofID id: String) -> String {
    guard let other = settings.aliases[id.lowercased()] else { return WellKnownCoins.name(ofID: id) }
    return other == id ? id : "id:\(id)"
  }

  /// Returns the text after `id:`; nil for a name without that prefix.
  private static func forcedID(_ name: String) -> String? {
    let mark = "id:"
    return name.hasPrefix(mark) && name.count > mark.count ? String(name.dropFirst(mark.count)) : nil
  }

  /// Returns the meaning of a well-known ticker: its coin, whether or not the sources have it.
  ///
  /// A first source with ids of its own that does not list the coin is asked for its only coin with that ticker. A note
  /// names that coin's id; another note names a coin whose id the ticker hides.
  private func meaning(ofTicker ticker: String, _ coin: CoinListItem) -> NameMeaning {
    guard let first = listProviders.first else { return .id(coin.id) }
    let list = cachedList(of: first)
    if first.descriptor.listedIDs == .own {
      guard let list else { return .guess(coin.id) }
      if !isListed(coin.id, in: list) {
        guard let meaning = meaning(of: ticker, in: list) else { return .id(coin.id) }
        if let id = meaning.id { noteOnce("\(ticker) is \(id) at \(list.source), which has ids of its own") }
        return meaning
      }
    }
    if coin.id != ticker, list.map({ isListed(ticker, in: $0) }) ?? WellKnownCoins.hidesID(ticker) {
      noteOnce("\(ticker) is \(coin.name) (\(coin.id)); the coin whose id is \(ticker) is id:\(ticker)")
    }
    return .id(coin.id)
  }

  private func noteOnce(_ note: String) {
    if reported.withLock({ $0.insert(note).inserted }) { warn(note) }
  }

  /// Returns the meaning of a name in a coin list; nil when the list does not have it.
  private func meaning(of name: String, in list: Sourced<Void>) -> NameMeaning? {
    let identity = list.about.provider
    let matches = cache.coins(named: name, provider: identity).sorted { $0.id < $1.id }
    if matches.contains(where: { $0.id == name }) { return .id(name) }
    let lowercase = name.lowercased()
    if lowercase != name, isListed(lowercase, in: list) { return .id(lowercase) }
    guard matches.count > 1 else { return matches.first.map { .id($0.id) } }
    let candidates = matches.sorted { rank(of: $0, in: list) < rank(of: $1, in: list) }
    return .failure(
      .ambiguous(
        symbol: name, candidates: candidates,
        prices: cachedPrices(of: Array(candidates.prefix(BitpalError.candidatesShown)))))
  }

  /// Returns the order of a coin among others: the best known first, then by the source's own rank, then by name.
  private func rank(of coin: CoinListItem, in list: Sourced<Void>) -> (Int, Int, String, String) {
    let place = WellKnownCoins.place(of: coin.id) ?? .max
    let key = AnswerKey(provider: list.about.provider, kind: .detail, coin: coin.id, currency: settings.currency)
    let rank = if case .detail(let detail)? = cache.answer(for: key)?.answer.value { detail.rank } else { Int?.none }
    return (place, rank ?? .max, coin.name.lowercased(), coin.id)
  }

  private func id(of meaning: NameMeaning) throws(BitpalError) -> String {
    switch meaning {
    case .id(let id), .guess(let id): return id
    case .failure(let error): throw error
    }
  }
}

/// The meaning of a coin's name.
enum NameMeaning {
  /// This coin, for certain.
  case id(String)

  /// This id, until the sources deny it: no coin list could confirm it.
  case guess(String)

  /// No coin, or several.
  case failure(BitpalError)

  /// The id to ask for; nil for a failure.
  var id: String? {
    switch self {
    case .id(let id), .guess(let id): id
    case .failure: nil
    }
  }
}
