package import Bitpal
package import BitpalModel
import FoundationEssentials

/// The question for daily closes.
package struct HistoryQuery: Sendable {
  /// A treatment of days without a close, on which the market was open; days before the source's first one included.
  ///
  /// It is about days alone: a source that fails, a limit and an unknown name are always failures.
  package enum Missing: String, CaseIterable, Sendable {
    /// Such a day is a failure.
    case tell

    /// Such a day is left out.
    case skip

    /// The last close of up to a week before stands in; a day without one is a failure.
    case previous
  }

  package static let parameters = [
    ParameterSpec("on", .day, "one day (yesterday)"),
    ParameterSpec("from", .day, "first day, or how far back, as in 30d, instead of one day"),
    ParameterSpec("to", .day, "last day (yesterday)"),
    ParameterSpec("ohlc", .flag, "open, high, low and, where the source says it, volume too"),
  ]

  /// The parameter for a partial answer, which the command line spells `--missing skip`.
  package static let partial = ParameterSpec("partial", .flag, "leave out days before the first that the source has")

  /// Whether whole days are asked for: open, high, low and volume with the close.
  package let isWhole: Bool

  /// The treatment of days without a close.
  package let missing: Missing
  private let on: Date?
  private let from: Date?
  private let to: Date?

  /// The time from the first day to now, in place of ``from``.
  private let length: Duration?

  /// Whether the question names a day.
  package var hasDays: Bool { on != nil || from != nil || length != nil || to != nil }

  /// Reads the parameters.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for bad parameters, and for one day together with several.
  package init(_ parameters: some Parameters, missing: Missing) throws(BitpalError) {
    let notation = parameters.notation
    on = try parameters.day("on")
    length = parameters["from"].flatMap(ChartTimeRange.length)
    from = length == nil ? try parameters.day("from") : nil
    to = try parameters.day("to")
    isWhole = try parameters.flag("ohlc")
    self.missing = missing
    if isWhole, missing == .previous {
      throw .usage(
        "a day without prices has no open, high and low, so --missing previous and --ohlc exclude each other",
        hint: "leave one of them out")
    }
    let hasFirst = from != nil || length != nil
    if on != nil, hasFirst || to != nil {
      throw .usage(
        "\(notation("on")) is one day, \(notation("from")) and \(notation("to")) are several",
        hint: "give one or the other")
    }
    if to != nil, !hasFirst {
      throw .usage(
        "\(notation("to")) needs \(notation("from"))",
        hint: "as in \(notation(["from": "2025-01-01", "to": "2025-01-14"]))")
    }
  }

  /// Returns the closes of a coin.
  ///
  /// - Throws: The error of the source.
  package func answer(
    _ coin: String, by service: PriceService, currency: String, policy: FetchPolicy = .normal
  ) async throws -> HistoryAnswer {
    let now = service.time.now
    let first = from ?? length.map { now.adding(.zero - $0).startOfDay }
    let days = HistoryDays(on: on, from: first, to: to, now: now)
    var closes =
      isWhole
      ? try await service.dailyCandles(coin, from: days.first, to: days.last, currency: currency, policy: policy)
      : try await service.history(
        coin, from: days.first, to: days.last, currency: currency, reach: missing.reach,
        policy: policy)
    let coin = closes.about.coin
    // Of what came after an older answer nothing is known, so that it is neither skipped nor carried forward.
    let unknown =
      closes.freshness.isServedStale ? days.all.filter { $0.adding(.seconds(86_400)) > closes.fetchedAt } : []
    closes = closes.map { $0.filter { $0.carriedFrom == nil || !unknown.contains($0.day) } }
    let lacking = closes.lacking(days.all)
    func failures(_ days: [Date]) -> [CoinFailure] {
      days.map { CoinFailure(coin: $0.dayText, error: closes.withoutClose(on: $0, in: currency)) }
    }
    let before =
      lacking.before.isEmpty
      ? nil : service.failure(ofDays: lacking.before, before: closes, name: coin, currency: currency)
    if missing == .skip {
      return HistoryAnswer(
        closes: closes.value.isEmpty ? closes : closes.withClosedDays([]),
        missing: failures(lacking.within.filter(unknown.contains)),
        leftOut: (before.map { [$0] } ?? [])
          + closes.nothing(on: lacking.within.filter { !unknown.contains($0) }, name: coin, currency))
    }
    return HistoryAnswer(
      closes: closes,
      missing: lacking.before.flatMap { day in before.map { [CoinFailure(coin: day.dayText, error: $0)] } ?? [] }
        + failures(lacking.within))
  }
}

extension HistoryQuery.Missing {
  fileprivate var reach: HistoryReach {
    switch self {
    case .tell: .all
    case .skip: .asFarAsItGoes
    case .previous: .previous
    }
  }
}

/// The daily closes of a coin, and the days without one.
package struct HistoryAnswer: Sendable {
  package let closes: Sourced<[Resampling.DailyClose]>

  /// The days without a price, each as a failure.
  package let missing: [CoinFailure]

  /// The days that were left out on request, as the failures that they would have been.
  package let leftOut: [BitpalError]

  /// The failure of the days without a price, of all of them where they are several; nil without such days.
  package var incompleteness: BitpalError? {
    guard let first = missing.first, let last = missing.last, missing.count > 1 else {
      return leftOut.first ?? missing.first?.error
    }
    return .noData(
      question: "\(closes.about.coin) on \(missing.count) days from \(first.coin) to \(last.coin)",
      provider: closes.source)
  }

  package init(closes: Sourced<[Resampling.DailyClose]>, missing: [CoinFailure], leftOut: [BitpalError] = []) {
    self.closes = closes
    self.missing = missing
    self.leftOut = leftOut
  }
}

/// The daily closes of one coin of several.
package struct CoinHistory: Sendable {
  /// The name of the coin in rows and directives.
  package let name: String
  package let answer: Sourced<[Resampling.DailyClose]>

  /// The currency in directives, as a journal writes it; nil for that of the question.
  package let currency: String?

  package init(_ answer: Sourced<[Resampling.DailyClose]>, name: String, currency: String? = nil) {
    self.answer = answer
    self.name = name
    self.currency = currency
  }
}

extension Sourced where Value == [Resampling.DailyClose] {
  /// Returns which of some days have no close, although their market was open: before the first close, and after it.
  func lacking(_ days: [Date]) -> (before: [Date], within: [Date]) {
    let known = Set(value.map(\.day) + closedDays)
    let lacking = days.filter { !known.contains($0) }
    let first = value.first?.day ?? .distantPast
    return (lacking.filter { $0 < first }, lacking.filter { $0 >= first })
  }

  /// Returns the one failure of days that are left out; none without days.
  func nothing(on days: [Date], name: String, _ currency: String) -> [BitpalError] {
    days.isEmpty ? [] : [.noData(question: "\(name) in \(currency) on \(days.daysText)", provider: source)]
  }

  /// Returns the closes with other days on which the market was closed.
  func withClosedDays(_ days: [Date]) -> Sourced {
    let others = warnings.filter { if case .marketClosed = $0 { false } else { true } }
    let closed = days.isEmpty ? [] : [AnswerWarning.marketClosed(coin: about.coin, days: days)]
    return Sourced(
      value, about: about, source: source, fetchedAt: fetchedAt, freshness: freshness, warnings: others + closed,
      conversion: conversion)
  }
}

/// The days whose closes are requested, in UTC.
private struct HistoryDays {
  /// The midnight at which the first day begins.
  let first: Date

  /// The midnight at which the last day begins.
  let last: Date

  /// Creates one day, or a range of days; without a date it is yesterday, because today has no close yet.
  init(on: Date?, from: Date?, to: Date?, now: Date) {
    let yesterday = now.startOfDay.adding(.seconds(-86_400))
    first = on ?? from ?? yesterday
    last = on ?? to ?? yesterday
  }

  var all: [Date] { Array(stride(from: first, through: last, by: 86_400)) }
}
