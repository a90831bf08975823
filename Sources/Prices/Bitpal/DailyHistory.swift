import BitpalCache
package import BitpalModel
import BitpalProviders
package import FoundationEssentials

/// A choice for the days before the first day that a source has.
public enum HistoryReach: Sendable {
  /// The call fails; the failure names the first day that the source has.
  case all

  /// The days are omitted.
  case asFarAsItGoes

  /// The days are omitted, and a day without a close has the last one before, of at most a week earlier.
  case previous

  /// The days are omitted, and a step price holds on every day until the next price, however late that is.
  case carriedForward
}

/// The daily closes and candles of a coin, which are final when their day is over at the source.
struct DailyHistory: Sendable {
  let asker: Asker
  let names: CoinNames
  let converter: CurrencyConverter

  /// Whether earlier sources of the list have been asked, so that only the days that are asked for are kept.
  var followsOthers = false

  private static let day = Duration.seconds(86_400)
  private var now: Date { asker.time.now }

  /// Returns the daily closes of one coin in UTC, from one day to another, both included.
  ///
  /// - Throws: `.usage` for days that are not over, `.noData` for days before the source's first, which it names.
  func closes(
    _ coin: String, from first: Date, to last: Date, currency: String, reach: HistoryReach, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let (first, last) = try daysThatAreOver(from: first, to: last)
    return try await names.withResolved(coin, policy: policy) { id in
      try await converter.converting(id, to: currency, policy: policy) { currency in
        var stored = policy == .refresh ? nil : storedCloses(id, from: first, to: last, currency: currency)
        if let about = stored?.about, await hasOwn(id, first...last, currency: currency, before: about) { stored = nil }
        if let stored, !policy.mayFetch || !mayBeRestated(stored) { return asker.sources.doubting(stored) }
        var answer: Sourced<[Resampling.DailyClose]>
        do {
          answer = try await closesOfAny(id, from: first, to: last, currency: currency, policy: policy)
        } catch let error as BitpalError {
          if let stored { return asker.sources.doubting(stored.adding([.notRefreshed(reason: error.message)])) }
          guard reach == .carriedForward, error.has(.mayHaveShorterRange) else { throw error }
          answer = try await stepCloses(id, currency: currency, insteadOf: error)
        }
        if reach == .carriedForward { answer = carriedForward(answer, to: last) }
        guard let oldest = answer.value.first?.day, oldest <= (reach == .all ? first : last) else {
          throw nothing(about: "\(id) in \(currency) on \(first.dayText)", in: answer)
        }
        let closed = reach == .all || reach == .asFarAsItGoes ? closedDays(in: answer, from: first, to: last) : []
        if reach == .previous { answer = withPrevious(answer, from: first, to: last) }
        let wanted = answer.map { closes in closes.filter { $0.day >= first && $0.day <= last } }.warningOfProvisional
        if reach == .all, wanted.value.isEmpty { try refuseStep(answer, on: first, in: currency) }
        return asker.sources.doubting(closed.isEmpty ? wanted : wanted.adding([.marketClosed(coin: id, days: closed)]))
      }.provisionalWithoutRate
    }
  }

  /// Refuses days of which a source with step prices has none.
  ///
  /// - Throws: `.noData` with the day of the price before.
  private func refuseStep(
    _ answer: Sourced<[Resampling.DailyClose]>, on first: Date, in currency: String
  ) throws(BitpalError) {
    guard asker.sources.provider(of: answer.about)?.descriptor.hasStepPrices == true else { return }
    let last = answer.value.last { $0.day < first }.map { "; its last is of \($0.dateText)" } ?? ""
    throw .noData(question: "\(answer.about.coin) in \(currency) on \(first.dayText)\(last)", provider: answer.source)
  }

  /// Returns the failure of days before the oldest close of an answer, which it names with the rows that could not be read; that of a
  /// plan where it ends there.
  func nothing(about question: String, in answer: Sourced<[Resampling.DailyClose]>) -> BitpalError {
    guard let oldest = answer.value.first else { return .noData(question: question, provider: answer.source) }
    let unread = answer.warnings.first(where: \.isOfSeries).map { "; \($0)" } ?? ""
    let reason = "\(question); it goes back to \(oldest.dateText)\(unread)"
    let limit = asker.sources.provider(of: answer.about)?.descriptor.limit(ofClosesFrom: oldest.day, now: now)
    return limit?.cause == .plan
      ? .planLimit(provider: answer.source, reason: "nothing for " + reason)
      : .noData(question: reason, provider: answer.source)
  }

  /// Returns the days of one coin with open, high, low, close and volume, from one day to another in UTC, both
  /// included.
  ///
  /// Where days are resampled from narrower candles, the close is that of ``closes(_:from:to:currency:reach:policy:)``:
  /// the price of such a source at midnight differs from the end of its last candle.
  ///
  /// - Throws: `.usage` for days that are not over, `.noData` where no source has candles of a day.
  func candles(
    _ coin: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let (first, last) = try daysThatAreOver(from: first, to: last)
    let answer = try await series(coin, from: first, to: last, currency: currency, policy: policy)
    let all = answer.map { $0.candles.map { Resampling.DailyClose($0) } }
    let others = await ofOthers(than: all, from: first, to: last) {
      try await $0.candles(
        names.name(ofID: answer.about.coin), from: first, to: last, currency: currency, policy: policy)
    }
    if let others { return others }
    let candles = answer.value.candles.filter { $0.timestamp >= first && $0.timestamp.startOfDay <= last }
    let source = asker.sources.provider(of: answer.about)?.descriptor
    guard source?.capabilityOfCloses == .line, let id = candles.isEmpty ? nil : answer.about.coin else {
      let open = answer.value.candles.last.flatMap { candle in
        let end = answer.value.settles ?? candle.timestamp.adding(Self.day)
        return source?.settlesLastDay(endingAt: end, askedAt: answer.fetchedAt) == true ? nil : candle.timestamp
      }
      let closed = closedDays(in: all, from: first, to: last)
      return answer.map { _ in
        candles.map { Resampling.DailyClose($0, isProvisional: $0.timestamp == open) }
      }.warningOfProvisional.provisionalWithoutRate.adding(
        closed.isEmpty ? [] : [.marketClosed(coin: answer.about.coin, days: closed)])
    }
    let closes = try await closes(
      names.name(ofID: id), from: first, to: last, currency: currency, reach: .asFarAsItGoes, policy: policy)
    guard closes.source == answer.source else {
      throw BitpalError.noData(
        question: "candles of \(id) with the closes of \(closes.source)", provider: answer.source)
    }
    let known = Dictionary(closes.value.map { ($0.day, $0) }) { first, _ in first }
    return answer.map { _ in
      candles.compactMap { candle in
        known[candle.timestamp.startOfDay].map { close in
          Resampling.DailyClose(candle.closing(at: close.price), isProvisional: close.isProvisional)
        }
      }
    }.warningOfProvisional
  }

  /// Returns the candles of days, with that of the day after the last one, which shows that the last is final.
  private func series(
    _ coin: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<CandleSeries> {
    let days = first == last ? first.dayText : "\(first.dayText) to \(last.dayText)"
    let end = last.adding(Self.day * 2)
    let range = ChartTimeRange.between(first, end < now ? end : nil, now: now, name: days)
    return try await names.withResolved(coin, policy: policy) { id in
      try await converter.converting(id, to: currency, policy: policy) { currency in
        try await asking(
          .dayCandles(
            id, currency: currency, window: range.timeWindow(at: now), now: now, key: range.keyText,
            timeToLive: range.timeToLive, description: "\(id) in \(currency) as candles of a day, \(days)"),
          policy: policy
        ) { (answer: Sourced<CandleSeries>) in
          if answer.fetchedAt < last.adding(Self.day) { return .zero }
          let hasLater = answer.value.candles.last.map { $0.timestamp.startOfDay > last } ?? false
          return hasLater ? nil : ServiceSettings.provisionalTimeToLive
        }
      }
    }
  }

  /// Returns the days of two instants.
  ///
  /// - Throws: `.usage` when the days are in the wrong order, or the last is not over.
  private func daysThatAreOver(from first: Date, to last: Date) throws(BitpalError) -> (first: Date, last: Date) {
    let (first, last) = (first.startOfDay, last.startOfDay)
    let newest = now.startOfDay.adding(.zero - Self.day)
    guard first <= last else { throw BitpalError.usage("the first day is after the last") }
    guard last <= newest else {
      throw BitpalError.usage(
        "\(last.dayText) is not over in UTC, so it has no close yet", hint: "the last day that has is \(newest.dayText)"
      )
    }
    return (first, last)
  }

  private func storedCloses(
    _ id: String, from first: Date, to last: Date, currency: String
  ) -> Sourced<[Resampling.DailyClose]>? {
    let wanted = Int(last.since(first).milliseconds / Self.day.milliseconds) + 1
    for provider in asker.sources.providers {
      let key = closesKey(id, currency, provider.descriptor.cacheIdentity)
      guard let (answer, tier) = asker.cache.answer(for: key), case .line(let series) = answer.value else { continue }
      let closes = series.points.filter { $0.timestamp >= first && $0.timestamp <= last }
      guard closes.count == wanted else { continue }
      asker.traceHit(answer, tier, ServiceSettings.closesTimeToLive)
      return answer.map { _ in closes.map { Resampling.DailyClose(day: $0.timestamp, price: $0.price) } }
    }
    return nil
  }

  /// Returns whether a split since then may have restated closes: those of shares, which were fetched a day ago.
  private func mayBeRestated(_ stored: Sourced<[Resampling.DailyClose]>) -> Bool {
    let source = asker.sources.provider(of: stored.about)?.descriptor
    return source?.restatesSeries(of: stored.about.coin) == true && now.since(stored.fetchedAt) > Self.day
  }

  /// Returns whether a source has restated its closes: more than half of the stored ones are four percent off.
  private func isRestated(_ stored: LineSeries, by fetched: [Date: Decimal]) -> Bool {
    let changes = stored.points.compactMap { point in
      fetched[point.timestamp]?.percentChange(since: point.price)
    }
    return changes.filter { abs($0) > 4 }.count * 2 > changes.count
  }

  /// Returns every close of the source from `first` on, or of its whole reach when that is shorter; settled closes are
  /// stored.
  func fetchedCloses(
    _ id: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    // One more day, so that the window includes the candle or the sample that ends the first day.
    let days = Int(now.since(first).milliseconds / Self.day.milliseconds) + 1
    func series(reaching needed: Duration) async throws -> Sourced<LineSeries> {
      try await asking(
        .closes(id, currency: currency, days: first...last, reaching: needed, now: now), policy: policy
      ) { answer in
        if answer.fetchedAt < last.adding(Self.day) { return .zero }
        let isOpen = answer.value.settles != nil && answer.value.points.last.map { $0.timestamp <= last } ?? false
        return isOpen ? ServiceSettings.provisionalTimeToLive : nil
      }
    }
    let answer: Sourced<LineSeries>
    do {
      answer = try await series(reaching: Self.day * days)
    } catch let error as BitpalError where error.has(.mayHaveShorterRange) {
      do {
        answer = try await series(reaching: Self.day)
        // Another source, which does not go back that far, does not answer for one that failed.
        guard
          !error.isOfSource || answer.value.points.contains(where: { $0.timestamp >= first && $0.timestamp <= last })
        else { throw error }
      } catch let other as BitpalError where other.has(.mayHaveShorterRange) && !other.isOfSource {
        throw error
      }
    }
    let key = closesKey(id, currency, answer.about.provider)
    var known: [Date: Decimal] = [:]
    var stored: Set<Date> = []
    for close in answer.value.points { known[close.timestamp] = close.price }
    if policy != .refresh, case .line(let series)? = asker.cache.answer(for: key)?.answer.value,
      !isRestated(series, by: known)
    {
      // A source that is asked again about days, because it may restate them, is believed; and earlier days may be restated too.
      let isBelieved = asker.sources.provider(of: answer.about)?.descriptor.restatesSeries(of: id) == true
      let oldest = isBelieved ? answer.value.points.first?.timestamp ?? .distantFuture : .distantPast
      let kept = series.points.filter { $0.timestamp >= oldest }
      for point in kept where !isBelieved || known[point.timestamp] == nil { known[point.timestamp] = point.price }
      stored = Set(kept.map(\.timestamp))
    }
    let open =
      answer.value.settles == nil
      ? nil : answer.value.points.last.flatMap { stored.contains($0.timestamp) ? nil : $0.timestamp }
    let points = known.map { ChartDataPoint(timestamp: $0.key, price: $0.value) }.sorted { $0.timestamp < $1.timestamp }
    // For other days an earlier source may have the closes.
    let isFirst = !followsOthers && answer.about.provider == asker.sources.providers.first?.descriptor.cacheIdentity
    let kept = points.filter { point in
      guard point.timestamp != open else { return false }
      return isFirst || (first...last).contains(point.timestamp) || stored.contains(point.timestamp)
    }
    asker.cache.store([
      Sourced(
        .line(LineSeries(points: kept)), about: key, source: answer.source, fetchedAt: answer.fetchedAt,
        conversion: answer.conversion)
    ])
    asker.trace(.stored(tier: "both", key: key.description))
    return answer.map { _ in
      points.map { Resampling.DailyClose(day: $0.timestamp, price: $0.price, isProvisional: $0.timestamp == open) }
    }
  }

  /// Answers a question about days, and asks again where a cached answer is older than it may be.
  ///
  /// - Parameter limit: Returns the age up to which an answer counts that lacks the last day, or has a price of it that
  ///   is not final; nil for any other.
  private func asking<Value: AnswerValue>(
    _ question: Question, policy: FetchPolicy, _ limit: (Sourced<Value>) -> Duration?
  ) async throws -> Sourced<Value> {
    let answer: Sourced<Value> = try await asker.answer(question, policy: policy)
    let source = asker.sources.provider(of: answer.about)?.descriptor
    guard question.mayBeAnswered(at: answer.fetchedAt) || source?.needsNetwork != true else {
      guard policy.mayFetch else { throw BitpalError.offline(question: question.text(about: answer.about.coin)) }
      return try await asker.answer(question, policy: .refresh)
    }
    guard policy == .normal, !answer.freshness.isServedStale, let limit = limit(answer),
      now.since(answer.fetchedAt) > limit
    else { return answer }
    return (try? await asker.answer(question, policy: .refresh)) ?? answer
  }

  private func closesKey(_ id: String, _ currency: String, _ provider: String) -> AnswerKey {
    AnswerKey(provider: provider, kind: .line, coin: id, currency: currency, range: "final closes")
  }
}

extension Resampling.DailyClose {
  /// Creates the close of a candle that spans a whole day.
  fileprivate init(_ candle: CandleDataPoint, isProvisional: Bool = false) {
    self.init(
      day: candle.timestamp.startOfDay, price: candle.close, candle: candle, isProvisional: isProvisional)
  }
}

extension [Date] {
  /// The days as one phrase: the only one, or their number with the first and the last.
  package var daysText: String {
    guard let first, let last, count > 1 else { return self.first?.dayText ?? "no day" }
    return "\(count) days from \(first.dayText) to \(last.dayText)"
  }
}

extension Sourced where Value == [Resampling.DailyClose] {
  /// The days on which the market was closed.
  package var closedDays: [Date] {
    warnings.flatMap { if case .marketClosed(_, let days) = $0 { days } else { [Date]() } }
  }

  /// Returns the failure of a day without a close; the reason where its market was closed on that and other days.
  package func withoutClose(on day: Date, in currency: String) -> BitpalError {
    .noData(
      question: "\(about.coin) in \(currency) on \(day.dayText)"
        + (fetchedAt < day.adding(.seconds(86_400)) ? ", which was not over when it was asked" : "")
        + (CurrencyCoin.end(of: currency).map { day >= $0 } == true
          ? CurrencyCoin.reason(ofNoRateFrom: currency, to: currency) : "")
        + (closedDays.contains(day) ? AnswerWarning.reason(ofNoCloseOn: closedDays) : ""),
      provider: source)
  }

  /// The closes, with a warning where the last one may still change.
  fileprivate var warningOfProvisional: Sourced {
    guard let close = value.last, close.isProvisional else { return self }
    return adding([.provisional(coin: about.coin, day: close.day, source: source)])
  }

  /// The closes in another currency, provisional from the first day on for which a rate may still come.
  fileprivate var provisionalWithoutRate: Sourced {
    guard let conversion, let open = conversion.openFrom, let last = value.last, last.day >= open else { return self }
    let closes = value.map { close in
      Resampling.DailyClose(
        day: close.day, price: close.price, candle: close.candle, carriedFrom: close.carriedFrom,
        isProvisional: close.isProvisional || close.day >= open)
    }
    return map { _ in closes }.adding([
      .provisional(coin: about.coin, day: last.day, source: conversion.rateSource)
    ])
  }
}

extension CandleDataPoint {
  /// Returns the candle with another close, which extends its high or low where it lies outside of them.
  fileprivate func closing(at close: Decimal) -> CandleDataPoint {
    CandleDataPoint(
      timestamp: timestamp, open: open, high: max(high, close), low: min(low, close), close: close, volume: volume)
  }
}
