import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The closes of sources with step prices, such as a file of prices: each holds until the next one.
extension DailyHistory {
  /// Returns every close of the first source with step prices that has some, at any age.
  ///
  /// - Throws: `failure` without such a source.
  func stepCloses(
    _ id: String, currency: String, insteadOf failure: BitpalError
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let window = TimeWindow(ending: asker.time.now, length: asker.time.now.since(.earliestPrice))
    for provider in asker.sources.providers where provider.descriptor.hasStepPrices {
      let query = ProviderQuery.line(coin: id, currency: currency, window: window)
      guard let series = try? await provider.value(query, as: LineSeries.self) else { continue }
      let about = AnswerKey(
        provider: provider.descriptor.cacheIdentity, kind: .line, coin: id, currency: currency, range: "closes")
      return Sourced(
        Resampling.dailyCloses(series, now: asker.time.now), about: about, source: provider.descriptor.id,
        fetchedAt: asker.time.now)
    }
    throw failure
  }

  /// Returns whether a source with step prices, which stands before that of an answer, has a close on one of some days.
  func hasOwn(_ id: String, _ days: ClosedRange<Date>, currency: String, before about: AnswerKey) async -> Bool {
    let earlier = asker.sources.providers.prefix { $0.descriptor.cacheIdentity != about.provider }
    guard earlier.contains(where: \.descriptor.hasStepPrices) else { return false }
    let own = DailyHistory(asker: asker.asking(Array(earlier)), names: names, converter: converter)
    let none = BitpalError.noData(question: id, provider: "")
    let closes = try? await own.stepCloses(id, currency: currency, insteadOf: none)
    return closes?.value.contains { days.contains($0.day) } == true
  }

  /// Returns the prices of a coin on some days at the first source with step prices, each carried forward to the next.
  ///
  /// No source is asked over the network.
  func stepPrices(_ id: String, from first: Date, to last: Date, currency: String) async -> [Date: Decimal] {
    let none = BitpalError.noData(question: id, provider: "")
    guard let closes = try? await stepCloses(id, currency: currency, insteadOf: none) else { return [:] }
    let days = carriedForward(closes, to: last.startOfDay).value.filter {
      $0.day >= first.startOfDay && $0.day <= last
    }
    return Dictionary(days.map { ($0.day, $0.price) }) { first, _ in first }
  }

  /// Returns closes with one for every day until `last`, where their source has step prices.
  ///
  /// A rate of a currency is never carried forward.
  func carriedForward(
    _ answer: Sourced<[Resampling.DailyClose]>, to last: Date
  ) -> Sourced<[Resampling.DailyClose]> {
    let source = asker.sources.provider(of: answer.about)?.descriptor
    guard source?.hasStepPrices == true, CurrencyCoin.currency(of: answer.about.coin) == nil else { return answer }
    return answer.map { closes in
      var filled: [Resampling.DailyClose] = []
      for (index, close) in closes.enumerated() {
        filled.append(close)
        let next = index + 1 < closes.count ? closes[index + 1].day : last.adding(.seconds(86_400))
        var day = close.day.adding(.seconds(86_400))
        while day < next {
          filled.append(.init(day: day, price: close.price, carriedFrom: close.day))
          day = day.adding(.seconds(86_400))
        }
      }
      return filled
    }
  }
}

// MARK: Days on which a market is closed

extension DailyHistory {
  /// The oldest close that a later day without one gets: of a week before.
  private static let longestPause = 7

  /// Returns the days without a close on which the market was closed: at weekends, and on days between two closes, at a
  /// source whose market pauses and that has sent no rows which were left out.
  func closedDays(
    in answer: Sourced<[Resampling.DailyClose]>, from first: Date, to last: Date
  ) -> [Date] {
    guard asker.sources.provider(of: answer.about)?.descriptor.hasPauses(of: answer.about.coin) == true,
      let newest = answer.value.last?.day
    else { return [] }
    let hasLeftOut = answer.warnings.contains { if case .droppedRows = $0 { true } else { false } }
    let known = Set(answer.value.map(\.day))
    return stride(from: first, through: last, by: 86_400).filter { day in
      !known.contains(day) && previous(of: day, known) != nil && (day < newest && !hasLeftOut || day.isOnWeekend)
    }
  }

  /// Returns the closes of the first source that has every day on which the market was open, otherwise of that with most of them.
  func closesOfAny(
    _ id: String, from first: Date, to last: Date, currency: String, policy: FetchPolicy
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    let answer = try await fetchedCloses(id, from: first, to: last, currency: currency, policy: policy)
    return await ofOthers(than: answer, from: first, to: last) {
      try await $0.closesOfAny(id, from: first, to: last, currency: currency, policy: policy)
    } ?? answer
  }

  /// Returns the days of a later source, where one lacks a day on which the market was open, and the later one has more days.
  ///
  /// - Parameter ask: Asks the later sources.
  func ofOthers(
    than answer: Sourced<[Resampling.DailyClose]>, from first: Date, to last: Date,
    _ ask: (DailyHistory) async throws -> Sourced<[Resampling.DailyClose]>
  ) async -> Sourced<[Resampling.DailyClose]>? {
    let days = first...last
    let known = Set(answer.value.map(\.day))
    let closed = Set(closedDays(in: answer, from: first, to: last))
    func count(_ closes: [Resampling.DailyClose]) -> Int { closes.count { days.contains($0.day) } }
    let source = asker.sources.provider(of: answer.about)?.descriptor
    let hasPauses = source?.hasPauses(of: answer.about.coin) == true
    let lacking = stride(from: first, through: last, by: 86_400).filter {
      !known.contains($0) && !(hasPauses && $0.isOnWeekend)
    }
    // Prices of one's own have the last word, whatever days they lack.
    let hasOwn = source?.hasStepPrices == true && count(answer.value) > 0
    guard !lacking.isEmpty, !hasOwn, count(answer.value) == 0 || !closed.isSuperset(of: lacking),
      let later = asker.askingLater(than: answer.about)
    else { return nil }
    let found = try? await ask(DailyHistory(asker: later, names: names, converter: converter, followsOthers: true))
    return found.flatMap { count($0.value) > count(answer.value) ? $0 : nil }
  }

  /// Returns closes with that of an earlier day for each day without one.
  func withPrevious(
    _ answer: Sourced<[Resampling.DailyClose]>, from first: Date, to last: Date
  ) -> Sourced<[Resampling.DailyClose]> {
    let known = Dictionary(answer.value.map { ($0.day, $0) }) { first, _ in first }
    let days = Set(known.keys)
    let filled = stride(from: first, through: last, by: 86_400).compactMap { day -> Resampling.DailyClose? in
      guard known[day] == nil, let close = previous(of: day, days).flatMap({ known[$0] }) else { return nil }
      return Resampling.DailyClose(
        day: day, price: close.price, carriedFrom: close.day, isProvisional: close.isProvisional)
    }
    return answer.map { closes in (closes + filled).sorted { $0.day < $1.day } }
  }

  /// Returns the last of some days before a day, at most ``longestPause`` earlier.
  private func previous(of day: Date, _ days: Set<Date>) -> Date? {
    (1...Self.longestPause).lazy.map { day.adding(.seconds(-86_400 * $0)) }.first { days.contains($0) }
  }
}

extension Date {
  /// 1900-01-01, from which on all closes of a file of prices are read.
  fileprivate static let earliestPrice = Date(milliseconds: -2_208_988_800_000)
}
