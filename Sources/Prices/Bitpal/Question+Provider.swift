import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// The way in which a question is asked of a provider: its own query, or another one whose answer contains what is wanted.
extension Question {
  /// Returns the answer of a provider about some coins; other answers that came along are its extras.
  ///
  /// - Throws: The failure of the provider.
  func answer(of provider: any PriceProvider, about coins: [String]) async throws -> ProviderAnswer {
    let query = query.about(coins).beginning(at: provider.descriptor)
    switch (form, query) {
    case (.ranked(let page), .top(let currency)):
      guard let provider = provider as? DialectProvider else { throw provider.unsupported(query) }
      return try await provider.ranked(page, currency: currency)
    case (.closes(let days, let needed), .line(let coin, let currency, let window)):
      return try await provider.closes(coin, currency: currency, days: days, reaching: needed, now: window.end)
    case (.days, .candles(let coin, let currency, let window, _)):
      return try await window.askingToNow(now) {
        try await provider.dayCandles(coin, currency: currency, window: $0)
      }
    case (.plain, .line(let coin, _, let window)) where provider.descriptor.capabilityOfLines == .candles:
      return try await window.askingToNow(now) {
        try await provider.lineOfCandles(coin, currency: currency, window: $0, now: now ?? window.end)
      }
    case (.plain, .line(_, _, let window)):
      return try await window.askingToNow(now) { try await provider.answer(to: query.within($0)) }
    case (.plain, .candles(let coin, _, let window, let width)):
      return try await candles(coin, window, width, of: provider)
    default:
      var answer = try await provider.answer(to: query)
      // The figures of a coin without a week do not come with its price, where it is asked for alone.
      if form == .figures, coins.count == 1, let coin = coins.first, answer.answers[coin] != nil,
        answer.extras[coin] == nil
      {
        answer.extras[coin] = (try await provider.answer(to: .detail(coin: coin, currency: currency))).answers[coin].map
        { [$0] }
      }
      return choosing(from: answer, of: provider)
    }
  }

  /// Returns the candles of the source's own width from which those of the wanted width are made.
  private func candles(
    _ coin: String, _ window: TimeWindow, _ width: Duration, of provider: any PriceProvider
  ) async throws -> ProviderAnswer {
    let descriptor = provider.descriptor
    let native = descriptor.nativeWidth(for: width, in: window, at: now)
    // The first wide candle is made from all of its narrow ones, and so is the last.
    let isMade = native != width && Resampling.divides(native, width)
    func ask(_ window: TimeWindow) async throws -> ProviderAnswer {
      try await window.askingToNow(now) {
        try await provider.answer(to: .candles(coin: coin, currency: currency, window: $0, width: native))
      }
    }
    var window = window
    if isMade, !descriptor.candlesFollowWindow {
      let whole = window.onGrid(of: width, until: now)
      do {
        return try await ask(whole)
      } catch let error as BitpalError where error.code == .planLimit {
        // The plan ends in the middle of the first candle.
        window = TimeWindow(start: window.start, end: whole.end, isPast: window.isPast)
      }
    }
    let answer: ProviderAnswer
    do {
      answer = try await ask(window)
    } catch let error as BitpalError where error.code == .noData {
      // Sources keep candles of minutes and hours for a while, and those of days for good.
      let day = Duration.seconds(86_400)
      guard native < day, descriptor.candleWidths.contains(day), let now, now.since(window.end) > day * 30 else {
        throw error
      }
      return try await window.askingToNow(now) {
        try await provider.answer(to: .candles(coin: coin, currency: currency, window: $0, width: day))
      }
    }
    guard isMade else { return answer }
    return answer.mapping(coin) { (series: CandleSeries) in .candles(series.withoutPart(of: width, cutBy: window)) }
  }

  /// Returns the answer with those of the wanted kind in the place of the quotes, which become extras.
  private func choosing(from answer: ProviderAnswer, of provider: any PriceProvider) -> ProviderAnswer {
    guard form != .plain else { return answer }
    var chosen = answer
    for (coin, quote) in answer.answers {
      let all = [quote] + (answer.extras[coin] ?? [])
      chosen.answers[coin] = all.first { $0.kind == kind }
      chosen.extras[coin] = all.filter { $0.kind != kind }
      // A price without figures does not prove that the coin does not exist.
      if chosen.answers[coin] == nil {
        chosen.failures[coin] = .noData(question: "the \(kind.rawValue) of \(coin)", provider: provider.descriptor.id)
      }
    }
    return chosen
  }
}

extension ProviderAnswer {
  /// Returns the answer with another value about a coin, where it has one of that type.
  fileprivate func mapping<Value: AnswerValue>(
    _ coin: String, _ transform: (Value) throws -> Answer
  ) rethrows -> ProviderAnswer {
    guard let value = answers[coin].flatMap({ Value.value(of: $0) }) else { return self }
    var answer = self
    answer.answers[coin] = try transform(value)
    return answer
  }
}

extension ProviderQuery {
  /// Returns the query for all that a source may have: one of coins has nothing before the first coin.
  fileprivate func beginning(at source: ProviderDescriptor) -> ProviderQuery {
    guard let window, window.start < ChartTimeRange.firstDay, source.maxAge < ProviderDescriptor.day,
      !source.hasStepPrices
    else { return self }
    let shorter = TimeWindow(start: ChartTimeRange.firstDay, end: window.end, isPast: window.isPast)
    return within(window.isOfCloses ? shorter.ofCloses : shorter)
  }
}

extension ProviderDescriptor {
  /// The length of a day, and the shortest window of closes that is asked for.
  fileprivate static let day = Duration.seconds(86_400)
  static let closesWindow = Duration.seconds(86_400) * 365

  /// Returns the width of candles to ask for: a wider one than usual where the source has only its latest candles, of which
  /// the usual ones begin after the window.
  func nativeWidth(for wanted: Duration, in window: TimeWindow, at now: Date?) -> Duration {
    let native = Resampling.nativeWidth(for: wanted, among: candleWidths)
    guard let now, case .latest(let rows)? = reach[.candles]?.cause else { return native }
    let age = now.since(window.end)
    return age < native * rows ? native : candleWidths.filter { age < $0 * rows && $0 > native }.min() ?? native
  }

  /// The capability that gives daily closes: candles where the source has daily ones or no line, otherwise the line.
  package var capabilityOfCloses: Capability {
    let hasDays = capabilities.contains(.candles) && candleWidths.contains(Self.day)
    return hasDays || !capabilities.contains(.line) ? .candles : .line
  }

  /// Returns the limit that explains the day with which the closes of a source begin; nil where none does.
  package func limit(ofClosesFrom first: Date, now: Date) -> SourceReach? {
    reach[capabilityOfCloses].flatMap { reach in
      reach.explains(first: first, end: now, now: now, step: Self.day, count: nil) ? reach : nil
    }
  }

  /// Returns whether all prices of a coin may become others: a split of a share restates its past.
  func restatesSeries(of coin: String) -> Bool { hasPauses(of: coin) && CurrencyCoin.currency(of: coin) == nil }

  /// Returns whether the price of a day no longer changes, of which the source had nothing later.
  ///
  /// - Parameters:
  ///   - end: The instant at which the day is over in the zone of its market.
  ///   - instant: The instant at which the source was asked.
  func settlesLastDay(endingAt end: Date, askedAt instant: Date) -> Bool {
    hasStepPrices || hasPauses && end <= instant
  }

  /// Returns the window in which the closes of some days are asked for.
  ///
  /// It is a year up to now where the source reaches that far, because a year costs no more than a day. Of a source that
  /// would need several requests up to now, it is the days alone.
  ///
  /// - Parameter needed: The minimum length of a window up to now.
  func windowOfCloses(of days: ClosedRange<Date>, reaching needed: Duration, now: Date) -> TimeWindow {
    // The first day may lie in a pause of trading; the day before the pause then shows that the source reaches that
    // far.
    var longest = Self.closesWindow
    switch reach[capabilityOfCloses].map({ ($0.cause, $0.longest) }) {
    case (.plan, let reach)?: longest = reach
    case (.latest(let rows), let reach)?: longest = min(reach, Self.day * rows)
    case (.requests(let count, let rows), let reach)?:
      // The day after the last one shows that it is final.
      let (start, end) = (days.lowerBound.adding(.zero - pause - Self.day), days.upperBound.adding(Self.day * 2))
      if end < now, now.since(start) > Self.day * rows { return TimeWindow(start: start, end: end, isPast: true) }
      longest = min(reach, Self.day * rows * count)
    case nil: break
    }
    return TimeWindow(ending: now, length: max(needed + pause, min(Self.closesWindow, longest)))
  }
}

extension TimeWindow {
  /// Asks a source about the window, and about all the time since its start when the source does not answer about a
  /// past window.
  ///
  /// - Parameter now: The end of the second question; nil for a window that ends now, which is asked for once.
  /// - Throws: The error of `ask`.
  fileprivate func askingToNow(
    _ now: Date?, _ ask: (TimeWindow) async throws -> ProviderAnswer
  ) async throws -> ProviderAnswer {
    do {
      return try await ask(self)
    } catch let error as BitpalError where isPast && error.has(.mayHaveShorterRange) {
      guard let now else { throw error }
      do {
        return try await ask(TimeWindow(start: start, end: now))
      } catch let other as BitpalError where other.has(.mayHaveShorterRange) {
        // Without anything since its beginning, the window is not what is wrong.
        throw other.code == .noData ? other : error
      }
    }
  }
}

extension PriceProvider {
  /// Returns the closes of the candles of a window as a line, which until now ends with the price of the one that is open.
  ///
  /// The candles are the narrowest that give at most 500 points, where the source has them. The close of a day is stamped
  /// with that day, any other with the end of its candle.
  ///
  /// - Throws: `.noData` when no candle has begun; otherwise the failure of the source.
  fileprivate func lineOfCandles(
    _ coin: String, currency: String, window: TimeWindow, now: Date
  ) async throws -> ProviderAnswer {
    let (day, most) = (Duration.seconds(86_400), Int64(500))
    let widths = descriptor.candleWidths.filter { $0 <= day }
    let wanted = widths.first { window.length.milliseconds / max(1, $0.milliseconds) <= most } ?? day
    let width = Resampling.nativeWidth(for: wanted, among: descriptor.candleWidths)
    let query = ProviderQuery.candles(coin: coin, currency: currency, window: window, width: width)
    return try await answer(to: query).mapping(coin) { (series: CandleSeries) in
      var points: [ChartDataPoint]
      if series.width == day {
        if let start = Resampling.startOfForeignDays(series) { throw foreignDays(start) }
        points = Resampling.dailyCloses(series, now: now).map { ChartDataPoint(timestamp: $0.day, price: $0.price) }
        // The day that is not over has the latest price.
        if !window.isPast, let last = series.candles.last, last.timestamp <= now,
          last.timestamp.startOfDay > points.last?.timestamp ?? .distantPast
        {
          points.append(ChartDataPoint(timestamp: last.timestamp.startOfDay, price: last.close))
        }
      } else {
        points = series.candles.map { ChartDataPoint(timestamp: $0.timestamp.adding(series.width), price: $0.close) }
        let latest = points.last
        points.removeAll { $0.timestamp > now }
        // The candle that is still open ends with the latest price, also where the one before ends now.
        if let latest, latest.timestamp > now, !window.isPast {
          if points.last?.timestamp == now { points.removeLast() }
          points.append(ChartDataPoint(timestamp: now, price: latest.price))
        }
      }
      guard !points.isEmpty else {
        throw BitpalError.noData(
          question: "the line of \(coin) in \(currency): none of its candles has begun", provider: descriptor.id)
      }
      return .line(LineSeries(points: points, isDaily: series.width == day))
    }
  }

  /// Returns the closes of the days of a window that are over at `now`, marked where the last one may still change.
  ///
  /// A close is final when the source has a later price, or when it pauses and the day is over in the zone of its market.
  ///
  /// - Throws: `.unreadable` for days that begin at another time than midnight in UTC and of which nothing says whose they
  ///   are; otherwise the failure of the source.
  fileprivate func closes(
    _ coin: String, currency: String, days: ClosedRange<Date>, reaching needed: Duration, now: Date
  ) async throws -> ProviderAnswer {
    let window = descriptor.windowOfCloses(of: days, reaching: needed, now: now)
    func line(_ closes: [Resampling.DailyClose], newest: Date?, settles: Date?) throws -> Answer {
      // The close of a week before may stand in for a day without one.
      let near = days.lowerBound.adding(.seconds(-7 * 86_400))...days.upperBound
      if descriptor.hasStepPrices, !closes.contains(where: { near.contains($0.day) }) {
        let last = closes.last { $0.day < days.lowerBound }.map { "; its last is of \($0.dateText)" } ?? ""
        throw BitpalError.noData(
          question: "\(coin) in \(currency) on \(days.lowerBound.dayText)\(last)", provider: descriptor.id)
      }
      let points = closes.map { ChartDataPoint(timestamp: $0.day, price: $0.price) }
      let isOpen = isOpen(closes.last, newest: newest, settles: settles, askedAt: now)
      return .line(LineSeries(points: points, isDaily: true, settles: isOpen ? .distantFuture : nil))
    }
    if descriptor.capabilityOfCloses == .candles {
      return try await dayCandles(coin, currency: currency, window: window).mapping(coin) { (series: CandleSeries) in
        try line(
          Resampling.dailyCloses(series, now: now), newest: series.candles.last?.timestamp, settles: series.settles)
      }
    }
    let asked = descriptor.hasCloses ? window.ofCloses : window
    let answer = try await answer(to: .line(coin: coin, currency: currency, window: asked))
    return try answer.mapping(coin) { (series: LineSeries) in
      if let start = Resampling.startOfForeignDays(series) { throw foreignDays(start) }
      return try line(
        Resampling.dailyCloses(series, now: now), newest: series.points.last?.timestamp, settles: series.settles)
    }
  }

  /// Returns whether a last close may still change.
  ///
  /// - Parameters:
  ///   - newest: The last instant of the series; nil for an empty one.
  ///   - settles: The instant at which the series settles; nil when it has.
  private func isOpen(_ last: Resampling.DailyClose?, newest: Date?, settles: Date?, askedAt now: Date) -> Bool {
    guard let last else { return false }
    if last.isProvisional { return true }
    let end = last.day.adding(.seconds(86_400))
    guard let newest, newest < end else { return false }
    return descriptor.hasCloses
      ? settles != nil : !descriptor.settlesLastDay(endingAt: settles ?? end, askedAt: now)
  }

  /// Returns the failure of days that are not those of UTC, by the beginning of one of them.
  private func foreignDays(_ start: Date) -> BitpalError {
    .unreadable(
      provider: descriptor.id,
      reason:
        "its days begin at \(start.utcMinuteText.suffix(6)), so they are not days of UTC, and nothing says whose they "
        + "are (days: in its provider file)")
  }

  /// Returns the daily candles of a window, resampled from narrower ones where the source has only those.
  ///
  /// - Throws: `.noData` when the source answers with wider ones; otherwise the failure of the source.
  fileprivate func dayCandles(_ coin: String, currency: String, window: TimeWindow) async throws -> ProviderAnswer {
    let day = Duration.seconds(86_400)
    let native = Resampling.nativeWidth(for: day, among: descriptor.candleWidths)
    let answer = try await answer(to: .candles(coin: coin, currency: currency, window: window, width: native))
    return try answer.mapping(coin) { (narrow: CandleSeries) in
      let series = Resampling.candles(narrow, wanted: day)
      guard series.width == day else {
        throw BitpalError.noData(
          question: "candles of a day of \(coin) in \(currency); it has them of \(series.width.unitText)",
          provider: descriptor.id)
      }
      if let start = Resampling.startOfForeignDays(narrow) { throw foreignDays(start) }
      return .candles(series)
    }
  }
}
