public import FoundationEssentials

/// The conversion of many candles or points to fewer and wider ones.
///
/// Candles are exact: first open, highest high, lowest low, last close, all volumes. Intervals begin on the grid that starts at
/// 1970-01-01T00:00:00Z, where the sources' own candles begin. A gap stays a gap: nothing is interpolated, and an interval
/// without data has no candle.
public enum Resampling {
  /// The number of samples that an interval needs to become a candle.
  package static let samplesPerCandle = 3

  /// Returns candles of `width` made of narrower ones; the last may still be open, and its numbers may still change.
  ///
  /// - Parameters:
  ///   - candles: By opening time; of a width that divides `width`.
  ///   - width: Above zero; otherwise the candles are returned unchanged.
  ///   - origin: The beginning of an interval; nil for the usual ones.
  package static func aggregate(
    _ candles: [CandleDataPoint], to width: Duration, from origin: Date? = nil
  ) -> [CandleDataPoint] {
    let step = width.milliseconds
    guard step > 0 else { return candles }
    var result: [CandleDataPoint] = []
    for candle in candles {
      let start =
        origin.map { $0.adding(.milliseconds(candle.timestamp.since($0).milliseconds / step * step)) }
        ?? candle.timestamp.startOfInterval(step)
      if let last = result.last, last.timestamp == start {
        result[result.count - 1] = CandleDataPoint(
          timestamp: start, open: last.open, high: max(last.high, candle.high), low: min(last.low, candle.low),
          close: candle.close, volume: last.volume.flatMap { sum in candle.volume.map { sum + $0 } })
      } else {
        result.append(
          CandleDataPoint(
            timestamp: start, open: candle.open, high: candle.high, low: candle.low, close: candle.close,
            volume: candle.volume))
      }
    }
    return result
  }

  /// Returns candles made of the samples of a line; nil when too few samples fall in an interval.
  ///
  /// Every interval that has samples must have `samplesPerCandle` of them. The first one, of which the line may have
  /// only the end, is left out when it has fewer; the last one, which may have just begun, is kept.
  ///
  /// - Parameters:
  ///   - samples: By time.
  ///   - width: Above zero; nil when it is not.
  public static func candles(from samples: [ChartDataPoint], width: Duration) -> [CandleDataPoint]? {
    let step = width.milliseconds
    guard step > 0, !samples.isEmpty else { return nil }
    let intervals = samples.chunked { $0.timestamp.startOfInterval(step) }
    var result: [CandleDataPoint] = []
    for (index, interval) in intervals.enumerated() {
      if interval.samples.count < samplesPerCandle, index < intervals.count - 1 {
        guard index == 0 else { return nil }
        continue
      }
      guard let first = interval.samples.first, let last = interval.samples.last else { continue }
      result.append(
        CandleDataPoint(
          timestamp: interval.start, open: first.price,
          high: interval.samples.reduce(first.price) { max($0, $1.price) },
          low: interval.samples.reduce(first.price) { min($0, $1.price) }, close: last.price))
    }
    // One candle that has just begun does not make a chart.
    return result.count > 1 || samples.count >= samplesPerCandle ? result : nil
  }
}

extension Resampling {
  /// The finest spacing of line samples of any known source; candles made of a line are at least three times as wide.
  package static let finestSampling = Duration.seconds(5 * 60)

  /// Returns the width to request from a source in order to show candles of `wanted`.
  ///
  /// That is `wanted` if the source has it, otherwise the widest that divides it, otherwise the narrowest. A source
  /// without known widths is asked for `wanted`.
  package static func nativeWidth(for wanted: Duration, among native: [Duration]) -> Duration {
    native.filter { divides($0, wanted) }.max() ?? native.min() ?? wanted
  }

  /// Returns whether candles of `width` can be combined to candles of `wanted`.
  public static func divides(_ width: Duration, _ wanted: Duration) -> Bool {
    width.milliseconds > 0 && wanted >= width && wanted.milliseconds % width.milliseconds == 0
  }

  /// Returns whether a line may give better candles than those of `native`, and is worth a request.
  package static func needsSamples(native: Duration, wanted: Duration) -> Bool {
    !divides(native, wanted) && wanted >= finestSampling * samplesPerCandle
  }

  /// Returns the source's candles aggregated to the wanted width, otherwise those of its line, otherwise its own.
  ///
  /// Candles that cross the boundaries of wider ones stay as they are.
  ///
  /// - Parameters:
  ///   - native: The answer of the source.
  ///   - wanted: The width asked for.
  ///   - samples: The line over the same window, when `needsSamples(native:wanted:)` and there is one.
  public static func candles(_ native: CandleSeries, wanted: Duration, samples: [ChartDataPoint] = []) -> CandleSeries {
    if native.width == wanted { return native }
    if divides(native.width, wanted) {
      // An hour that begins at half past, as after the opening of an exchange, may belong to two wider candles.
      guard native.candles.allSatisfy({ lies($0, of: native.width, within: wanted) }) else { return native }
      return CandleSeries(width: wanted, candles: aggregate(native.candles, to: wanted))
    }
    if needsSamples(native: native.width, wanted: wanted), let candles = candles(from: samples, width: wanted) {
      return CandleSeries(width: wanted, candles: candles)
    }
    return native
  }
}

extension Resampling {
  /// Returns whether a candle lies within one interval of a width.
  private static func lies(_ candle: CandleDataPoint, of own: Duration, within width: Duration) -> Bool {
    let end = candle.timestamp.startOfInterval(width.milliseconds).adding(width)
    return candle.timestamp.adding(own) <= end
  }
}

extension CandleSeries {
  /// Returns the candles without those of wider ones of which a part has no rate: the rest would not have their opening or close.
  ///
  /// - Parameter opened: The openings of the candles before they were converted.
  package func withoutGaps(inThoseOf wide: Duration, opened: [Date]) -> CandleSeries {
    guard opened.count > candles.count, wide > width else { return self }
    let lacking = Set(opened).subtracting(candles.map(\.timestamp)).map { $0.startOfInterval(wide.milliseconds) }
    return with(candles.filter { !lacking.contains($0.timestamp.startOfInterval(wide.milliseconds)) })
  }

  /// Returns the candles without those at the beginning that are a part of a wider one, where the window has cut it.
  package func withoutPart(of wide: Duration, cutBy window: TimeWindow) -> CandleSeries {
    guard let first = candles.first, first.timestamp <= window.start.adding(width) else { return self }
    return withoutPart(of: wide)
  }

  /// Returns the candles without those at the beginning that are a part of a wider one; all where that leaves none.
  package func withoutPart(of wide: Duration) -> CandleSeries {
    guard Resampling.divides(width, wide) else { return self }
    let whole = candles.drop { $0.timestamp != $0.timestamp.startOfInterval(wide.milliseconds) }
    return whole.isEmpty ? self : with(Array(whole))
  }
}

extension TimeWindow {
  /// Returns the window from the beginning of the interval of `width` in which it begins, in the past to the end of that in which it
  /// ends, but at most until an instant.
  package func onGrid(of width: Duration, until now: Date?) -> TimeWindow {
    let start = start.startOfInterval(width.milliseconds).adding(.milliseconds(-1))
    let whole = end.adding(.milliseconds(-1)).startOfInterval(width.milliseconds).adding(width)
    return TimeWindow(start: start, end: isPast ? max(end, min(whole, now ?? whole)) : end, isPast: isPast)
  }
}

extension Resampling {
  /// The last price of a day in UTC.
  public struct DailyClose: Hashable, Sendable {
    /// The beginning of the day: midnight in UTC.
    public let day: Date

    /// The last price of the day.
    public let price: Decimal

    /// The whole day; nil where only its close is known or requested.
    public let candle: CandleDataPoint?

    /// The earlier day of a price that is carried forward; nil for a price of the day itself.
    package let carriedFrom: Date?

    /// Whether the close may still change: the source had no later price when it was asked, or the day had not ended in
    /// the zone of its market.
    public let isProvisional: Bool

    /// Creates a close.
    public init(
      day: Date, price: Decimal, candle: CandleDataPoint? = nil, carriedFrom: Date? = nil, isProvisional: Bool = false
    ) {
      self.day = day
      self.price = price
      self.candle = candle
      self.carriedFrom = carriedFrom
      self.isProvisional = isProvisional
    }

    /// The day as in ISO 8601: `2025-01-15`.
    package var dateText: String { day.dayText }
  }

  /// Returns the closes of days that have ended at `now`, from a line: the last price after a midnight, up to and
  /// including the next.
  ///
  /// A sample at midnight itself closes the day before, because sources stamp the close of a day like that; of one price
  /// a day, so does one that is late by some minutes. The price of a whole day closes that day. A day without a sample
  /// has no close.
  package static func dailyCloses(_ series: LineSeries, now: Date) -> [DailyClose] {
    if series.isDaily { return closes(series.points.map { ($0.timestamp, $0.price) }, now: now) }
    let areDays = areOfDays(series.points.map(\.timestamp))
    var last = Date.distantPast
    return closes(
      series.points.map { point in
        // The latest price may have come in the minutes since midnight, and a file puts the price of a day among others
        // into its first millisecond.
        let isOfMidnight =
          areDays && point.timestamp.since(last) >= leastOfDay
          && !point.timestamp.isFirstMillisecond
        last = point.timestamp
        return (point.timestamp.adding(isOfMidnight ? .zero - latestOfMidnight : .milliseconds(-1)), point.price)
      }, now: now)
  }

  /// The time by which a source may be late with the price of a midnight.
  private static let latestOfMidnight = Duration.seconds(900)

  /// Returns the closes of days that have ended at `now`, from candles of a day or of a width that divides it.
  package static func dailyCloses(_ series: CandleSeries, now: Date) -> [DailyClose] {
    closes(series.candles.map { ($0.timestamp, $0.close) }, now: now)
  }

  /// Returns the beginning of a day of a line that has one price for each day, at another time than midnight in UTC; nil
  /// for any other line.
  ///
  /// Such a price may be of the day in which it lies or of the day before.
  package static func startOfForeignDays(_ series: LineSeries) -> Date? {
    guard !series.isDaily else { return nil }
    let times = series.points.map(\.timestamp)
    guard areOfDays(times) else { return nil }
    // The last point may be the current price, and sources are late by some minutes.
    let off = times.dropLast().filter { time in
      let time = time.since(time.startOfDay)
      return time > latestOfMidnight && time < .seconds(86_400) - latestOfMidnight
    }
    return off.count * 2 > times.count - 1 ? off.last : nil
  }

  /// Returns the beginning of a day, week or month of candles at another time than midnight in UTC; nil for any other
  /// candles.
  package static func startOfForeignDays(_ series: CandleSeries) -> Date? {
    guard series.width >= .seconds(86_400) else { return nil }
    return series.candles.map(\.timestamp).first { $0 != $0.startOfDay }
  }

  /// The shortest time between the prices of two days, of which one may be late.
  private static let leastOfDay = Duration.seconds(20 * 3600)

  /// Returns whether prices at some instants, which are in order, are usually those of days or of longer.
  package static func areOfDays(_ times: [Date]) -> Bool { usualSpacing(times).map { $0 >= leastOfDay } ?? false }

  /// Returns the median of the time between neighbours; nil for fewer than two instants, which are in order.
  package static func usualSpacing(_ times: [Date]) -> Duration? {
    let spacings = zip(times.dropFirst(), times).map { $0.since($1) }.sorted()
    return spacings.isEmpty ? nil : spacings[spacings.count / 2]
  }

  private static func closes(_ prices: [(instant: Date, price: Decimal)], now: Date) -> [DailyClose] {
    var closes: [DailyClose] = []
    for (instant, price) in prices {
      let day = instant.startOfDay
      guard day.adding(.seconds(86_400)) <= now else { break }
      if closes.last?.day == day { closes.removeLast() }
      closes.append(DailyClose(day: day, price: price))
    }
    return closes
  }
}

extension Date {
  /// The midnight in UTC with which the instant's day begins.
  package var startOfDay: Date { startOfInterval(86_400_000) }

  /// The instant rounded down to a second, as recordings state it.
  package var startOfSecond: Date { startOfInterval(1000) }

  /// Returns the grid line at or before the instant; grid lines are `step` milliseconds apart from 1970-01-01T00:00:00Z
  /// on, those of weeks from the first Monday after it, as ISO 8601 counts weeks.
  package func startOfInterval(_ step: Int64) -> Date {
    let day: Int64 = 86_400_000
    let origin = step.isMultiple(of: 7 * day) ? 4 * day : 0
    let (quotient, remainder) = (milliseconds - origin).quotientAndRemainder(dividingBy: step)
    return Date(milliseconds: (remainder < 0 ? quotient - 1 : quotient) * step + origin)
  }
}

extension [ChartDataPoint] {
  /// Groups neighbours of the same interval.
  fileprivate func chunked(
    by start: (ChartDataPoint) -> Date
  ) -> [(start: Date, samples: ArraySlice<ChartDataPoint>)] {
    var chunks: [(start: Date, samples: ArraySlice<ChartDataPoint>)] = []
    for (index, point) in enumerated() {
      let instant = start(point)
      if let last = chunks.last, last.start == instant {
        chunks[chunks.count - 1].samples = self[last.samples.startIndex...index]
      } else {
        chunks.append((instant, self[index...index]))
      }
    }
    return chunks
  }
}
