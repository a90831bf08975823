import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The meanings of the names of coins: aliases, well-known tickers, ids and symbols.
///
/// This is the only place that decides which coin a name means.
struct CoinNames: Sendable {
  let asker: Asker
  let warn: @Sendable (String) -> Void

  /// The notes that have been given, each once.
  private let reported = Locked<Set<String>>([])

  var sources: PriceSources { asker.sources }
  var lists: CoinLists { asker.lists }
  var settings: ServiceSettings { asker.settings }

  init(asker: Asker, warn: @escaping @Sendable (String) -> Void) {
    self.asker = asker
    self.warn = warn
  }

  /// Returns the meaning of a name as far as it is known without asking a source.
  ///
  /// An alias goes first, because the user wrote it; a well-known ticker goes before an id, because an id is sometimes
  /// another coin's ticker. `id:uni` is the coin of that id, whatever else goes by the name.
  ///
  /// - Parameter isFinal: Whether a name that no list has is a failure, and not taken for an id.
  func meaning(of name: String, isFinal: Bool = false) -> NameMeaning {
    let shown = name.printable()
    guard shown == name else {
      return .failure(.usage("the name \"\(shown)\" has a character that is not shown (�); write it again by hand"))
    }
    if let id = Self.forcedID(name) { return .id(id) }
    if let problem = MinorUnit.problem(in: name) { return .failure(.usage(problem)) }
    if let currency = CurrencyCoin.currency(of: name) { return .id(CurrencyCoin.id(of: currency)) }
    if let id = settings.aliases[name.lowercased()] { return .id(id) }
    if let coin = WellKnownCoins.coin(ticker: name) {
      noteShare(name, coin)
      return meaning(ofTicker: name, coin)
    }
    if sources.providers.contains(where: { $0.knows(name) }) { return .id(name) }
    let cached = lists.cached
    for list in cached {
      if let meaning = meaning(of: name, in: list.stamp) { return currency(named: name, before: meaning) ?? meaning }
      if let id = successor(of: name, in: list.stamp) { return .id(id) }
    }
    if let pair = pair(of: name) {
      return .failure(
        .usage("\"\(name)\" is a coin and a currency, and only a coin is meant here", hint: "write it as \(pair.coin)"))
    }
    guard let first = cached.first else { return .guess(name) }
    // An expired list may lack a new coin, and no list has the coins of a source without one.
    let isComplete = cached.count == sources.listProviders.count && cached.allSatisfy { lists.isNewEnough($0.stamp) }
    guard isFinal || isComplete && !sources.hasSourceWithoutList else { return .guess(name) }
    return .failure(
      .notFound(coin: name, provider: first.stamp.source, suggestion: lists.nearest(to: name) ?? share(name)))
  }

  /// Returns the currency of a code that is the ticker of a coin in a list; nil for any other name, and for one in capitals where a
  /// source has shares by such names.
  private func currency(named name: String, before meaning: NameMeaning) -> NameMeaning? {
    let id = CurrencyCoin.id(of: name.lowercased())
    guard CurrencyCoin.isCurrency(name), CurrencyCoin.isRate(id), meaning.id != name, capitalsSource(of: name) == nil
    else { return nil }
    noteOnce(
      "\(name) is the currency; a coin with that ticker is named by its id" + (meaning.id.map { ", id:\($0)" } ?? ""))
    return .id(id)
  }

  /// Notes that a ticker in capitals is also the form of a share at a source; the best-known coins are meant all the same.
  private func noteShare(_ name: String, _ coin: CoinListItem) {
    guard let source = capitalsSource(of: name), WellKnownCoins.place(of: coin.id) ?? 0 >= 20,
      sources.providers.contains(where: { $0.descriptor.coins.has(coin.id) })
    else { return }
    noteOnce("\(name) is \(coin.name) (\(coin.id)); the share at \(source) is id:\(name)")
  }

  /// Returns the source of shares that has a name in capitals as its own; nil for another name and without such a source.
  private func capitalsSource(of name: String) -> String? {
    guard name == name.uppercased(), name != name.lowercased() else { return nil }
    return sources.providers.first { $0.descriptor.coins == .capitals }?.descriptor.id
  }

  /// Returns the name in capitals, as tickers of shares are written, where a source has coins of that form alone; nil
  /// otherwise.
  private func share(_ name: String) -> String? {
    let capitals = name.uppercased()
    return name != capitals && capitalsSource(of: capitals) != nil ? capitals : nil
  }

  /// Returns the coin and the currency of a name such as `btc-usd` or `btc/eur`; nil for any other name.
  ///
  /// A coin of that very name goes first: an alias, a well-known coin (`paypal-usd`), one of a cached list, or, in capitals,
  /// one of a source of shares (`BTC-USD`). Before a dash stands an alias or a well-known ticker. Any other name may stand
  /// there only when the lists of all sources are on this machine and lack the whole, because an id may end in `-usd`.
  func pair(of name: String) -> CurrencyPair? {
    guard let pair = CurrencyPair(name), Self.forcedID(name) == nil, settings.aliases[name.lowercased()] == nil,
      !WellKnownCoins.isKnown(name), !sources.providers.contains(where: { $0.knows(name) })
    else { return nil }
    let cached = lists.cached
    if cached.contains(where: { meaning(of: name, in: $0.stamp) != nil }) { return nil }
    if name.contains("/") { return pair }
    if name == name.uppercased(), sources.providers.contains(where: { $0.descriptor.coins == .capitals }) { return nil }
    let isCertain =
      settings.aliases[pair.coin.lowercased()] != nil || WellKnownCoins.coin(ticker: pair.coin) != nil
    return isCertain || !cached.isEmpty && cached.count == sources.listProviders.count ? pair : nil
  }

  /// Returns the name that stands for the coin of an id: the id, or `id:` before it where an alias or a ticker has that
  /// name.
  func name(ofID id: String) -> String {
    guard let other = settings.aliases[id.lowercased()] else { return WellKnownCoins.name(ofID: id) }
    return other == id ? id : "id:\(id)"
  }

  /// Returns the text after `id:`; nil for a name without that prefix.
  static func forcedID(_ name: String) -> String? {
    let mark = "id:"
    return name.hasPrefix(mark) && name.count > mark.count ? String(name.dropFirst(mark.count)) : nil
  }

  /// Returns the meaning of a well-known ticker: its coin, whether or not the sources have it.
  ///
  /// A first source with ids of its own that does not list the coin is asked for its only coin with that ticker. A note
  /// names that coin's id; another note names a coin whose id the ticker hides.
  private func meaning(ofTicker ticker: String, _ coin: CoinListItem) -> NameMeaning {
    guard let first = sources.listProviders.first else { return .id(coin.id) }
    let list = lists.cachedList(of: first)
    if first.descriptor.listedIDs == .own {
      guard let list else { return .guess(coin.id) }
      if !lists.isListed(coin.id, in: list) {
        guard let meaning = meaning(of: ticker, in: list) else { return .id(coin.id) }
        if let id = meaning.id { noteOnce("\(ticker) is \(id) at \(list.source), which has ids of its own") }
        return meaning
      }
    }
    if WellKnownCoins.successor(ofID: coin.id) != nil {
      guard let list else { return .guess(coin.id) }
      if let id = successor(of: coin.id, in: list) { return .id(id) }
    }
    if coin.id != ticker, list.map({ lists.isListed(ticker, in: $0) }) ?? WellKnownCoins.hidesID(ticker) {
      noteOnce("\(ticker) is \(coin.name) (\(coin.id)); the coin whose id is \(ticker) is id:\(ticker)")
    }
    return .id(coin.id)
  }

  /// Returns the id of the coin that replaced another one, where a list has it and no longer the former; a note says so.
  private func successor(of id: String, in list: Sourced<Void>) -> String? {
    guard let next = WellKnownCoins.successor(ofID: id), lists.isListed(next, in: list), !lists.isListed(id, in: list)
    else { return nil }
    WellKnownCoins.renaming(of: "id:" + id, to: next, at: list.source).map(noteOnce)
    return next
  }

  private func noteOnce(_ note: String) {
    if reported.withLock({ $0.insert(note).inserted }) { warn(note) }
  }

  /// Returns the meaning of a name in a coin list; nil when the list does not have it.
  private func meaning(of name: String, in list: Sourced<Void>) -> NameMeaning? {
    let matches = asker.cache.coins(named: name, provider: list.about.provider).sorted { $0.id < $1.id }
    if matches.contains(where: { $0.id == name }) { return .id(name) }
    let lowercase = name.lowercased()
    if lowercase != name, lists.isListed(lowercase, in: list) { return .id(lowercase) }
    guard matches.count > 1 else { return matches.first.map { .id($0.id) } }
    let candidates = matches.sorted { rank(of: $0, in: list) < rank(of: $1, in: list) }
    return .failure(
      .ambiguous(
        symbol: name, candidates: candidates,
        prices: lists.prices(of: Array(candidates.prefix(BitpalError.candidatesShown)))))
  }

  /// Returns the order of a coin among others: the best known first, then by the source's own rank, then by name.
  private func rank(of coin: CoinListItem, in list: Sourced<Void>) -> (Int, Int, String, String) {
    let place = WellKnownCoins.place(of: coin.id) ?? .max
    let key = AnswerKey(provider: list.about.provider, kind: .detail, coin: coin.id, currency: settings.currency)
    let rank =
      if case .detail(let detail)? = asker.cache.answer(for: key)?.answer.value { detail.rank } else { Int?.none }
    return (place, rank ?? .max, coin.name.lowercased(), coin.id)
  }

  /// Warns once that a name would mean another coin if the settings were trusted.
  ///
  /// - Parameter id: The coin that the name means now; nil for none.
  func warnOfWithheldAlias(_ name: String, meaning id: String?) {
    guard let other = settings.withheldAliases[name.lowercased()], other != id,
      reported.withLock({ $0.insert(name).inserted })
    else { return }
    warn("\(name) is an alias for \(other) in settings that are not trusted; \"bitpal trust\" if they are yours")
  }

  // MARK: Names that a source denies

  /// Runs `body` with the id of a coin, and once more with another id when all sources deny the first.
  ///
  /// A name that was taken for an id is then looked up in coin lists of at most a day.
  ///
  /// - Throws: The error of `body`, or the failure of the second lookup.
  func withResolved<Result>(
    _ name: String, policy: FetchPolicy, _ body: (String) async throws -> Result
  ) async throws -> Result {
    let first = try meaning(of: name).certainOrGuessed()
    var meant = first
    defer { warnOfWithheldAlias(name, meaning: meant) }
    do {
      return try await body(first)
    } catch let error as BitpalError where isInDoubt(name, by: error) {
      let denied = DeniedName(name: name, id: first, denial: error)
      guard let next = await reconsider([denied], policy: policy).first else { throw error }
      meant = try next.get()
      return try await body(meant)
    }
  }

  /// Returns whether a failure may be about the name of a coin: many sources send no row for an id that they do not have, which is
  /// a coin without a price where a list has the name.
  func isInDoubt(_ name: String, by denial: BitpalError) -> Bool {
    denial.mayBeAboutName || denial.code == .noPrice && isGuess(name)
  }

  private func isGuess(_ name: String) -> Bool {
    if case .guess = meaning(of: name) { true } else { false }
  }

  /// Returns for each denied name the id to ask for now, or the failure that remains.
  ///
  /// The id may be the same one when a newer list has it. A list older than a day is fetched before a coin counts as
  /// unknown; a list that cannot be fetched leaves the question open. While a source is rate limited or down only
  /// lists on this machine are used, and its failure remains unless they have the name.
  func reconsider(_ names: [DeniedName], policy: FetchPolicy) async -> [Result<String, BitpalError>] {
    if names.isEmpty { return [] }
    let before = lists.cached
    let hasGuess = names.contains { isGuess($0.name) }
    let isDenied = names.contains { $0.denial.has(.mayBeTicker) || hasGuess && $0.denial.code == .noPrice }
    let listFailure = await renewLists(isDenied ? policy : .offline) { source in
      // An id needs no list, unless the source is asked by ticker and only its list may have the ticker.
      lists.cachedList(of: source) != nil || hasGuess || source.descriptor.listedIDs == .tickers
    }
    let hasNewList = lists.cached.map(\.stamp.fetchedAt) != before.map(\.stamp.fetchedAt)
    return names.map { denied in
      let meaning = meaning(of: denied.name, isFinal: true)
      guard denied.denial.has(.mayBeTicker) else {
        return meaning.id.flatMap { $0 == denied.id ? nil : .success($0) } ?? .failure(denied.denial)
      }
      if let id = meaning.id, id != denied.id || hasNewList { return .success(id) }
      if case .failure(let failure) = meaning, failure.code == .ambiguous { return .failure(failure) }
      if let listFailure { return .failure(denied.denial.followed(by: listFailure)) }
      guard case .failure(.notFound(let coin, let lister, let suggestion)) = meaning else {
        if case .notFound(let coin, let provider, nil) = denied.denial, capitalsSource(of: denied.name) != nil {
          return .failure(.notFound(coin: coin, provider: provider, suggestion: "id:\(denied.name)"))
        }
        return .failure(denied.denial)
      }
      let provider = if case .notFound(_, let deniers, _) = denied.denial { deniers } else { lister }
      return .failure(.notFound(coin: coin, provider: provider, suggestion: suggestion))
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

  /// Returns the outcome of the name, among prices by id; nil where its id has none.
  func outcome(
    among prices: [String: Result<Sourced<Coin>, BitpalError>]
  ) -> Result<Sourced<Coin>, BitpalError>? {
    switch self {
    case .id(let id), .guess(let id): prices[id]
    case .failure(let error): .failure(error)
    }
  }

  /// Creates the meaning of a name that was looked up again.
  init(_ result: Result<String, BitpalError>) {
    switch result {
    case .success(let id): self = .id(id)
    case .failure(let error): self = .failure(error)
    }
  }

  /// Returns the id to ask for.
  ///
  /// - Throws: The failure.
  func certainOrGuessed() throws(BitpalError) -> String {
    switch self {
    case .id(let id), .guess(let id): return id
    case .failure(let error): throw error
    }
  }
}

/// A name whose id all sources have denied.
struct DeniedName {
  let name: String
  let id: String
  let denial: BitpalError
}
