public import BitpalCache
public import BitpalModel
public import BitpalProviders
package import BitpalRateLimit
import FoundationEssentials

/// The central access to prices: providers in order of fallback, with the cache in front.
///
/// Coins may be named by id, alias or symbol. Every answer carries its provenance and its age. Failures are
/// ``/BitpalModel/BitpalError``; `CancellationError` when the task is cancelled.
public struct PriceService: Sendable {
  let providers: [any PriceProvider]

  /// The sources of exchange rates, for answers in a currency that the providers lack.
  let converters: ConvertingProviders
  let cache: PriceCache
  let settings: ServiceSettings
  /// The clock by which answers age; it stands still for a recording.
  public let time: any TimeSource
  let trace: Trace
  let warn: @Sendable (String) -> Void
  let reported = Locked<Set<String>>([])
  let flights = SingleFlight()

  /// The renewal of answers that are served meanwhile.
  let renewals: Renewals

  /// The coins that were asked for recently, with which requests are filled.
  let recentCoins = RecentCoins()

  /// The refusals of the last second.
  let refusals = Refusals()
  let locks: (any FlightLock)?

  /// The store that counts the failures of sources.
  let budgets: any BudgetStore

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
  package init(
    providers: [any PriceProvider], converters: ConvertingProviders = ConvertingProviders { .success([]) },
    cache: PriceCache, budgets: any BudgetStore, locks: (any FlightLock)? = nil,
    settings: ServiceSettings, time: any TimeSource, trace: Trace, warn: @escaping @Sendable (String) -> Void
  ) {
    self.providers = providers
    self.converters = converters
    self.cache = cache
    self.settings = settings
    self.time = time
    self.trace = trace
    self.warn = warn
    self.budgets = budgets
    self.locks = locks ?? cache.locks(time: time)
    renewals = Renewals(
      whileRenewing: min(settings.whileRenewing, settings.maxStale), isShared: cache.hasRemoteTier)
  }

  /// The descriptions of the providers, in order of fallback.
  public var descriptors: [ProviderDescriptor] { providers.map(\.descriptor) }

  /// Warns once that a name would mean another coin if the settings were trusted.
  ///
  /// - Parameter id: The coin that the name means now; nil for none.
  func tellWithheldAlias(_ name: String, meaning id: String?) {
    guard let other = settings.withheldAliases[name.lowercased()], other != id,
      reported.withLock({ $0.insert(name).inserted })
    else { return }
    warn("\(name) is an alias for \(other) in settings that are not trusted; \"bitpal trust\" if they are yours")
  }

  /// Returns the latest prices of coins, named by id, alias or symbol.
  ///
  /// Fresh cached prices are not fetched again, and all missing ones are fetched in one request. A coin without an
  /// answer is a failure of that coin only.
  ///
  /// - Throws: `CancellationError`.
  public func quotes(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> QuotesAnswer {
    try await BlockingPool.run {
      var quotes: [Sourced<Coin>] = []
      var failures: [CoinFailure] = []
      var seen: Set<String> = []
      for (coin, id, outcome) in try await outcomes(coins, currency: currency, policy: policy)
      where seen.insert(id ?? coin).inserted {
        switch outcome {
        case .success(let quote): quotes.append(quote)
        case .failure(let error): failures.append(CoinFailure(coin: coin, error: error))
        }
      }
      return QuotesAnswer(quotes: quotes, failures: failures)
    }
  }

  /// Returns the latest prices by the names of the coins as they were given.
  ///
  /// - Throws: `CancellationError`.
  package func quotesByName(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    try await BlockingPool.run {
      let outcomes = try await outcomes(coins, currency: currency, policy: policy)
      return Dictionary(outcomes.map { ($0.name, $0.outcome) }) { first, _ in first }
    }
  }

  /// Returns for each name its id, nil for a name without one, and its price or the failure.
  private func outcomes(
    _ coins: [String], currency: String, policy: FetchPolicy
  ) async throws -> [(name: String, id: String?, outcome: Outcome<Coin>)] {
    var meanings = coins.map { meaning(of: $0) }
    func ask(_ ids: [String]) async throws -> [String: Outcome<Coin>] {
      let outcomes = try await self.ask(
        .quotes(ids, currency: currency, timeToLive: settings.quotesTimeToLive), policy: policy)
      return try await converting(outcomes, to: currency, policy: policy)
    }
    var outcomes = try await ask(meanings.compactMap(\.id))

    // An id that all sources deny may be a symbol, or the id of a new coin; the coin lists decide that.
    var denied: [(index: Int, name: DeniedName)] = []
    for (index, coin) in coins.enumerated() {
      guard let id = meanings[index].id, case .failure(let denial)? = outcomes[id], denial.mayBeAboutName else {
        continue
      }
      denied.append((index, DeniedName(name: coin, id: id, denial: denial)))
    }
    for (name, result) in zip(denied, await reconsider(denied.map(\.name), policy: policy)) {
      meanings[name.index] =
        switch result {
        case .success(let id): .id(id)
        case .failure(let error): .failure(error)
        }
    }
    let again = denied.compactMap { meanings[$0.index].id }
    if !again.isEmpty { outcomes.merge(try await ask(again)) { $1 } }

    for (coin, meaning) in zip(coins, meanings) { tellWithheldAlias(coin, meaning: meaning.id) }
    return zip(coins, meanings).compactMap { coin, meaning in
      if case .failure(let error) = meaning { return (coin, nil, .failure(error)) }
      return meaning.id.flatMap { id in outcomes[id].map { (coin, id, $0) } }
    }
  }

  /// Returns the market figures of one coin.
  ///
  /// - Throws: `BitpalError` when no provider has them; `CancellationError`.
  public func detail(
    _ coin: String, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CoinDetail> {
    try await BlockingPool.run {
      try await withResolved(coin, policy: policy) { id in
        try await converting(id, to: currency, policy: policy) { currency in
          let detail = try await answer(
            .detail(id, currency: currency, timeToLive: settings.detailTimeToLive), policy: policy)
          return try await withQuote(detail, currency: currency, policy: policy)
        }
      }
    }
  }

  /// Returns a detail with the price of the same source's quote, which has more digits at some sources.
  ///
  /// A quote costs no request: it comes from the cache or from a source on this machine. Where there is none the price of a
  /// detail from the web becomes the quote, so that both questions have one answer for as long as it is fresh.
  private func withQuote(
    _ detail: Sourced<CoinDetail>, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<CoinDetail> {
    guard let provider = provider(of: detail.about) else { return detail }
    let id = detail.about.coin
    let question = Question.quotes([id], currency: currency, timeToLive: settings.quotesTimeToLive)
    let quote = try await askSources(
      question, of: [provider], policy: provider.descriptor.needsNetwork ? .cached : policy)[id]
    if case .success(let quote)? = quote {
      return detail.map { $0.with(quote.value) }
    }
    if provider.descriptor.needsNetwork, time.now.since(detail.fetchedAt) <= settings.quotesTimeToLive {
      cache.store([
        Sourced(
          .quote(detail.value.coin), about: question.key(id, from: provider), source: detail.source,
          fetchedAt: detail.fetchedAt, freshness: detail.freshness, conversion: detail.conversion)
      ])
    }
    return detail
  }

  /// Returns the line of one coin over a range, cut to its window.
  ///
  /// A source that does not answer about a past window is asked for all the time since the window's start.
  ///
  /// - Throws: `BitpalError`: `.noData` when a source has nothing in the window; `CancellationError`.
  public func line(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<LineSeries> {
    try await BlockingPool.run {
      let window = range.timeWindow(at: time.now)
      return try await withResolved(coin, policy: policy) { id in
        let description = "the line of \(id) in \(currency) over \(range.description)"
        return try await converting(id, to: currency, policy: policy) { currency in
          if policy == .normal, let part = await partOfLongerLine(id, range, currency: currency) { return part }
          let whole = try await answer(
            .line(
              id, currency: currency, window: window, now: time.now, key: range.keyText, timeToLive: range.timeToLive,
              description: description), policy: policy)
          let line = cut(whole, to: window)
          guard !line.points.isEmpty else {
            throw nothing(description, before: whole.value.points.first?.timestamp, in: window, of: whole.source)
          }
          return whole.map { _ in line }
        }
      }
    }
  }

  /// Returns the last days of a longer line that is cached and as new as the range wants; nil where the range itself is
  /// cached, and where the longer line is not as dense as the range alone, about one point per hour.
  private func partOfLongerLine(
    _ id: String, _ range: ChartTimeRange, currency: String
  ) async -> Sourced<LineSeries>? {
    let (day, window) = (Duration.seconds(86_400), range.timeWindow(at: time.now))
    guard range.beginning == .windowAgo, range.end == nil, range.window > day,
      providers.contains(where: \.descriptor.needsNetwork)
    else { return nil }
    func cached(_ length: Duration) async -> Sourced<LineSeries>? {
      try? await answer(
        .line(
          id, currency: currency, window: TimeWindow(ending: time.now, length: length), now: time.now,
          key: length.unitText, timeToLive: range.timeToLive, description: "the line of \(id)"), policy: .cached)
    }
    for length in [range.window] + [7, 30, 90].map({ day * $0 }).filter({ $0 > range.window }) {
      guard let line = await cached(length), !line.freshness.isServedStale else { continue }
      let part = cut(line, to: window)
      if length == range.window { return nil }
      if part.points.count >= Int(range.window / day) * 20 { return line.map { _ in part } }
    }
    return nil
  }

  /// Returns the part of a line that lies in a window; for a source with step prices, extended to both ends of the
  /// window.
  private func cut(_ line: Sourced<LineSeries>, to window: TimeWindow) -> LineSeries {
    let part = SeriesRules.cut(line.value, to: window)
    let source = provider(of: line.about)?.descriptor
    guard let first = part.points.first, let last = part.points.last, source?.hasStepPrices == true else { return part }
    let start = part.isDaily ? window.start : window.start.adding(.milliseconds(1))
    let before = line.value.points.last { $0.timestamp <= start && start < first.timestamp }
    let beginning = before.map { [ChartDataPoint(timestamp: start, price: $0.price)] } ?? []
    // The price of a day holds for the whole of it.
    let end = part.isDaily && window.isPast ? window.end.adding(.milliseconds(-1)).startOfDay : window.end
    let ending = last.timestamp < end ? [ChartDataPoint(timestamp: end, price: last.price)] : []
    return part.with(beginning + part.points + ending)
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
      let window = range.timeWindow(at: time.now)
      return try await withResolved(coin, policy: policy) { id in
        let description = "the candles of \(id) in \(currency) over \(range.description)"
        return try await converting(id, to: currency, policy: policy) { currency in
          let native = try await answer(
            .candles(
              id, currency: currency, window: window, now: time.now, key: range.keyText, width: range.candle,
              timeToLive: range.timeToLive, description: description), policy: policy)
          let whole = try await resampled(native, id, range: range, currency: currency, policy: policy)
          let candles = SeriesRules.cut(whole.value.candles, width: whole.value.width, to: window)
          guard !candles.isEmpty else {
            throw nothing(description, before: whole.value.candles.first?.timestamp, in: window, of: whole.source)
          }
          return whole.map { $0.with(candles) }
        }
      }
    }
  }

  /// Returns the failure of a range in which a source has nothing, with the first day of its data where that is later.
  private func nothing(_ description: String, before first: Date?, in window: TimeWindow, of source: String)
    -> BitpalError
  {
    let begins = first.flatMap { $0 > window.end ? "; it goes back to \($0.dayText)" : nil } ?? ""
    return .noData(question: description + begins, provider: source)
  }

  /// Returns the source's candles resampled to the wanted width, or those of its line when only that can make it.
  private func resampled(
    _ native: Sourced<CandleSeries>, _ id: String, range: ChartTimeRange, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<CandleSeries> {
    guard Resampling.needsSamples(native: native.value.width, wanted: range.candle) else {
      return native.map { Resampling.candles($0, wanted: range.candle) }
    }
    do {
      let line = try await line("id:\(id)", range: range, currency: currency, policy: policy)
      let series = Resampling.candles(native.value, wanted: range.candle, samples: line.value.points)
      return series.width == native.value.width || line.source != native.source ? native : line.map { _ in series }
    } catch is BitpalError {
      return native
    }
  }
}

extension ChartTimeRange {
  /// The span of the range, as part of a sentence.
  fileprivate var description: String {
    switch beginning {
    case .windowAgo: window.unitText
    case .newYear, .ever, .at: name
    }
  }
}
