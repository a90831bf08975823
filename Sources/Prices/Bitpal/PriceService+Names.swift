import BitpalCache
public import BitpalModel
import BitpalProviders
package import FoundationEssentials

/// The names of coins, and their lists.
extension PriceService {
  /// Returns the id of the coin that goes by `name`: an alias, a well-known ticker, an id, or a symbol that only one coin has.
  ///
  /// - Throws: `.ambiguous` for a symbol of several coins; `.notFound` when neither a coin list nor a source without one has
  ///   the name; the failure of a source that may have it.
  public func resolve(_ name: String, policy: FetchPolicy = .normal) async throws -> String {
    try await BlockingPool.run {
      var meaning = names.meaning(of: name)
      if case .guess(let guess) = meaning {
        let listFailure = await names.renewLists(policy)
        meaning = names.meaning(of: name, isFinal: true)
        if case .failure(.notFound) = meaning {
          let denials = try await denials(of: [guess], currency: asker.settings.currency, policy: policy)
          guard let denial = denials[guess] else { return guess }
          throw listFailure.map { denial.followed(by: $0) } ?? denial
        }
      }
      names.warnOfWithheldAlias(name, meaning: meaning.id)
      return try meaning.certainOrGuessed()
    }
  }

  /// Returns the id of the coin that goes by `name`, as far as it is known without asking a source; otherwise the name itself.
  ///
  /// - Throws: `.ambiguous` for a symbol of several coins, `.notFound` for a name that the cached lists lack.
  package func knownID(of name: String) throws(BitpalError) -> String { try names.meaning(of: name).certainOrGuessed() }

  /// Returns names of coins without the currencies of pairs such as `btc-usd` and `btc/eur`, and that currency.
  ///
  /// - Parameter currency: The currency that was asked for beside the names; nil for none.
  /// - Returns: The coins in the same order, and the currency; nil when none was named.
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for two different currencies.
  package func separated(
    _ coins: [String], currency: String?
  ) throws(BitpalError) -> (coins: [String], currency: String?) {
    var named = currency
    var separated: [String] = []
    for coin in coins {
      guard let pair = names.pair(of: coin) else {
        separated.append(coin)
        continue
      }
      if let named, named.lowercased() != pair.currency {
        throw .usage(
          "\"\(coin)\" is in \(pair.currency), but \(named.lowercased()) is asked for too", hint: "name one currency")
      }
      named = pair.currency
      separated.append(pair.coin)
    }
    return (separated, named)
  }

  /// Returns the failure of a coin that every source is known not to have; nil where one may have it.
  ///
  /// No source is asked.
  package func knownAbsence(of name: String, currency: String) -> BitpalError? {
    guard let id = names.meaning(of: name).id else { return nil }
    let question = Question.quotes([id], currency: currency, timeToLive: .zero)
    let providers = asker.sources.sources(of: question)
    let isAbsent = providers.allSatisfy { provider in
      asker.cache.answer(for: question.key(id, from: provider).ofAbsence) != nil
        || !asker.lists.unlisted([id], at: provider).isEmpty
    }
    return isAbsent ? providers.first.map { .notFound(coin: name, provider: $0.descriptor.id) } : nil
  }

  /// Returns why the price of a coin could not be had when it was last asked for; nil where a source may not have been
  /// asked, or has answered since then.
  ///
  /// No source is asked.
  package func lastFailure(of name: String, currency: String) -> BitpalError? {
    guard let id = names.meaning(of: name).id else { return nil }
    let question = Question.quotes([id], currency: currency, timeToLive: .zero)
    let providers = asker.sources.sources(of: question)
    let causes = providers.compactMap { provider in
      asker.health.lastFailure(of: question, at: provider).map {
        ProviderFailure(provider: provider.descriptor.id, error: $0)
      }
    }
    return causes.count == providers.count ? causes.combined : nil
  }

  /// Returns whether a source gave the price of a coin so recently that it explains what it lacks, without asking one.
  package func isPriced(id: String, in currency: String) -> Bool { asker.owner(of: id, in: currency) != nil }

  /// Returns whether a price was converted although its source may have it in the wanted currency, so that asking may
  /// give a better one.
  package func mayBeUnconverted(_ quote: Sourced<Coin>, in currency: String) -> Bool {
    quote.conversion != nil && converter.mayAnswer(in: currency, like: quote)
  }

  /// Returns the prospect of prices in a currency, by the rule by which a price refuses one, without asking a source.
  ///
  /// - Parameter currency: Its code, in lower case.
  package func prospect(ofPricesIn currency: String) -> CurrencyProspect {
    let converters = (try? asker.sources.converters.all()) ?? []
    let sources = (asker.sources.providers + converters).map(\.descriptor)
    let able = sources.filter { $0.mayAnswer(in: currency) }
    if able.contains(where: { !$0.currencies.isEmpty }) { return .expected }
    let isKnown = CurrencyCoin.isKnownUnit(currency)
    if isKnown, !able.isEmpty { return .expected }
    // CoinGecko has no other units than currencies and well-known coins.
    return isKnown || able.contains { $0.kind != CoinGeckoKind.name }
      ? .doubtful(sources: sources.map(\.id).distinct) : .none(sources: sources.map(\.id).distinct)
  }

  /// Returns the ids of coins that exist: a coin list has them, or a source without a list has a price for them.
  ///
  /// - Parameters:
  ///   - names: Ids, aliases or symbols.
  ///   - currency: The currency in which a price is requested without a list.
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
      // What has had a price exists.
      let unpriced = ids.map(\.id).filter { lastPriced($0, currency: currency) == nil }
      let unlisted = unpriced.isEmpty ? [] : await unlisted(unpriced, policy: policy)
      let denials = try await denials(of: unlisted ?? unpriced, currency: currency, policy: policy)
      for (name, id) in ids {
        if let denial = denials[id] { failures.append(CoinFailure(coin: name, error: denial)) }
      }
      return (ids.map(\.id).filter { denials[$0] == nil }, failures)
    }
  }

  /// Returns, by id, the failures of unlisted coins for which a source without a list has no price either.
  private func denials(
    of ids: [String], currency: String, policy: FetchPolicy
  ) async throws -> [String: BitpalError] {
    guard !ids.isEmpty else { return [:] }
    let lister = names.lists.cached.first?.stamp.source
    func unknown(_ id: String, at provider: String) -> BitpalError {
      .notFound(coin: id, provider: provider, suggestion: names.lists.nearest(to: id))
    }
    if let lister, !asker.sources.hasSourceWithoutList {
      return ids.reduce(into: [:]) { $0[$1] = unknown($1, at: lister) }
    }
    let outcomes = try await quotes(ids.map { "id:\($0)" }, currency: currency, policy: policy).outcomes
    return ids.reduce(into: [:]) { denials, id in
      // Without an answer no source denies it.
      guard case .failure(let error)? = outcomes["id:\(id)"] else { return }
      denials[id] = lister.map { error.has(.mayBeTicker) ? unknown(id, at: $0) : error } ?? error
    }
  }

  /// Returns the ids, of some given ones, that no coin list has; nil when no list can be had.
  package func unlisted(_ ids: [String], policy: FetchPolicy = .normal) async -> [String]? {
    await BlockingPool.run { await names.unlisted(ids, policy: policy) }
  }

  /// Returns whether a coin's id is well known, so that no list needs to be asked.
  package func isWellKnown(_ id: String) -> Bool { WellKnownCoins.place(of: id) != nil }

  /// Returns the name that stands for the coin of an id: the id, or `id:` before it where an alias or a ticker has that
  /// name.
  public func name(ofID id: String) -> String { names.name(ofID: id) }

  /// Returns the ticker of a coin.
  ///
  /// It is the alias of the settings, otherwise the well-known ticker, otherwise the symbol of the coin list, otherwise
  /// the id. A currency has its code.
  public func symbol(of id: String, policy: FetchPolicy = .normal) async -> String {
    await BlockingPool.run { await names.symbol(of: id, policy: policy) }
  }

  /// Returns the name of a coin in the files of other programs: its ticker, or its id where another coin or a currency has the
  /// ticker.
  package func soleName(of id: String, policy: FetchPolicy = .normal) async -> String {
    await BlockingPool.run { await names.soleName(of: id, policy: policy) }
  }

  /// Returns every coin of the first provider that has a list and answers; fetched at most once per time to live.
  ///
  /// - Throws: `BitpalError` when no list can be had; `CancellationError`.
  public func coinList(policy: FetchPolicy = .normal) async throws -> Sourced<[CoinListItem]> {
    try await BlockingPool.run { try await names.coinList(policy: policy) }
  }

  /// Returns the coins whose id, symbol or name contains a text, best matches first.
  ///
  /// Well-known coins that begin with the text come first, the best known of them before the others. Exact symbols and
  /// ids follow, then other texts that begin with it, then the rest, each sorted by name. Case and diacritics do not
  /// matter.
  ///
  /// The cached coin list is searched; it is fetched at most once per time to live. `.refresh` fetches it now.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for an empty text.
  public func search(
    _ text: String, limit: Int = 50, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[CoinListItem]> {
    try await BlockingPool.run { try await names.search(text, limit: limit, policy: policy) }
  }

  /// Returns the nearest alias, id or symbol to a text that matches nothing; nil when none is near.
  package func nearestCoin(to text: String) -> String? { names.lists.nearest(to: text) }
}

/// The prospect of prices in a currency.
package enum CurrencyProspect: Hashable, Sendable {
  /// A source names the currency, or it is a usual one and some source names none.
  case expected

  /// No source names the currency, and only a request would show whether one answers in it.
  case doubtful(sources: [String])

  /// No source answers in it.
  case none(sources: [String])

  /// Returns the refusal of a setting for prices in a currency that no source has; nil where one may have it.
  package func refusal(of code: String) -> BitpalError? {
    guard case .none(let sources) = self else { return nil }
    return .usage(
      "currency: \"\(code)\" is not a currency of \(sources.joined(separator: " or "))",
      hint: CurrencyCoin.hint(forReplaced: code) ?? CurrencyCoin.nearest(to: code).map { "did you mean \"\($0)\"?" }
        ?? "give a code such as usd, eur or btc; a provider file names others under currencies")
  }
}

/// The answers that pages and small drawings use, most of which cost no request.
extension PriceService {
  /// Returns the last cached prices of coins, at any age; nil when there are none.
  package func cachedPrices(of items: [CoinListItem]) -> CandidatePrices? { names.lists.prices(of: items) }

  /// The time for which a price counts as fresh.
  package var quotesTimeToLive: Duration { asker.settings.quotesTimeToLive }

  /// Returns the time at which the newest cached price of a coin was fetched; nil when there is none.
  package func lastPriced(_ id: String, currency: String) -> Date? {
    asker.sources.providers.compactMap { provider in
      asker.cache.answer(for: .quote(id, in: currency, from: provider))?.answer.fetchedAt
    }.max()
  }

  /// Returns the market figures of coins, as far as the cache or a quotes request has them.
  ///
  /// A source that would need one request per coin is not asked.
  ///
  /// - Parameter ids: The coins, each by its id.
  /// - Throws: `CancellationError`.
  package func details(ofIDs ids: [String], currency: String) async throws -> [String: Sourced<CoinDetail>] {
    let question = Question.quotes(
      ids, currency: currency, form: .figures, timeToLive: asker.settings.detailTimeToLive)
    let outcomes = try await asker.ask(question, of: asker.sources.figureSources, policy: .normal)
    return outcomes.compactMapValues { try? $0.get().holding(CoinDetail.self).get() }
  }

  /// Returns the tickers and names of coins, as far as they are well known or in a cached list, by id.
  package func listed(_ ids: Set<String>) -> [String: CoinListItem] {
    ids.reduce(into: [:]) { found, id in
      found[id] =
        WellKnownCoins.coin(ofID: id)
        ?? asker.sources.providers.lazy
        .flatMap { asker.cache.coins(named: id, provider: $0.descriptor.cacheIdentity) }.first { $0.id == id }
    }
  }

  /// Returns the name of the coin of an answer, as far as the source's cached price, the well-known coins or a cached list
  /// have it; nil for none.
  package func knownName(of answer: Sourced<Void>) -> String? {
    let (provider, coin, currency) = (answer.about.provider, answer.about.coin, answer.about.currency)
    let key = AnswerKey(provider: provider, kind: .quote, coin: coin, currency: currency)
    if case .quote(let quote)? = asker.cache.answer(for: key)?.answer.value { return quote.name }
    return listed([coin])[coin]?.name
  }

  /// Returns the market figures that came with prices, or later, by the ids of the coins, as far as they are cached.
  ///
  /// Those of a converted price are in another currency, and left out.
  package func figures(of quotes: [Sourced<Coin>], currency: String) -> [String: CoinDetail] {
    var figures: [String: CoinDetail] = [:]
    let question = Question.detail("", currency: currency, timeToLive: .zero)
    for quote in quotes where quote.conversion == nil {
      guard let provider = asker.sources.provider(of: quote.about),
        provider.descriptor.capabilities.contains(.detail),
        let cached = asker.cache.answer(for: question.key(quote.value.id, from: provider))?.answer,
        cached.fetchedAt >= quote.fetchedAt, case .detail(let detail) = cached.value
      else { continue }
      figures[quote.value.id] = detail
    }
    return figures
  }

  /// Returns the largest coins by market value, largest first, from the first source that lists them.
  ///
  /// One request brings all of them with their prices, which count as fresh afterwards.
  ///
  /// - Throws: `BitpalError`: `.unsupported` where no source lists them, otherwise the failure of the source;
  ///   `CancellationError`.
  package func top(currency: String, policy: FetchPolicy = .normal) async throws -> Sourced<[CoinListItem]> {
    let able = asker.sources.providers.filter(\.descriptor.ranksCoins)
    guard !able.isEmpty else {
      throw BitpalError.unsupported(.detail, provider: descriptors.map(\.id).joined(separator: ", "), others: [])
    }
    let question = Question.top(in: currency, timeToLive: asker.settings.quotesTimeToLive)
    return try await ranked(question, of: able, policy: policy) { $0.marketCap }
  }

  /// Returns whether prices are converted into a currency that the sources lack: one that a source of rates answers in or has a rate
  /// of.
  package func converts(into currency: String) -> Bool {
    let converters = (try? asker.sources.converters.all()) ?? []
    return converters.map(\.descriptor).contains {
      $0.mayAnswer(in: currency) || $0.coins.has(CurrencyCoin.id(of: currency))
    }
  }

  /// Whether a source lists its coins by market value and by volume.
  package var listsRanked: Bool { asker.sources.providers.contains(where: \.descriptor.listsRanked) }

  /// Returns a page of the coins, largest first, from the first source that lists them so.
  ///
  /// - Throws: The failure of the source; `CancellationError`.
  package func ranked(_ page: RankedPage, currency: String) async throws -> Sourced<[CoinListItem]> {
    let able = asker.sources.providers.filter(\.descriptor.listsRanked)
    let question = Question.top(in: currency, page: page, timeToLive: asker.settings.quotesTimeToLive)
    return try await ranked(question, of: able, policy: .normal) { page.isByVolume ? $0.totalVolume : $0.marketCap }
  }

  /// Returns a list of coins that came with their figures, in the order of one of these, largest first: the cache keeps a
  /// list in the order of its ids.
  private func ranked(
    _ question: Question, of providers: [any PriceProvider], policy: FetchPolicy,
    by figure: @escaping @Sendable (CoinDetail) -> Decimal?
  ) async throws -> Sourced<[CoinListItem]> {
    try await BlockingPool.run {
      guard let outcome = try await asker.ask(question, of: providers, policy: policy)[""] else {
        throw CancellationError()
      }
      let coins = try outcome.flatMap { $0.holding([CoinListItem].self) }.get()
      guard let provider = providers.first(where: { $0.descriptor.id == coins.source }) else { return coins }
      let details = Question.detail("", currency: question.currency, timeToLive: .zero)
      let values = coins.value.map { item -> Decimal in
        let found = asker.cache.answer(for: details.key(item.id, from: provider))?.answer.value
        return if case .detail(let detail)? = found { figure(detail) ?? 0 } else { 0 }
      }
      let order = values.indices.sorted { (values[$1], $0) < (values[$0], $1) }
      return coins.map { items in order.map { items[$0] } }
    }
  }

  /// Returns the lines of the last seven days of coins for small drawings, or the failures.
  ///
  /// - Parameter ids: The coins, each by its id.
  /// - Throws: `CancellationError`.
  package func weeks(
    ofIDs ids: [String], currency: String
  ) async throws -> [String: Result<LineSeries, BitpalError>] {
    try await charts.weeks(ofIDs: ids, currency: currency)
  }

  /// Returns the line of the last seven days of a coin for a small drawing, by any of its names.
  ///
  /// - Throws: `BitpalError` when no source has it; `CancellationError`.
  package func week(_ name: String, currency: String) async throws -> LineSeries {
    try await names.withResolved(name, policy: .normal) { id in
      guard let week = try await charts.weeks(ofIDs: [id], currency: currency)[id] else { throw CancellationError() }
      return try week.get()
    }
  }

  /// Returns the cached line of the last seven days of a coin, at any age, without asking a source; nil when there is
  /// none.
  package func cachedWeek(ofID id: String, currency: String) -> LineSeries? {
    charts.cachedWeek(ofID: id, currency: currency)
  }

  /// Returns the cached part of a line, cut to the range's window, without asking a source; nil when there is none.
  ///
  /// A line that is cached in another currency is converted.
  package func cachedLine(_ id: String, range: ChartTimeRange, currency: String) -> LineSeries? {
    charts.cachedLine(id, range: range, currency: currency)
  }

  /// Returns the prices of a coin on some days at the first source with step prices, each carried forward to the next.
  ///
  /// No source is asked over the network.
  package func stepPrices(_ id: String, from first: Date, to last: Date, currency: String) async -> [Date: Decimal] {
    await BlockingPool.run { await days.stepPrices(id, from: first, to: last, currency: currency) }
  }
}
