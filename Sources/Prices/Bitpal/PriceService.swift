public import BitpalCache
public import BitpalModel
public import BitpalProviders
package import BitpalRateLimit
public import FoundationEssentials

/// The central access to prices: providers in order of fallback, with the cache in front.
///
/// It is a page of short functions over five parts: `CoinNames` (what a name means), `Asker` (decide → join → lock →
/// request → note → store), `CurrencyConverter`, `ChartSeries` and `DailyHistory`. Coins may be named by id, alias or
/// symbol. Every answer carries its provenance and its age. Failures are ``/BitpalModel/BitpalError``;
/// `CancellationError` when the task is cancelled.
///
/// ```swift
/// let answer = try await service.quotes(["btc", "ethereum"], currency: "eur")
/// for quote in answer.quotes { print(quote.value.name, quote.value.currentPrice, quote.source) }
/// ```
public struct PriceService: Sendable {
  let asker: Asker
  let names: CoinNames
  let converter: CurrencyConverter
  let charts: ChartSeries
  let days: DailyHistory

  /// A search for providers that are as the function wants them; it returns a few ids.
  package typealias Search = @Sendable (_ isWanted: (ProviderDescriptor) -> Bool) -> [String]

  /// Searches the configured providers, or all that were found where it is set so.
  var search: Search

  /// Creates a service that counts failing sources for itself.
  ///
  /// - Parameters:
  ///   - providers: At least one; each is asked when those before it fail.
  ///   - converters: The sources of exchange rates for a currency that the providers lack, in order of fallback.
  ///   - cache: The cache that is consulted before the providers; without a path it lasts as long as the process.
  ///   - settings: The times to live of answers, and the names of coins.
  ///   - time: The clock by which answers age.
  ///   - trace: Receives the events in the life of every answer.
  ///   - warn: Receives each warning about a question, one sentence per call.
  public init(
    providers: [any PriceProvider], converters: [any PriceProvider] = [], cache: PriceCache,
    settings: ServiceSettings = ServiceSettings(),
    time: any TimeSource = SystemTime(), trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(
      providers: providers, converters: ConvertingProviders { .success(converters) }, cache: cache,
      budgets: MemoryBudgetStore(time: time), settings: settings, time: time, trace: trace, warn: warn)
  }

  /// Creates a service that shares its record of failing sources with others.
  ///
  /// - Parameters:
  ///   - budgets: The store that counts the failures of sources.
  ///   - locks: The locks between the users of the cache; nil for those of its file.
  ///   - owner: Returns the fingerprint of a provider's key: another key has not failed yet.
  package init(
    providers: [any PriceProvider], converters: ConvertingProviders = ConvertingProviders { .success([]) },
    cache: PriceCache, budgets: any BudgetStore, locks: (any FlightLock)? = nil,
    settings: ServiceSettings, time: any TimeSource, trace: Trace, warn: @escaping @Sendable (String) -> Void,
    owner: @escaping @Sendable (_ provider: String) -> String = { _ in "" }
  ) {
    let sources = PriceSources(providers: providers, converters: converters)
    asker = Asker(
      sources: sources, lists: CoinLists(sources: sources, cache: cache, settings: settings, time: time), cache: cache,
      settings: settings, time: time, trace: trace, locks: locks ?? cache.locks(time: time),
      health: SourceHealth(budgets: budgets, time: time, owner: owner),
      renewals: Renewals(
        whileRenewing: min(settings.whileRenewing, settings.maxStale), isShared: cache.hasRemoteTier))
    names = CoinNames(asker: asker, warn: warn)
    converter = CurrencyConverter(asker: asker)
    charts = ChartSeries(asker: asker, names: names, converter: converter)
    days = DailyHistory(asker: asker, names: names, converter: converter)
    let descriptors = providers.map(\.descriptor)
    search = { isWanted in descriptors.filter(isWanted).map(\.id) }
  }

  /// The descriptions of the providers, in order of fallback.
  public var descriptors: [ProviderDescriptor] { asker.sources.providers.map(\.descriptor) }

  /// The clock by which answers age; it stands still for a recording.
  public var time: any TimeSource { asker.time }

  // MARK: Prices

  /// Returns the latest prices of coins, named by id, alias or symbol.
  ///
  /// Meanings, ask, reconsider denied names once, convert. Fresh cached prices are not fetched again, and all missing
  /// ones are fetched in one request. A coin without an answer is a failure of that coin only.
  ///
  /// - Throws: `CancellationError`.
  public func quotes(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> QuotesAnswer {
    try await BlockingPool.run {
      var meanings = coins.map { names.meaning(of: $0) }
      var prices = try await prices(meanings.compactMap(\.id), currency: currency, policy: policy)
      // An id that all sources deny may be a symbol, or the id of a new coin; the coin lists decide that.
      let denied = zip(coins, meanings).enumerated().compactMap { index, name -> (index: Int, name: DeniedName)? in
        guard let id = name.1.id, case .failure(let denial)? = prices[id], names.isInDoubt(name.0, by: denial) else {
          return nil
        }
        return (index, DeniedName(name: name.0, id: id, denial: denial))
      }
      for (name, result) in zip(denied, await names.reconsider(denied.map(\.name), policy: policy)) {
        meanings[name.index] = NameMeaning(result)
      }
      let again = denied.compactMap { meanings[$0.index].id }
      if !again.isEmpty { prices.merge(try await self.prices(again, currency: currency, policy: policy)) { $1 } }
      for (coin, meaning) in zip(coins, meanings) { names.warnOfWithheldAlias(coin, meaning: meaning.id) }
      let outcomes = zip(coins, meanings).compactMap { name, meaning in
        meaning.outcome(among: prices).map { (name, $0) }
      }
      return QuotesAnswer(coins, Dictionary(outcomes) { first, _ in first })
    }
  }

  /// Returns the prices of ids, converted where the sources lack the currency.
  private func prices(
    _ ids: [String], currency: String, policy: FetchPolicy
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    if let rule = asker.settings.agreement {
      return try await agreedPrices(ids, currency: currency, policy: policy, by: rule)
    }
    let question = Question.quotes(ids, currency: currency, timeToLive: asker.settings.quotesTimeToLive)
    let prices = try await asker.ask(question, for: Coin.self, policy: policy)
    return try await converter.converting(prices, to: currency, policy: policy)
  }

  /// Returns the market figures of one coin.
  ///
  /// - Throws: `BitpalError` when no provider has them; `CancellationError`.
  public func detail(
    _ coin: String, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CoinDetail> {
    try await BlockingPool.run {
      let detail = try await names.withResolved(coin, policy: policy) { id in
        try await converter.converting(id, to: currency, policy: policy) { currency in
          let question = Question.detail(id, currency: currency, timeToLive: asker.settings.detailTimeToLive)
          return try await withQuote(try await asker.answer(question, policy: policy), currency, policy)
        }
      }
      let id = detail.about.coin
      guard asker.settings.agreement != nil,
        let agreed = try await prices([id], currency: currency, policy: policy)[id]?.get()
      else { return detail }
      return detail.map { $0.with(agreed.value) }.counted(by: agreed.agreement)
    }
  }

  /// Returns a detail with the price of the same source's quote, which has more digits at some sources.
  ///
  /// A quote costs no request: it comes from the cache or from a source on this machine. Where there is none the price of a
  /// detail from the web becomes the quote, so that both questions have one answer for as long as it is fresh.
  private func withQuote(
    _ detail: Sourced<CoinDetail>, _ currency: String, _ policy: FetchPolicy
  ) async throws -> Sourced<CoinDetail> {
    guard let provider = asker.sources.provider(of: detail.about) else { return detail }
    let (id, timeToLive) = (detail.about.coin, asker.settings.quotesTimeToLive)
    let isOnWeb = provider.descriptor.needsNetwork
    let question = Question.quotes([id], currency: currency, timeToLive: timeToLive)
    let quote = try await asker.ask(question, of: [provider], policy: isOnWeb ? .cached : policy)[id]
    if case .success(let answer)? = quote, case .quote(let coin) = answer.value { return detail.map { $0.with(coin) } }
    if isOnWeb, time.now.since(detail.fetchedAt) <= timeToLive {
      asker.cache.store([
        Sourced(
          .quote(detail.value.coin), about: question.key(id, from: provider), source: detail.source,
          fetchedAt: detail.fetchedAt, freshness: detail.freshness, conversion: detail.conversion)
      ])
    }
    return detail
  }

  // MARK: Series

  /// Returns the line of one coin over a range, cut to its window.
  ///
  /// A source that does not answer about a past window is asked for all the time since the window's start.
  ///
  /// - Throws: `BitpalError`: `.noData` when a source has nothing in the window; `CancellationError`.
  public func line(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<LineSeries> {
    try await BlockingPool.run {
      try await namingOthers(of: coin, since: range.timeWindow(at: time.now).start) {
        $0.capabilityOfLines
      } asking: {
        try await charts.line(coin, range: range, currency: currency, policy: policy)
      }
    }
  }

  /// Returns the candles of one coin that overlap the window of a range.
  ///
  /// Their width is the range's if the source has it, or has narrower candles or a line from which it can be made.
  /// Otherwise it is the nearest width of the source. See ``/BitpalModel/Resampling`` and
  /// ``/BitpalModel/CandleSeries/width``.
  ///
  /// - Throws: `BitpalError`: `.noData` when a source has nothing in the window; `CancellationError`.
  public func candles(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CandleSeries> {
    try await BlockingPool.run {
      try await namingOthers(of: coin, since: range.timeWindow(at: time.now).start) { _ in
        .candles
      } asking: {
        try await charts.candles(coin, range: range, currency: currency, policy: policy)
      }
    }
  }

  /// Returns the daily closes of one coin in UTC, from one day to another, both included.
  ///
  /// The close of a day that is over does not change, so it is stored permanently and not fetched again. A day within
  /// the source's reach on which it has no price is omitted.
  ///
  /// - Parameters:
  ///   - coin: An id, alias or symbol.
  ///   - first: Any instant of the first day.
  ///   - last: Any instant of the last day.
  ///   - currency: The currency of the prices, lower case.
  ///   - reach: The treatment of days before the source's first.
  ///   - policy: The use of the cache and the sources.
  /// - Throws: `.usage` for days that are not over, `.noData` for days before the source's first, which it names, or `.planLimit`
  ///   where a plan ends there, with the providers that go further back.
  public func history(
    _ coin: String, from first: Date, to last: Date, currency: String, reach: HistoryReach = .all,
    policy: FetchPolicy = .normal
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    try await BlockingPool.run {
      try await namingOthers(of: coin, since: first) {
        $0.capabilityOfCloses
      } asking: {
        try await days.closes(coin, from: first, to: last, currency: currency, reach: reach, policy: policy)
      }
    }
  }

  /// Returns the failure of days before the first of an answer: that of a plan where it ends there, with the providers that
  /// go further back.
  ///
  /// - Parameter name: The name of the coin in the message.
  package func failure(
    ofDays lacking: [Date], before answer: Sourced<[Resampling.DailyClose]>, name: String, currency: String
  ) -> BitpalError {
    let failure = days.nothing(about: "\(name) in \(currency) on \(lacking.daysText)", in: answer)
    return lacking.first.map {
      namingOthers(failure, of: answer.about.coin, since: $0) { $0.capabilityOfCloses }
    } ?? failure
  }

  /// Asks a question about the past; the failure of a plan names the providers that go further back.
  private func namingOthers<Value>(
    of coin: String, since first: Date, _ capability: (ProviderDescriptor) -> Capability,
    asking: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await asking()
    } catch let error as BitpalError {
      throw namingOthers(error, of: names.meaning(of: coin).id ?? coin, since: first, capability)
    }
  }

  private func namingOthers(
    _ error: BitpalError, of id: String, since first: Date, _ capability: (ProviderDescriptor) -> Capability
  ) -> BitpalError {
    if case .allFailed(let causes) = error {
      return .allFailed(
        causes.map {
          ProviderFailure(
            provider: $0.provider, error: namingOthers($0.error, of: id, since: first, capability))
        })
    }
    guard case .planLimit(let provider, let reason, _) = error else { return error }
    return .planLimit(
      provider: provider, reason: reason,
      others: others(than: provider, of: id, back: time.now.since(first), capability))
  }

  /// Returns the ids of the providers that answer for so long a time back.
  ///
  /// A provider that states no limit counts as one without a limit.
  ///
  /// - Parameters:
  ///   - coin: The id of the coin that they must have.
  ///   - capability: Returns what they must be capable of.
  package func others(
    than source: String, of coin: String, back length: Duration, _ capability: (ProviderDescriptor) -> Capability
  ) -> [String] {
    others(of: coin) { provider in
      let capability = capability(provider)
      return provider.id != source && provider.capabilities.contains(capability)
        && provider.reach[capability].map { $0.longest >= length } ?? true
    }
  }

  /// Returns the ids of the providers that are as the function wants them, and that answer about a coin.
  package func others(of coin: String, where isWanted: (ProviderDescriptor) -> Bool) -> [String] {
    // A recording answers only what was recorded, so it cannot serve as an alternative source.
    func has(_ source: ProviderDescriptor) -> Bool {
      source.recordedAt == nil && source.coins.has(coin) && isWanted(source)
    }
    let own = asker.sources.providers.map(\.descriptor).filter(has).map(\.id)
    return own + search(has).filter { !own.contains($0) }
  }

  /// Returns the days of one coin with open, high, low, close and volume, from one day to another in UTC, both
  /// included.
  ///
  /// A day on which the source has no candle is omitted, and a source whose candles are wider than a day is skipped.
  /// Where days are resampled from narrower candles, the close is that of
  /// ``history(_:from:to:currency:reach:policy:)``: the price of such a source at midnight differs from the end of its
  /// last candle.
  ///
  /// - Throws: `.usage` for days that are not over, `.noData` where no source has candles of a day.
  public func dailyCandles(
    _ coin: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    try await BlockingPool.run {
      try await days.candles(coin, from: first, to: last, currency: currency, policy: policy)
    }
  }
}
