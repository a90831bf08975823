public import FoundationEssentials

/// Makes a series out of what a source sent: sorted, one row per instant, valid rows only.
///
/// Sources send rows unsorted, twice, with a last stamp that goes backwards, and rows that contradict themselves. Rows
/// that break a rule are dropped and counted, never repaired.
package enum SeriesRules {
  /// A cleaned series and how many rows were dropped because they broke a rule.
  package struct Cleaned<Point: Hashable & Sendable>: Hashable, Sendable {
    /// The rows that remain, by time, each instant once.
    package let points: [Point]

    /// Rows that broke a rule.
    ///
    /// Rows outside a window are not counted, nor is a row that replaces another one of its time at about its price: they
    /// are not wrong.
    package let dropped: Int

    /// The day or instant of the first of them, and its fault; nil where none broke a rule.
    package let fault: String?

    /// Whether there were rows, and all had the price zero, with which some sources say that nothing was traded.
    package let wereZeros: Bool
  }

  /// Sorts points, keeps the last of each instant, drops those whose price is not above zero.
  package static func clean(_ points: [ChartDataPoint]) -> Cleaned<ChartDataPoint> {
    clean(points, price: \.price, keepsEarlier: { _, _ in false }) {
      $0.price > 0 ? nil : "\($0.price.plainText) is not a price"
    }
  }

  /// Sorts candles, keeps one of each instant, drops those whose low or high is not the lowest or highest, or not above
  /// zero.
  ///
  /// Of two candles with volumes it keeps the one with the larger volume, because some sources send the last trades of an
  /// interval as a separate row. Otherwise it keeps the last.
  package static func clean(_ candles: [CandleDataPoint]) -> Cleaned<CandleDataPoint> {
    clean(candles) { earlier, later in
      guard let volume = earlier.volume, let other = later.volume else { return false }
      return volume > other
    }
  }

  private static func clean(
    _ candles: [CandleDataPoint], keepsEarlier: (CandleDataPoint, CandleDataPoint) -> Bool
  ) -> Cleaned<CandleDataPoint> {
    clean(candles, price: \.close, keepsEarlier: keepsEarlier) { candle in
      if let price = [candle.close, candle.low, candle.open].first(where: { $0 <= 0 }) {
        return "\(price.plainText) is not a price"
      }
      let (lowest, highest) = (min(candle.open, candle.close), max(candle.open, candle.close))
      if candle.low > lowest { return "the low \(candle.low.plainText) is above \(lowest.plainText)" }
      return candle.high < highest ? "the high \(candle.high.plainText) is below \(highest.plainText)" : nil
    }
  }

  /// Merges each candle into the one before it if it lies within that one, because sources send the newest trades of a
  /// day or a week as a row of its own.
  ///
  /// A merged candle has no volume, because the two rows may count the same trades. Weeks of 167 hours and months of 28
  /// days do not lie within the candle before them.
  ///
  /// - Parameters:
  ///   - candles: By opening time, each instant once.
  ///   - width: The width of the series.
  package static func merged(_ candles: [CandleDataPoint], width: Duration) -> [CandleDataPoint] {
    let room = width >= .seconds(86_400) ? width.milliseconds / 10 * 9 : width.milliseconds
    var result: [CandleDataPoint] = []
    for candle in candles {
      guard let last = result.last, candle.timestamp.since(last.timestamp).milliseconds < room else {
        result.append(candle)
        continue
      }
      result[result.count - 1] = CandleDataPoint(
        timestamp: last.timestamp, open: last.open, high: max(last.high, candle.high), low: min(last.low, candle.low),
        close: candle.close)
    }
    return result
  }

  /// Returns the points within the window.
  package static func cut(_ points: [ChartDataPoint], to window: TimeWindow) -> [ChartDataPoint] {
    points.filter { window.contains($0.timestamp) }
  }

  /// Returns the part of a line within the window: its points or, where each is the price of a whole day, the days that
  /// overlap it.
  package static func cut(_ line: LineSeries, to window: TimeWindow) -> LineSeries {
    guard line.isDaily else { return line.with(cut(line.points, to: window)) }
    return line.with(line.points.filter { overlaps(window, from: $0.timestamp, width: .seconds(86_400)) })
  }

  /// Returns the candles that overlap the window: those that close after its start and open no later than its end; a
  /// window in the past excludes a candle that opens at its end.
  ///
  /// The candle that is still open stays, and so does the one in which the window begins. A candle of a day or more
  /// counts as that of its days in UTC, at whatever hour of the first one an exchange states its opening.
  package static func cut(_ candles: [CandleDataPoint], width: Duration, to window: TimeWindow) -> [CandleDataPoint] {
    candles.filter { overlaps(window, from: $0.timestamp, width: width) }
  }

  private static func overlaps(_ window: TimeWindow, from opening: Date, width: Duration) -> Bool {
    let isOfDays = width >= .seconds(86_400)
    let (start, window) = (isOfDays ? opening.startOfDay : opening, isOfDays ? window.ofDates : window)
    return start.adding(width) > window.start && (window.isPast ? start < window.end : start <= window.end)
  }

  /// Merges a newer line into an older one: what the newer one covers is as it says, older points stay before its first, and
  /// the result lies within the window.
  ///
  /// The last point of the older line is left out, because it was the price at the time of the request.
  package static func merge(_ older: LineSeries, with newer: LineSeries, in window: TimeWindow) -> LineSeries {
    let first = newer.points.first?.timestamp ?? .distantFuture
    let kept = older.points.dropLast().filter { $0.timestamp < first }
    return cut(newer.with(kept + newer.points), to: window.openEnded)
  }

  /// Merges newer candles into older ones of the same width, as lines; older candles of another width are discarded.
  ///
  /// The last candle of the older series is left out, because it was still open.
  package static func merge(_ older: CandleSeries, with newer: CandleSeries, in window: TimeWindow) -> CandleSeries {
    guard older.width == newer.width else { return newer }
    let first = newer.candles.first?.timestamp ?? .distantFuture
    let kept = older.candles.dropLast().filter { $0.timestamp < first }
    return newer.with(cut(kept + newer.candles, width: newer.width, to: window.openEnded))
  }

  /// Returns the rows in order of time, one of each instant.
  ///
  /// - Parameters:
  ///   - price: Returns the price by which two rows of one instant are compared.
  ///   - keepsEarlier: Returns whether the earlier one of two rows of one instant counts, and not the later one.
  ///   - fault: Returns the rule that a row breaks; nil for a valid row.
  private static func clean<Point: SeriesPoint>(
    _ points: [Point], price: (Point) -> Decimal, keepsEarlier: (Point, Point) -> Bool,
    fault: (Point) -> String?
  ) -> Cleaned<Point> {
    var first: (instant: Date, fault: String)?
    func note(_ point: Point, _ fault: String) {
      if first.map({ point.timestamp < $0.instant }) ?? true { first = (point.timestamp, fault) }
    }
    let valid = points.filter { point in
      guard let fault = fault(point) else { return true }
      note(point, fault)
      return false
    }
    var dropped = points.count - valid.count
    var kept = valid
    if !zip(valid, valid.dropFirst()).allSatisfy({ $0.timestamp < $1.timestamp }) {
      kept = []
      // The standard library's sort is stable, so the last of equal instants stays last.
      for point in valid.sorted(by: { $0.timestamp < $1.timestamp }) {
        guard let last = kept.last, last.timestamp == point.timestamp else {
          kept.append(point)
          continue
        }
        let (chosen, other) = keepsEarlier(last, point) ? (last, point) : (point, last)
        kept[kept.count - 1] = chosen
        guard isFar(price(other), price(chosen)) else { continue }
        dropped += 1
        note(other, "\(price(other).plainText) is far from \(price(chosen).plainText), which has the same time")
      }
    }
    let reason = first.map {
      ($0.instant == $0.instant.startOfDay ? $0.instant.dayText : $0.instant.iso8601) + ": " + $0.fault
    }
    return Cleaned(
      points: kept, dropped: dropped, fault: reason,
      wereZeros: kept.isEmpty && !points.isEmpty && points.allSatisfy { price($0) == 0 })
  }

  /// Returns whether one price is more than a tenth above the other, so that neither is a correction of the other.
  private static func isFar(_ left: Decimal, _ right: Decimal) -> Bool {
    max(left, right).compared(to: min(left, right), times: Decimal(110).hundredths) == .greater
  }
}

/// A row of a series.
private protocol SeriesPoint: Hashable, Sendable {
  var timestamp: Date { get }
}

extension ChartDataPoint: SeriesPoint {}
extension CandleDataPoint: SeriesPoint {}

/// A stretch of time that ends with `end`: `(start, end]`, and with its start where that is an instant that was named.
public struct TimeWindow: Hashable, Sendable {
  /// The beginning; see ``contains(_:)``.
  public let start: Date

  /// The inclusive end.
  public let end: Date

  /// Whether the window ended before now, so that a source's latest prices are not requested.
  package let isPast: Bool

  /// Whether closes of days are requested; a source that has them answers with those.
  package private(set) var isOfCloses = false

  /// Whether it is a part of a window that goes on, so that the last interval in it is whole.
  package private(set) var goesOn = false

  /// Whether the start belongs to the window, because it was named and does not follow from the end.
  package private(set) var includesStart = false

  /// The seconds by which the clocks of the days that were named are ahead of UTC at both ends.
  private var offsetOfStart = 0
  private var offsetOfEnd = 0

  /// Creates a window; an `end` before `start` makes an empty one.
  public init(start: Date, end: Date, isPast: Bool = false) {
    self.start = start
    self.end = end
    self.isPast = isPast
  }

  /// Creates the window of that length which ends at `end`.
  public init(ending end: Date, length: Duration) {
    self.init(start: end.adding(.zero - length), end: end)
  }

  /// The same window with a request for the closes of its days.
  package var ofCloses: TimeWindow {
    var window = self
    window.isOfCloses = true
    return window
  }

  /// Returns the part of the window between two instants.
  package func part(from start: Date, to end: Date) -> TimeWindow {
    var part = TimeWindow(start: start, end: end, isPast: isPast)
    part.goesOn = end < self.end
    return part
  }

  /// Returns the window with an earlier start.
  package func beginningEarlier(by time: Duration) -> TimeWindow {
    var window = TimeWindow(start: start.adding(.zero - time), end: end, isPast: isPast)
    window.includesStart = includesStart
    return window
  }

  /// The window with its start and without an end.
  var openEnded: TimeWindow {
    var window = ending(at: .distantFuture)
    window.includesStart = true
    return window
  }

  private func ending(at end: Date) -> TimeWindow {
    var window = TimeWindow(start: start, end: end)
    (window.includesStart, window.offsetOfStart) = (includesStart, offsetOfStart)
    return window
  }

  /// Returns the window for the points of an answer to it: one that ends now has what came until the answer did, by the
  /// source's clock too.
  package func answered(at instant: Date) -> TimeWindow {
    isPast ? self : ending(at: max(end, instant).adding(Sourced<Answer>.clockTolerance))
  }

  /// Returns the same window with its start in it.
  ///
  /// - Parameter zone: The time zone for the days of its ends.
  package func named(in zone: ClockZone) -> TimeWindow {
    var window = self
    window.includesStart = true
    window.offsetOfStart = zone.offset(at: start)
    window.offsetOfEnd = isPast ? zone.offset(at: end) : 0
    return window
  }

  /// The window for rows of whole days, which have one date in every time zone: its ends by the clocks of the days that were
  /// named, as if they were in UTC.
  package var ofDates: TimeWindow {
    TimeWindow(start: start.adding(.seconds(offsetOfStart)), end: end.adding(.seconds(offsetOfEnd)), isPast: isPast)
  }

  /// Returns the window together with ``ofDates``, until an instant at most: sources have rows of days by their dates, which may
  /// begin earlier and end later.
  package func aroundDates(until now: Date) -> TimeWindow {
    if offsetOfStart == 0, offsetOfEnd == 0 { return self }
    let dates = ofDates
    return TimeWindow(start: min(start, dates.start), end: max(end, min(now, dates.end)), isPast: isPast)
  }

  /// The time from start to end.
  public var length: Duration { end.since(start) }

  /// Whether the window contains every price that ever existed, so that a source sends all that it has.
  package var isAll: Bool { start <= ChartTimeRange.firstDay }

  /// Returns whether the other window lies completely in this one.
  public func covers(_ other: TimeWindow) -> Bool { start <= other.start && end >= other.end }

  /// Returns whether the instant lies in the window.
  public func contains(_ instant: Date) -> Bool {
    (includesStart ? instant >= start : instant > start) && instant <= end
  }
}
