package import Bitpal
package import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// The beginning of a series that is later than its range, and the cause.
package struct LateBeginning: Sendable {
  /// The first instant of the series.
  package let first: Date

  /// Whether prices are missing, as far as is known; for a question without a start only a limit of the source shows
  /// it.
  package let isShort: Bool

  /// The width of the candles of which the first whole one begins later than the range; nil for another cause.
  package let cutWidth: Duration?

  private let isOfDays: Bool
  private let subject: String
  private let source: String

  /// The id of the provider that was asked: a relay passes on the answers of another source.
  private let asked: String?
  private let type: ChartType
  private let now: Date
  private let limit: SourceReach?

  /// Compares a series with its range; nil for a series that begins with its range.
  ///
  /// - Parameter providers: The providers that were asked.
  package init?(_ series: ChartSeries, over range: ChartTimeRange, providers: [ProviderDescriptor]) {
    let (instants, answer, type) = (series.instants, series.origin, series.type)
    guard let first = instants.first, let last = instants.last else { return nil }
    // An older answer has been cut to the window of the present.
    let now = if case .stale(let age, _) = answer.freshness { answer.fetchedAt.adding(age) } else { answer.fetchedAt }
    let window = series.isOfDays ? range.timeWindow(at: now).ofDates : range.timeWindow(at: now)
    // The first point of a grid lies up to one step after the start; the source may have omitted one more.
    var step = Duration.milliseconds(last.since(first).milliseconds / Int64(max(1, instants.count - 1)))
    // A candle that began before the range is left out, whose prices would be those of a part of it.
    if type == .candle { step = max(step, range.candle) }
    let provider = providers.first { $0.cacheIdentity == answer.about.provider }
    let gap = first.since(window.start)
    // The only day of a window begins up to a day after it.
    if type == .line, instants.count == 1, gap <= .seconds(86_400) { return nil }
    let isCut = type == .candle && gap <= range.candle && gap * 2 > window.length
    // A closed market has fewer rows than days.
    let candle = type == .candle ? range.candle : nil
    let native =
      candle.map { Resampling.nativeWidth(for: $0, among: provider?.candleWidths ?? []) }
      ?? min(step, Resampling.usualSpacing(instants) ?? step)
    // A wide candle of which the source has only a part is left out.
    let isPart = candle.map { native < $0 && first > window.start.startOfInterval($0.milliseconds) } ?? false
    guard gap > step * 2 + .seconds(60) || isCut || isPart else { return nil }
    limit = provider.flatMap {
      Self.limit(
        of: $0, explaining: first, in: window, candle, native: native, count: instants.count, now: now)
    }
    if isPart, limit == nil, gap <= step * 2 + .seconds(60) { return nil }
    cutWidth = isCut && limit == nil ? range.candle : nil
    // A market that is closed at night and on holidays begins after them, and a coin that is hardly traded with its first trade.
    let pause = provider.flatMap { $0.hasPauses(of: answer.about.coin) ? $0.pause : nil }
    let quiet = pause ?? min(.seconds(86_400), max(.seconds(8640), step * 8))
    if limit == nil, cutWidth == nil, gap <= quiet { return nil }
    isShort = limit != nil || range.beginning != .ever
    subject = answer.about.coin
    self.type = type
    self.now = now
    source = answer.source
    asked = provider?.id
    self.first = first
    isOfDays = series.isOfDays
  }

  /// Returns the limit of a source that explains the first row of a series; nil where none does.
  ///
  /// - Parameters:
  ///   - candle: The width of the candles; nil for a line.
  ///   - native: The distance at which the source answers.
  private static func limit(
    of provider: ProviderDescriptor, explaining first: Date, in window: TimeWindow, _ candle: Duration?,
    native: Duration, count: Int, now: Date
  ) -> SourceReach? {
    // The first candle that is made of others may begin up to its width after the first of them.
    let oldest = candle.map { first.adding(min(.zero, native - $0)) } ?? first
    let isItsOwn = candle.map { native == $0 && !window.isPast } ?? true
    return provider.reach[candle == nil ? provider.capabilityOfLines : .candles].flatMap { reach in
      reach.explains(first: oldest, end: window.end, now: now, step: native, count: isItsOwn ? count : nil)
        ? reach : nil
    }
  }

  /// Returns a sentence on why a series begins later than its range, with the providers that reach further where the source
  /// has a limit; nil when no prices are missing as far as is known.
  ///
  /// - Parameters:
  ///   - providers: The providers that were asked.
  ///   - service: The service that knows the others; nil for none.
  package static func message(
    about series: ChartSeries, over range: ChartTimeRange, providers: [ProviderDescriptor], by service: PriceService?,
    in zone: ClockZone
  ) -> String? {
    guard let late = LateBeginning(series, over: range, providers: providers), late.isShort else {
      return series.origin.missingPrices
    }
    let others = late.limit == nil ? [] : service.map(late.others) ?? []
    return late.message(in: zone) + BitpalError.further(BitpalError.names(others))
  }

  /// Returns the ids of the providers that have this coin and reach further back.
  package func others(by service: PriceService) -> [String] {
    guard cutWidth == nil else { return [] }
    let others = service.others(than: source, of: subject, back: now.since(first) + .seconds(86_400)) {
      type == .line ? $0.capabilityOfLines : .candles
    }
    return others.filter { $0 != asked }
  }

  /// Returns a sentence with the cause: a limit of the source, otherwise that it has no older prices.
  package func message(in zone: ClockZone = .utc) -> String {
    let day = first.dayText(in: isOfDays ? .utc : zone)
    if let cutWidth {
      return "\(subject): the first whole candle of \(cutWidth.unitText) in this range begins on \(day)"
    }
    return "\(subject): the prices of \(source) begin on \(day)"
      + (limit.map { ": \($0.description)" } ?? "")
  }
}
