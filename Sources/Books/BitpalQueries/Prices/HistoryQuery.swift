package import BitpalModel
package import BitpalService
import FoundationEssentials

/// The question for daily closes.
package struct HistoryQuery: Sendable {
  package static let parameters = [
    ParameterSpec("on", .day, "one day (yesterday)"),
    ParameterSpec("from", .day, "first day, instead of one day"),
    ParameterSpec("to", .day, "last day (yesterday)"),
    ParameterSpec("ohlc", .flag, "open, high, low and, where the source says it, volume too"),
  ]

  /// The parameter for a partial answer, which the command line spells `--missing skip`.
  package static let partial = ParameterSpec("partial", .flag, "leave out days before the first that the source has")

  /// Whether whole days are asked for: open, high, low and volume with the close.
  package let isWhole: Bool

  /// Whether days before the source's first one are left out; otherwise they are a failure.
  package let isPartial: Bool
  private let on: Date?
  private let from: Date?
  private let to: Date?

  /// Whether the question names a day.
  package var hasDays: Bool { on != nil || from != nil || to != nil }

  /// Reads the parameters.
  ///
  /// - Parameter isPartial: Whether a partial answer is asked for.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for bad parameters, and for one day together with several.
  package init(_ parameters: some Parameters, isPartial: Bool) throws(BitpalError) {
    let notation = parameters.notation
    on = try parameters.day("on")
    from = try parameters.day("from")
    to = try parameters.day("to")
    isWhole = try parameters.flag("ohlc")
    self.isPartial = isPartial
    if on != nil, from != nil || to != nil {
      throw .usage(
        "\(notation("on")) is one day, \(notation("from")) and \(notation("to")) are several",
        hint: "give one or the other")
    }
    if to != nil, from == nil {
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
    let days = HistoryDays(on: on, from: from, to: to, now: service.time.now)
    let closes =
      isWhole
      ? try await service.dailyCandles(coin, from: days.first, to: days.last, currency: currency, policy: policy)
      : try await service.history(
        coin, from: days.first, to: days.last, currency: currency, reach: isPartial ? .asFarAsItGoes : .all,
        policy: policy)
    return HistoryAnswer(closes: closes, missing: isPartial ? [] : days.missing(in: closes, currency))
  }
}

/// The daily closes of a coin, and the days without one.
package struct HistoryAnswer: Sendable {
  package let closes: Sourced<[Resampling.DailyClose]>

  /// The days without a price, each as a failure.
  package let missing: [CoinFailure]

  package init(closes: Sourced<[Resampling.DailyClose]>, missing: [CoinFailure]) {
    self.closes = closes
    self.missing = missing
  }
}

/// The daily closes of one coin of several.
package struct CoinHistory: Sendable {
  /// The name of the coin in rows and directives.
  package let name: String
  package let answer: Sourced<[Resampling.DailyClose]>

  package init(_ answer: Sourced<[Resampling.DailyClose]>, name: String) {
    self.answer = answer
    self.name = name
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

  /// Returns the days for which the source has no price, although they lie within its reach, as failures.
  func missing(in answer: Sourced<[Resampling.DailyClose]>, _ currency: String) -> [CoinFailure] {
    let known = Set(answer.value.map(\.day))
    return stride(from: first, through: last, by: 86_400).filter { !known.contains($0) }.map { day in
      let question = "\(answer.about.coin) in \(currency) on \(day.dayText)"
      return CoinFailure(coin: day.dayText, error: .noData(question: question, provider: answer.source))
    }
  }
}
