import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The lines and candles of charts: asked for over a range, cut to its window, and resampled to its width.
struct ChartSeries: Sendable {
  let asker: Asker
  let names: CoinNames
  let converter: CurrencyConverter

  private var now: Date { asker.time.now }

  /// Returns the line of one coin over a range, cut to its window.
  ///
  /// A source that does not answer about a past window is asked for all the time since the window's start.
  ///
  /// - Throws: `BitpalError`: `.noData` when a source has nothing in the window; `CancellationError`.
  func line(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<LineSeries> {
    let line = try await lineOfSource(coin, range: range, currency: currency, policy: policy)
    guard asker.sources.provider(of: line.about)?.descriptor.hasStepPrices == true else { return line }
    return line.map { line in
      line.with(
        line.points.map {
          $0.timestamp.isFirstMillisecond ? ChartDataPoint(timestamp: $0.timestamp.startOfDay, price: $0.price) : $0
        })
    }
  }

  /// Returns the line as its source has it: a price of a day among prices with a time stands a millisecond after its beginning.
  private func lineOfSource(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<LineSeries> {
    let window = range.timeWindow(at: now)
    return try await names.withResolved(coin, policy: policy) { id in
      let description = "the line of \(id) in \(currency) over \(range.description)"
      return try await converter.converting(id, to: currency, policy: policy) { currency in
        if policy == .normal, let part = await partOfLongerLine(id, range, currency: currency) {
          return doubting(part, in: window)
        }
        let before = timeBefore(range, of: id)
        let asked = window.aroundDates(until: now).beginningEarlier(by: before)
        let whole: Sourced<LineSeries> = try await asker.answer(
          .line(
            id, currency: currency, window: asked, now: now,
            key: range.keyText + (before > .zero ? " and before" : ""), timeToLive: range.timeToLive,
            description: description), policy: policy)
        let line = cut(whole, to: window, of: range)
        if line.points.isEmpty {
          let failure = nothing(description, before: whole.value.points.first?.timestamp, in: window, of: whole.source)
          return try await later(than: whole.about, after: failure) {
            try await $0.line("id:\(id)", range: range, currency: currency, policy: policy)
          }
        }
        let source = asker.sources.provider(of: whole.about)?.descriptor
        let isMade = source?.capabilityOfLines == .candles
        return doubting(
          whole.map { _ in line }.adding(isMade ? [.closesOfCandles(source: whole.source)] : []), in: window)
      }
    }
  }

  /// Returns the time before a range in which its line is asked for too, so that it has the price with which it begins.
  private func timeBefore(_ range: ChartTimeRange, of id: String) -> Duration {
    // Of a source whose points are farther apart in a longer window, the first point is that of the beginning.
    guard let source = asker.sources.providers.first(where: { $0.descriptor.coins.has(id) })?.descriptor,
      !source.candlesFollowWindow, range.countsFromBefore || range.mayBeginInPause && source.hasPauses(of: id)
    else { return .zero }
    return ProviderDescriptor.longestPause
  }

  private func doubting(_ line: Sourced<LineSeries>, in window: TimeWindow) -> Sourced<LineSeries> {
    asker.sources.doubting(line, isDaily: line.value.isDaily, in: window, \.points)
  }

  /// Returns the last days of a longer line that is cached and as new as the range wants; nil where the range itself is
  /// cached, and where the longer line is not as dense as the range alone, about one point per hour.
  private func partOfLongerLine(
    _ id: String, _ range: ChartTimeRange, currency: String
  ) async -> Sourced<LineSeries>? {
    let (day, window) = (Duration.seconds(86_400), range.timeWindow(at: now))
    guard range.beginning == .windowAgo, range.end == nil, range.window > day,
      asker.sources.providers.contains(where: \.descriptor.needsNetwork)
    else { return nil }
    func cached(_ length: Duration) async -> Sourced<LineSeries>? {
      try? await asker.answer(
        .line(
          id, currency: currency, window: TimeWindow(ending: now, length: length), now: now, key: length.unitText,
          timeToLive: range.timeToLive, description: "the line of \(id)"), policy: .cached)
    }
    for length in [range.window] + [7, 30, 90].map({ day * $0 }).filter({ $0 > range.window }) {
      guard let line = await cached(length), !line.freshness.isServedStale else { continue }
      let part = cut(line, to: window, of: range)
      if length == range.window { return nil }
      if part.points.count >= Int(range.window / day) * 20 { return line.map { _ in part } }
    }
    return nil
  }

  /// Returns the part of a line that lies in the window of a range; for a source with step prices, extended to both ends of
  /// the window.
  ///
  /// The last close before a year is part of it, and so is that of a market which was closed when the range began.
  private func cut(_ line: Sourced<LineSeries>, to window: TimeWindow, of range: ChartTimeRange) -> LineSeries {
    var part = SeriesRules.cut(line.value, to: window.answered(at: line.fetchedAt))
    let source = asker.sources.provider(of: line.about)?.descriptor
    if let first = part.points.first?.timestamp,
      // A price at the very beginning is that with which the year before ended.
      part.isDaily || first > window.start.adding(.seconds(60)),
      let before = line.value.points.last(where: { $0.timestamp < first }),
      range.countsFromBefore
        ? line.value.isDaily || before.timestamp == window.start
          || Resampling.areOfDays(line.value.points.map(\.timestamp))
        : range.mayBeginInPause && source?.hasPauses(of: line.about.coin) == true
          && first.startOfDay > window.start.startOfDay
    {
      part = part.with([before] + part.points)
    }
    guard let first = part.points.first, let last = part.points.last, source?.hasStepPrices == true else { return part }
    let window = part.isDaily ? window.ofDates : window
    let start = part.isDaily || window.includesStart ? window.start : window.start.adding(.milliseconds(1))
    // A price of a day among prices with a time stands a millisecond after its beginning.
    let before = line.value.points.last { $0.timestamp <= start && start < first.timestamp.startOfSecond }
    let beginning = before.map { [ChartDataPoint(timestamp: start, price: $0.price)] } ?? []
    // The price of a day holds for the whole of it.
    let end = part.isDaily && window.isPast ? window.end.adding(.milliseconds(-1)).startOfDay : window.end
    let ending = last.timestamp < end ? [ChartDataPoint(timestamp: end, price: last.price)] : []
    return part.with(beginning + part.points + ending)
  }

  /// Returns the candles of one coin that overlap the window of a range.
  ///
  /// Their width is the range's if the source has it, or has narrower candles or a line from which it can be made.
  /// Otherwise it is the nearest width of the source.
  ///
  /// - Throws: `BitpalError`: `.noData` when a source has nothing in the window; `CancellationError`.
  func candles(
    _ coin: String, range: ChartTimeRange, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<CandleSeries> {
    let window = range.timeWindow(at: now)
    return try await names.withResolved(coin, policy: policy) { id in
      let description = "the candles of \(id) in \(currency) over \(range.description)"
      var opened: [Date] = []
      var native: Sourced<CandleSeries> = try await converter.converting(id, to: currency, policy: policy) { asked in
        let answer = try await unconverted(id, asked, for: currency, range, description, policy: policy)
        opened = answer.value.candles.map(\.timestamp)
        return answer
      }
      native = native.map { $0.withoutGaps(inThoseOf: range.candle, opened: opened) }
      if isCutByItsSource(native, window) { native = native.map { $0.withoutPart(of: range.candle) } }
      let whole = try await resampled(native, id, range: range, currency: currency, policy: policy)
      let candles = SeriesRules.cut(whole.value.candles, width: whole.value.width, to: window)
      guard !candles.isEmpty else {
        let failure = nothing(description, before: whole.value.candles.first?.timestamp, in: window, of: whole.source)
        return try await later(than: whole.about, after: failure) {
          try await $0.candles("id:\(id)", range: range, currency: currency, policy: policy)
        }
      }
      let isDaily = whole.value.width == .seconds(86_400)
      return asker.sources.doubting(whole.map { $0.with(candles) }, isDaily: isDaily, in: window) {
        $0.candles.map { ChartDataPoint(timestamp: $0.timestamp, price: $0.close) }
      }
    }
  }

  /// Returns the source's candles in a currency, day by day where wide ones are to be converted.
  private func unconverted(
    _ id: String, _ asked: String, for currency: String, _ range: ChartTimeRange, _ description: String,
    policy: FetchPolicy
  ) async throws -> Sourced<CandleSeries> {
    let window = range.timeWindow(at: now)
    // The last candle of a time that has ended may go on.
    let isOpen = window.isPast && window.onGrid(of: range.candle, until: nil).end > now
    func ask(_ window: TimeWindow, _ width: Duration, as key: String = "") async throws -> Sourced<CandleSeries> {
      try await asker.answer(
        .candles(
          id, currency: asked, window: window, now: now, key: range.keyText + key + (isOpen ? " open" : ""),
          width: width,
          timeToLive: isOpen ? min(range.timeToLive, .seconds(300)) : range.timeToLive, description: description),
        policy: policy)
    }
    let (around, day) = (window.aroundDates(until: now), Duration.seconds(86_400))
    guard asked != currency, range.candle > day else { return try await ask(around, range.candle) }
    // What has to be converted is converted day by day, from the first day of a wide candle on.
    do {
      return try await ask(around.onGrid(of: range.candle, until: now), day, as: " in \(range.candle.unitText)")
    } catch let error as BitpalError where error.code == .planLimit {
      return try await ask(around, day).map { $0.withoutPart(of: range.candle, cutBy: around) }
    }
  }

  /// Returns whether candles begin where a limit of their source ends, and not with the first trade.
  private func isCutByItsSource(_ series: Sourced<CandleSeries>, _ window: TimeWindow) -> Bool {
    guard let reach = asker.sources.provider(of: series.about)?.descriptor.reach[.candles],
      let first = series.value.candles.first?.timestamp
    else { return false }
    return reach.explains(
      first: first, end: window.end, now: now, step: series.value.width, count: series.value.candles.count)
  }

  /// Returns the answer of the sources after one that has nothing in a range.
  ///
  /// - Throws: `failure` where they have nothing either.
  private func later<Value>(
    than about: AnswerKey, after failure: BitpalError, _ ask: (ChartSeries) async throws -> Sourced<Value>
  ) async throws -> Sourced<Value> {
    guard let later = asker.askingLater(than: about) else { throw failure }
    do {
      return try await ask(ChartSeries(asker: later, names: names, converter: converter))
    } catch is BitpalError {
      throw failure
    }
  }

  /// Returns the failure of a range in which a source has nothing, with the first day of its data where that is later.
  private func nothing(
    _ description: String, before first: Date?, in window: TimeWindow, of source: String
  ) -> BitpalError {
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

  // MARK: Small drawings

  /// Returns the cached part of a line, cut to the range's window, without asking a source; nil when there is none.
  ///
  /// A line that is cached in another currency is converted.
  func cachedLine(_ id: String, range: ChartTimeRange, currency: String) -> LineSeries? {
    let window = range.timeWindow(at: now)
    let (providers, converters) = (asker.sources.providers, asker.sources.converters.cached)
    func cut(_ currency: String) -> LineSeries? {
      let line = cachedLine(of: id, from: providers, currency: currency, range: range.keyText)
      return line.map { SeriesRules.cut($0, to: window) }.flatMap { $0.points.isEmpty ? nil : $0 }
    }
    if let line = cut(currency) { return line }
    for pivot in CurrencyConverter.pivots where pivot != currency {
      guard let line = cut(pivot),
        let rates = cachedLine(
          of: CurrencyCoin.id(of: pivot), from: converters, currency: currency,
          range: CurrencyConverter.shortRates.unitText)
      else { continue }
      let converted = ExchangeRates(rates).converting(line.points, at: line.instantOfRate) { $0.converted(at: $1) }
        .prices
      if !converted.isEmpty { return line.with(converted) }
    }
    return nil
  }

  /// Returns the cached line of a coin from the first provider that has one; nil when none has.
  private func cachedLine(
    of coin: String, from providers: [any PriceProvider], currency: String, range: String
  ) -> LineSeries? {
    for provider in providers {
      let key = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: .line, coin: coin, currency: currency, range: range)
      if case .line(let series)? = asker.cache.answer(for: key)?.answer.value { return series }
    }
    return nil
  }

  /// Returns the lines of the last seven days of coins for small drawings, or the failures.
  ///
  /// A source whose quotes include them is asked once for all coins that it has. Any other is asked coin by coin until it
  /// refuses, because a source that refuses one request for all coins refuses the next too.
  ///
  /// - Throws: `CancellationError`.
  func weeks(ofIDs ids: [String], currency: String) async throws -> [String: Result<LineSeries, BitpalError>] {
    let sources = asker.sources.figureSources
    var weeks: [String: Result<LineSeries, BitpalError>] = [:]
    var question = Question.quotes(ids, currency: currency, form: .week, timeToLive: WeekLine.timeToLive)
    let carried =
      sources.isEmpty
      ? []
      : ids.filter {
        !CurrencyCoin.isRate($0) && asker.owner(of: $0, in: currency)?.descriptor.quotesCarryFigures ?? true
      }
    if !carried.isEmpty {
      question = question.about(carried)
      weeks = try await asker.ask(question, of: sources, policy: .normal).mapValues { outcome in
        outcome.flatMap { $0.holding(LineSeries.self) }.map(\.value)
      }
    }
    var refusal: BitpalError?
    // A source that does not have the coin says nothing about the others.
    let others = ids.filter { id in
      switch weeks[id] {
      case .failure(let error): error.code == .notFound
      case .success: false
      case nil: true
      }
    }
    for id in others {
      do {
        if let refusal { throw refusal }
        let line = try await line(names.name(ofID: id), range: .week, currency: currency, policy: .normal)
        weeks[id] = .success(line.value)
      } catch let error as BitpalError {
        if error.has(.abortsBatch) { refusal = error }
        weeks[id] = .failure(error)
      }
    }
    return weeks
  }

  /// Returns the cached line of the last seven days of a coin, at any age, without asking a source; nil when there is
  /// none.
  func cachedWeek(ofID id: String, currency: String) -> LineSeries? {
    let window = ChartTimeRange.week.timeWindow(at: now)
    let carried = cachedLine(of: id, from: asker.sources.providers, currency: currency, range: WeekLine.range)
      .map { SeriesRules.cut($0, to: window) }
    return [cachedLine(id, range: .week, currency: currency), carried].compactMap(\.self)
      .max { ($0.points.last?.timestamp ?? .distantPast) < ($1.points.last?.timestamp ?? .distantPast) }
      .flatMap { $0.points.isEmpty ? nil : $0 }
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

  /// Whether it ends now and is so long that a market which was closed at its beginning was open since.
  fileprivate var mayBeginInPause: Bool { beginning == .windowAgo && end == nil && self.window >= Self.week.window }

  /// The last seven days.
  fileprivate static let week = ChartTimeRange(
    name: "7d", window: .seconds(7 * 86_400), points: 96, candle: .seconds(4 * 3600), timeToLive: .seconds(900))
}
