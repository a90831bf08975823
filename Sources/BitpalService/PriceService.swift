public import BitpalCache
public import BitpalModel
public import BitpalProviders

/// The one door to prices: providers in order of fallback, with the cache in front.
///
/// Coins may be named by id, alias or symbol. Every answer says where it comes from and how old it is. Failures are
/// ``/BitpalModel/BitpalError``; `CancellationError` when the task is cancelled.
public struct PriceService: Sendable {
  let providers: [any PriceProvider]
  let cache: PriceCache
  let settings: ServiceSettings
  /// The clock by which answers age; it stands still for a recording.
  public let time: any TimeSource
  let trace: Trace
  let directory: CoinDirectory
  private let warn: @Sendable (String) -> Void
  private let told = Locked<Set<String>>([])
  let flights = FlightBoard()
  let locks: StripeLocks?

  /// - Parameters:
  ///   - providers: At least one; each is asked when those before it fail.
  ///   - cache: What is asked before the providers; without a path it lasts as long as the process.
  ///   - settings: How long answers are fresh, and the names of coins.
  ///   - time: The clock by which answers age.
  ///   - trace: Told the life of every answer.
  ///   - warn: Told what is odd about a question, a sentence each.
  public init(
    providers: [any PriceProvider], cache: PriceCache, settings: ServiceSettings = ServiceSettings(),
    time: any TimeSource = SystemTime(), trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.providers = providers
    self.cache = cache
    self.settings = settings
    self.time = time
    self.trace = trace
    self.warn = warn
    directory = CoinDirectory(cache: cache)
    locks = cache.locks(time: time)
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

  /// The market figures of one coin.
  public func detail(
    _ coin: String, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CoinDetail> {
    try await withResolved(coin, policy: policy) { id in
      try await answer(
        Question(
          capability: .detail, words: "the detail of \(id) in \(currency)", coin: id, currency: currency,
          operation: .detail, timeToLive: settings.detailTimeToLive,
          unwrap: { if case .detail(let detail) = $0 { detail } else { nil } }, wrap: { .detail($0) },
          fetch: { try await $0.detail(id, currency: currency) }),
        policy: policy)
    }
  }

  /// The line of one coin over a range, cut to the window that ends now.
  public func line(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<LineSeries> {
    let window = TimeWindow(ending: time.now, length: range.window)
    return try await withResolved(coin, policy: policy) { id in
      let words = "the line of \(id) in \(currency) over \(range.window.unitText)"
      let whole = try await answer(
        Question(
          capability: .line, words: words, coin: id, currency: currency, operation: .line,
          range: range.window.unitText, timeToLive: range.timeToLive,
          unwrap: { if case .line(let series) = $0 { series } else { nil } }, wrap: { .line($0) },
          merge: { SeriesRules.merge($0, with: $1, in: window) },
          fetch: { try await $0.line(id, currency: currency, window: window) }),
        policy: policy)
      let points = SeriesRules.cut(whole.value.points, to: window)
      guard !points.isEmpty else { throw BitpalError.noData(question: words, provider: whole.source) }
      return whole.map { _ in LineSeries(points: points) }
    }
  }

  /// The candles of one coin that overlap the window of a range which ends now.
  ///
  /// Their width is the range's where the source has it, or has narrower ones or a line that make it; else the nearest
  /// the source has. See ``/BitpalModel/Resampling`` and ``/BitpalModel/CandleSeries/width``.
  public func candles(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<CandleSeries> {
    let window = TimeWindow(ending: time.now, length: range.window)
    return try await withResolved(coin, policy: policy) { id in
      let words = "the candles of \(id) in \(currency) over \(range.window.unitText)"
      let native = try await answer(
        Question(
          capability: .candles, words: words, coin: id, currency: currency, operation: .candles,
          range: "\(range.window.unitText)/\(range.candle.unitText)", timeToLive: range.timeToLive,
          unwrap: { if case .candles(let series) = $0 { series } else { nil } }, wrap: { .candles($0) },
          merge: { SeriesRules.merge($0, with: $1, in: window) },
          fetch: { provider in
            let width = Resampling.nativeWidth(for: range.candle, among: provider.descriptor.candleWidths)
            return try await provider.candles(id, currency: currency, window: window, width: width)
          }),
        policy: policy)
      let whole = try await inForce(native, id, range: range, currency: currency, policy: policy)
      let candles = SeriesRules.cut(whole.value.candles, width: whole.value.width, to: window)
      guard !candles.isEmpty else { throw BitpalError.noData(question: words, provider: whole.source) }
      return whole.map { CandleSeries(width: $0.width, candles: candles) }
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
