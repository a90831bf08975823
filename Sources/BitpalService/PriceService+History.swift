import BitpalCache
public import BitpalModel
import BitpalProviders
public import FoundationEssentials

/// What is made of days before the first that a source has.
public enum HistoryReach: Sendable {
  /// They are a failure, which names the first day there is.
  case all

  /// They are left out.
  case asFarAsItGoes

  /// They are left out; and a price of a source whose prices stand holds on every day until its next one, however late that is.
  case carriedForward
}

extension PriceService {
  /// The daily closes of one coin in UTC, from one day to another, both included.
  ///
  /// A day that is over does not change, so it is stored for good and not asked for again. A day within the source's reach
  /// on which it has no price is left out.
  ///
  /// - Parameters:
  ///   - coin: An id, alias or symbol.
  ///   - first: Any instant of the first day.
  ///   - last: Any instant of the last day.
  ///   - currency: The currency of the prices, lower case.
  ///   - reach: What is made of days before the source's first.
  ///   - policy: Whether to fetch.
  /// - Throws: `.usage` for days that are not over, `.noData` for days before the source's first, with that one named.
  public func history(
    _ coin: String, from first: Date, to last: Date, currency: String, reach: HistoryReach = .all,
    policy: FetchPolicy = .normal
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let (first, last) = try daysThatAreOver(from: first, to: last)
    return try await withResolved(coin, policy: policy) { id in
      try await converting(id, to: currency, policy: policy) { currency in
        if policy != .refresh, let stored = storedCloses(id, from: first, to: last, currency: currency) {
          return stored
        }
        var answer: Sourced<[Resampling.DailyClose]>
        do {
          answer = try await closes(id, from: first, currency: currency, policy: policy)
        } catch let error as BitpalError where reach == .carriedForward && error.has(.isAboutReach) {
          answer = try await standingCloses(id, currency: currency, insteadOf: error)
        }
        if reach == .carriedForward { answer = carriedForward(answer, to: last) }
        guard let oldest = answer.value.first?.day, oldest <= (reach == .all ? first : last) else {
          let reach = answer.value.first.map { "; it goes back to \($0.dateText)" } ?? ""
          throw BitpalError.noData(
            question: "\(id) in \(currency) on \(first.dayText)\(reach)", provider: answer.source)
        }
        return answer.map { closes in closes.filter { $0.day >= first && $0.day <= last } }
      }
    }
  }

  /// The days of one coin whole, with open, high, low and volume, from one day to another in UTC, both included.
  ///
  /// A day on which the source has no candle is left out.
  ///
  /// - Throws: `.usage` for days that are not over, `.noData` where there are no candles of a day.
  public func dailyCandles(
    _ coin: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy = .normal
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let (first, last) = try daysThatAreOver(from: first, to: last)
    let days = first == last ? first.dayText : "\(first.dayText) to \(last.dayText)"
    let range = ChartTimeRange.between(first, last.adding(Self.day), now: time.now, name: days).with(candle: Self.day)
    let answer = try await candles(coin, range: range, currency: currency, policy: policy)
    guard answer.value.width == Self.day else {
      throw BitpalError.noData(
        question: "\(answer.about.coin) in \(currency) as candles of a day, \(days); it has them of "
          + answer.value.width.unitText, provider: answer.source)
    }
    return answer.map { series in
      series.candles.filter { $0.timestamp >= first && $0.timestamp <= last }.map {
        Resampling.DailyClose(day: $0.timestamp.startOfDay, price: $0.close, candle: $0)
      }
    }
  }

  /// The days with which two instants lie, or why there can be no closes of them.
  private func daysThatAreOver(from first: Date, to last: Date) throws(BitpalError) -> (first: Date, last: Date) {
    let (first, last) = (first.startOfDay, last.startOfDay)
    let newest = time.now.startOfDay.adding(.zero - Self.day)
    guard first <= last else { throw BitpalError.usage("the first day is after the last") }
    guard last <= newest else {
      throw BitpalError.usage(
        "\(last.dayText) is not over in UTC, so it has no close yet", hint: "the last day that has is \(newest.dayText)"
      )
    }
    return (first, last)
  }

  /// The ticker of a coin: the alias of the settings, else the well-known one, else the code of a currency, else the symbol of
  /// the coin list, else its id.
  public func symbol(of id: String, policy: FetchPolicy = .normal) async -> String {
    if let currency = CurrencyCoin.currency(of: id) { return currency }
    if let alias = settings.aliases.filter({ $0.value == id }).map(\.key).min() { return alias }
    if let place = WellKnownCoins.place(of: id) { return WellKnownCoins.all[place].symbol }
    func listed() -> String? {
      providers.lazy.flatMap { self.cache.coins(named: id, provider: $0.descriptor.cacheIdentity) }
        .first { $0.id == id }?.symbol
    }
    if let symbol = listed() { return symbol }
    _ = await loadCoinList(policy: policy)
    return listed() ?? id
  }

  /// What the cache has of a line, cut to the range's window and converted where it is cached in another currency; nothing
  /// is asked for.
  public func cachedLine(_ id: String, range: ChartTimeRange, currency: String) -> LineSeries? {
    let window = range.timeWindow(at: time.now)
    func cut(_ currency: String) -> [ChartDataPoint] {
      let points = cachedPoints(of: id, from: providers, currency: currency, range: range.keyText)
      return SeriesRules.cut(points, to: window)
    }
    let points = cut(currency)
    if !points.isEmpty { return LineSeries(points: points) }
    for pivot in Self.pivots where pivot != currency {
      let points = cut(pivot)
      guard !points.isEmpty else { continue }
      let rates = ExchangeRates(
        LineSeries(
          points: cachedPoints(
            of: CurrencyCoin.id(of: pivot), from: converters.atHand, currency: currency, range: Self.shortRates.unitText
          )))
      let converted = rates.converting(points, at: \.timestamp) { $0.converted(at: $1) }.prices
      if !converted.isEmpty { return LineSeries(points: converted) }
    }
    return nil
  }

  private func cachedPoints(
    of coin: String, from providers: [any PriceProvider], currency: String, range: String
  ) -> [ChartDataPoint] {
    for provider in providers {
      let key = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: .line, coin: coin, currency: currency, range: range)
      if case .line(let series)? = cache.answer(for: key)?.answer.value { return series.points }
    }
    return []
  }

  private static let day = Duration.seconds(86_400)

  /// The window that is asked for at least: one answer for a year costs no more than one for a day, and the days in it are
  /// all on the source's grid of days.
  private static let window = day * 365

  private func storedCloses(
    _ id: String, from first: Date, to last: Date, currency: String
  ) -> Sourced<[Resampling.DailyClose]>? {
    let wanted = Int(last.since(first).milliseconds / Self.day.milliseconds) + 1
    for provider in providers {
      let key = closesKey(id, currency, provider.descriptor.cacheIdentity)
      guard let (answer, tier) = cache.answer(for: key), case .line(let series) = answer.value else { continue }
      let closes = series.points.filter { $0.timestamp >= first && $0.timestamp <= last }
      guard closes.count == wanted else { continue }
      tellHit(key, tier, answer.fetchedAt, Self.window)
      return answer.map { _ in closes.map { Resampling.DailyClose(day: $0.timestamp, price: $0.price) } }
    }
    return nil
  }

  /// Every close the source has from `first` on, or its reach when that is shorter; the settled ones are stored.
  private func closes(
    _ id: String, from first: Date, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    // A day more, so that the candle or the sample which ends the first day lies in the window.
    let days = Int(time.now.since(first).milliseconds / Self.day.milliseconds) + 1
    let needed = max(Self.window, Self.day * days)
    var answer: Sourced<[Resampling.DailyClose]>
    do {
      answer = try await closes(id, window: needed, currency: currency, policy: policy)
    } catch let error as BitpalError where needed > Self.window && error.has(.isAboutReach) {
      answer = try await closes(id, window: Self.window, currency: currency, policy: policy)
    }
    let key = closesKey(id, currency, answer.about.provider)
    var known: [Date: Decimal] = [:]
    for close in answer.value { known[close.day] = close.price }
    if policy != .refresh, case .line(let series)? = cache.answer(for: key)?.answer.value {
      for point in series.points { known[point.timestamp] = point.price }
    }
    let points = known.map { ChartDataPoint(timestamp: $0.key, price: $0.value) }.sorted { $0.timestamp < $1.timestamp }
    cache.store([
      Sourced(.line(LineSeries(points: points)), about: key, source: answer.source, fetchedAt: answer.fetchedAt)
    ])
    trace(.stored(tier: "both", key: key.description))
    answer = answer.map { _ in points.map { Resampling.DailyClose(day: $0.timestamp, price: $0.price) } }
    return answer
  }

  /// The closes of a window, from candles of a day where the first provider has them, else from its line.
  private func closes(
    _ id: String, window length: Duration, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let now = time.now
    let window = TimeWindow(ending: now, length: length)
    let words = "the daily closes of \(id) in \(currency) over \(length.unitText)"
    let hasDays = providers.first.map { provider in
      provider.descriptor.capabilities.contains(.candles) && provider.descriptor.candleWidths.contains(Self.day)
    }
    if hasDays == true {
      let candles = try await answer(
        .candles(
          id, currency: currency, window: window, width: Self.day, timeToLive: Self.timeToLive, words: words),
        policy: policy)
      return candles.map { Resampling.dailyCloses($0, now: now) }
    }
    let line = try await answer(
      .line(id, currency: currency, window: window, timeToLive: Self.timeToLive, words: words), policy: policy)
    return line.map { Resampling.dailyCloses($0, now: now) }
  }

  /// How long the series behind the closes counts as fresh: as long as a year's chart.
  private static let timeToLive = Duration.seconds(3600)

  private func closesKey(_ id: String, _ currency: String, _ provider: String) -> AnswerKey {
    AnswerKey(provider: provider, kind: .line, coin: id, currency: currency, range: "closes")
  }
}
