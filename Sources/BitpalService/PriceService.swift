public import BitpalCache
public import BitpalModel
public import BitpalProviders
package import BitpalRateLimit
import FoundationEssentials

/// The one door to prices: providers in order of fallback, with the cache in front.
///
/// Coins may be named by id, alias or symbol. Every answer says where it comes from and how old it is. Failures are
/// ``/BitpalModel/BitpalError``; `CancellationError` when the task is cancelled.
public struct PriceService: Sendable {
  let providers: [any PriceProvider]

  /// Who is asked what currencies cost, to answer in one that the providers lack.
  let converters: ConvertingProviders
  let cache: PriceCache
  let settings: ServiceSettings
  /// The clock by which answers age; it stands still for a recording.
  public let time: any TimeSource
  let trace: Trace
  let warn: @Sendable (String) -> Void
  let told = Locked<Set<String>>([])
  let flights = SingleFlight()
  let locks: (any FlightLock)?

  /// Where the failures of sources are counted.
  let budgets: any BudgetStore

  /// - Parameters:
  ///   - providers: At least one; each is asked when those before it fail.
  ///   - converters: Who is asked what currencies cost, to answer in one that the providers lack; each is asked when those
  ///     before it fail.
  ///   - cache: What is asked before the providers; without a path it lasts as long as the process.
  ///   - settings: How long answers are fresh, and the names of coins.
  ///   - time: The clock by which answers age.
  ///   - trace: Told the life of every answer.
  ///   - warn: Told what is odd about a question, a sentence each.
  public init(
    providers: [any PriceProvider], converters: [any PriceProvider] = [], cache: PriceCache,
    settings: ServiceSettings = ServiceSettings(),
    time: any TimeSource = SystemTime(), trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(
      providers: providers, converters: ConvertingProviders { .success(converters) }, cache: cache,
      budgets: MemoryBudgetStore(time: time), settings: settings, time: time, trace: trace, warn: warn)
  }

  /// Creates a service that shares what it knows of failing sources with others.
  ///
  /// - Parameters:
  ///   - budgets: Where the failures of sources are counted.
  ///   - locks: Between those who share the cache; nil for those of its file.
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
  }

  /// What the providers are and can do, in order of fallback.
  public var descriptors: [ProviderDescriptor] { providers.map(\.descriptor) }

  /// Says once that a name would mean another coin if the settings were trusted.
  ///
  /// - Parameter id: What it means; nil for nothing.
  func tellWithheldAlias(_ name: String, meaning id: String?) {
    guard let other = settings.withheldAliases[name.lowercased()], other != id,
      told.withLock({ $0.insert(name).inserted })
    else { return }
    warn("\(name) is an alias for \(other) in settings that are not trusted; \"bitpal trust\" if they are yours")
  }

  /// The latest prices of coins, named by id, alias or symbol.
  ///
  /// What is cached is not asked for again, and all that is missing is asked for at once. A coin without an answer is a
  /// failure of that coin only.
  public func quotes(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> QuotesAnswer {
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

  /// The same by the names of the coins, for whoever asks for several and tells each.
  package func quotesByName(
    _ coins: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    let outcomes = try await outcomes(coins, currency: currency, policy: policy)
    return Dictionary(outcomes.map { ($0.name, $0.outcome) }) { first, _ in first }
  }

  /// What each name means, nil for what is no coin, and its price or why it has none.
  private func outcomes(
    _ coins: [String], currency: String, policy: FetchPolicy
  ) async throws -> [(name: String, id: String?, outcome: Outcome<Coin>)] {
    var resolutions = coins.map { resolveLocally($0, policy: policy) }
    func ask(_ ids: [String]) async throws -> [String: Outcome<Coin>] {
      let outcomes = try await self.ask(
        .quotes(ids, currency: currency, timeToLive: settings.quotesTimeToLive), policy: policy)
      return try await converting(outcomes, to: currency, policy: policy)
    }
    var outcomes = try await ask(resolutions.compactMap(\.id))

    // A guess that the source does not know as an id may be a symbol: that needs the coin list.
    let guesses = resolutions.indices.filter { index in
      let resolution = resolutions[index]
      guard resolution.isDeniable, let id = resolution.id, case .failure(let error)? = outcomes[id] else {
        return false
      }
      return error.has(.isAboutName)
    }
    if !guesses.isEmpty, policy != .offline, await loadCoinList(policy: policy) {
      for index in guesses { resolutions[index] = resolveInList(coins[index]) }
      let found = guesses.compactMap { resolutions[$0].id }.filter { outcomes[$0] == nil }
      outcomes.merge(try await ask(found)) { $1 }
    }

    for (coin, resolution) in zip(coins, resolutions) { tellWithheldAlias(coin, meaning: resolution.id) }
    return zip(coins, resolutions).compactMap { coin, resolution in
      if case .failure(let error) = resolution { return (coin, nil, .failure(error)) }
      return resolution.id.flatMap { id in outcomes[id].map { (coin, id, $0) } }
    }
  }

  /// The market figures of one coin.
  public func detail(
    _ coin: String, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CoinDetail> {
    try await withResolved(coin, policy: policy) { id in
      try await converting(id, to: currency, policy: policy) { currency in
        try await answer(.detail(id, currency: currency, timeToLive: settings.detailTimeToLive), policy: policy)
      }
    }
  }

  /// The line of one coin over a range, cut to its window.
  ///
  /// A source that cannot be asked for a time that is over is asked for all since that time's beginning.
  public func line(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<LineSeries> {
    let window = range.timeWindow(at: time.now)
    return try await withResolved(coin, policy: policy) { id in
      let words = "the line of \(id) in \(currency) over \(range.words)"
      return try await converting(id, to: currency, policy: policy) { currency in
        let whole = try await reaching(range) { range in
          try await answer(
            .line(
              id, currency: currency, window: range.timeWindow(at: time.now), key: range.keyText,
              timeToLive: range.timeToLive, words: words), policy: policy)
        }
        let points = points(of: whole, in: window)
        guard !points.isEmpty else {
          throw nothing(words, before: whole.value.points.first?.timestamp, in: window, of: whole.source)
        }
        return whole.map { LineSeries(points: points, isDaily: $0.isDaily) }
      }
    }
  }

  /// What of a line lies in a window; of a source whose prices stand, from its beginning to its end.
  private func points(of line: Sourced<LineSeries>, in window: TimeWindow) -> [ChartDataPoint] {
    let points = SeriesRules.cut(line.value.points, to: window)
    let source = providers.first { $0.descriptor.id == line.source }?.descriptor
    guard let last = points.last, source?.pricesStand == true else { return points }
    let before = line.value.points.last { $0.timestamp <= window.start }
    let first = before.map { ChartDataPoint(timestamp: window.start.adding(.milliseconds(1)), price: $0.price) }
    let end = last.timestamp < window.end ? [ChartDataPoint(timestamp: window.end, price: last.price)] : []
    return [first].compactMap(\.self).filter { $0.timestamp < points[0].timestamp } + points + end
  }

  /// The candles of one coin that overlap the window of a range.
  ///
  /// Their width is the range's where the source has it, or has narrower ones or a line that make it; else the nearest
  /// the source has. See ``/BitpalModel/Resampling`` and ``/BitpalModel/CandleSeries/width``.
  public func candles(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CandleSeries> {
    let window = range.timeWindow(at: time.now)
    return try await withResolved(coin, policy: policy) { id in
      let words = "the candles of \(id) in \(currency) over \(range.words)"
      return try await converting(id, to: currency, policy: policy) { currency in
        let native = try await reaching(range) { range in
          try await answer(
            .candles(
              id, currency: currency, window: range.timeWindow(at: time.now), key: range.keyText, width: range.candle,
              timeToLive: range.timeToLive, words: words), policy: policy)
        }
        let whole = try await inForce(native, id, range: range, currency: currency, policy: policy)
        let candles = SeriesRules.cut(whole.value.candles, width: whole.value.width, to: window)
        guard !candles.isEmpty else {
          throw nothing(words, before: whole.value.candles.first?.timestamp, in: window, of: whole.source)
        }
        return whole.map { CandleSeries(width: $0.width, candles: candles) }
      }
    }
  }

  /// The failure of a range in which a source has nothing, with the day on which it begins where that is later.
  private func nothing(_ words: String, before first: Date?, in window: TimeWindow, of source: String) -> BitpalError {
    let begins = first.flatMap { $0 > window.end ? "; it goes back to \($0.dayText)" : nil } ?? ""
    return .noData(question: words + begins, provider: source)
  }

  /// What is said to a range; where nobody can be asked for a time that is over, to all since its beginning.
  private func reaching<Value>(
    _ range: ChartTimeRange, _ ask: (ChartTimeRange) async throws -> Sourced<Value>
  ) async throws -> Sourced<Value> {
    do {
      return try await ask(range)
    } catch let error as BitpalError where error.has(.isAboutReach) {
      let window = range.timeWindow(at: time.now)
      guard window.isPast else { throw error }
      do {
        return try await ask(.between(window.start, nil, now: time.now, name: range.name).with(candle: range.candle))
      } catch let other as BitpalError where other.has(.isAboutReach) {
        throw error
      }
    }
  }

  /// The source's candles put together to the wanted width, or those of its line when only that can make it.
  private func inForce(
    _ native: Sourced<CandleSeries>, _ id: String, range: ChartTimeRange, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<CandleSeries> {
    guard Resampling.needsSamples(native: native.value.width, wanted: range.candle) else {
      return native.map { Resampling.candles($0, wanted: range.candle) }
    }
    do {
      let line = try await line(id, range: range, currency: currency, policy: policy)
      let series = Resampling.candles(native.value, wanted: range.candle, samples: line.value.points)
      return series.width == native.value.width || line.source != native.source ? native : line.map { _ in series }
    } catch is BitpalError {
      return native
    }
  }
}

extension ChartTimeRange {
  /// What it spans, in a sentence.
  fileprivate var words: String {
    switch beginning {
    case .windowAgo: window.unitText
    case .newYear, .ever, .at: name
    }
  }
}
