public import FoundationEssentials

/// A named chart window, with its length, its resolution, its time to live and its chart types.
public struct ChartTimeRange: Hashable, Sendable {
  /// The name in commands and settings (`1W`); names are compared without case.
  public let name: String

  /// The time from the end of the chart back to its beginning, where ``beginning`` does not say otherwise.
  public let window: Duration

  /// The intended number of points of a chart that is drawn or listed.
  public let points: Int

  /// The intended width of candles; a source may have only a wider one.
  public let candle: Duration

  /// The time for which a fetched chart counts as fresh.
  public let timeToLive: Duration

  /// The chart types for which the range is offered; never empty.
  public let types: Set<ChartType>

  /// The beginning of the chart.
  public let beginning: Beginning

  /// The end of the chart; nil for now.
  public let end: Date?

  /// Whether the change is counted from the last price before the beginning, as that of a year is.
  package private(set) var countsFromBefore = false

  /// The time zone for the days of the ends that were named.
  private var zone = ClockZone.utc

  /// The ways to state the beginning of a chart.
  public enum Beginning: Hashable, Sendable {
    /// The range begins one window before its end.
    case windowAgo

    /// The range begins at the first midnight of the year.
    case newYear

    /// The range begins with the first price of the coin.
    case ever

    /// The range begins at that instant.
    case at(Date)
  }

  /// Creates a range.
  public init(
    name: String, window: Duration, points: Int, candle: Duration, timeToLive: Duration,
    types: Set<ChartType> = [.line, .candle], beginning: Beginning = .windowAgo, end: Date? = nil
  ) {
    self.name = name
    self.window = window
    self.points = points
    self.candle = candle
    self.timeToLive = timeToLive
    self.types = types
    self.beginning = beginning
    self.end = end
  }

  /// The ranges that need no settings: the seven of the origin's chart screen in order of width, and longer ones.
  ///
  /// `1D` is the default.
  public static let standard: [ChartTimeRange] = [
    range("15M", minutes: 15, points: 15, candleMinutes: 1, ttlMinutes: 1, types: [.candle]),
    range("1H", minutes: 60, points: 60, candleMinutes: 1, ttlMinutes: 1),
    range("4H", minutes: 240, points: 48, candleMinutes: 5, ttlMinutes: 1, types: [.candle]),
    range("1D", minutes: 1440, points: 96, candleMinutes: 15, ttlMinutes: 5),
    range("1W", minutes: 7 * 1440, points: 42, candleMinutes: 240, ttlMinutes: 15),
    range("1M", minutes: 30 * 1440, points: 30, candleMinutes: 1440, ttlMinutes: 30),
    range("3M", minutes: 90 * 1440, points: 90, candleMinutes: 1440, ttlMinutes: 60),
    range("6M", minutes: 180 * 1440, points: 90, candleMinutes: 1440, ttlMinutes: 60),
    range("YTD", minutes: 365 * 1440, points: 90, candleMinutes: 1440, ttlMinutes: 60, beginning: .newYear),
    range("1Y", minutes: 365 * 1440, points: 52, candleMinutes: 7 * 1440, ttlMinutes: 60),
    range("5Y", minutes: 1826 * 1440, points: 130, candleMinutes: 7 * 1440, ttlMinutes: 360),
    range("MAX", minutes: 1826 * 1440, points: 130, candleMinutes: 7 * 1440, ttlMinutes: 360, beginning: .ever),
  ]

  /// The longest time to live of the ``standard`` ranges, known without creating them: 6 h.
  package static let longestStandardTimeToLive = Duration.seconds(6 * 3600)

  private static func range(
    _ name: String, minutes: Int, points: Int, candleMinutes: Int, ttlMinutes: Int,
    types: Set<ChartType> = [.line, .candle], beginning: Beginning = .windowAgo
  ) -> ChartTimeRange {
    ChartTimeRange(
      name: name, window: .seconds(60 * minutes), points: points, candle: .seconds(60 * candleMinutes),
      timeToLive: .seconds(60 * ttlMinutes), types: types, beginning: beginning)
  }
}

extension ChartTimeRange {
  /// The day of the first block of the first coin: before it no coin had a price.
  public static let firstDay = Date(milliseconds: 1_230_940_800_000)

  /// The day with which a range of everything begins: 1 January 1900, before which sources have no prices of shares.
  package static let earliestDay = Date(milliseconds: -2_208_988_800_000)

  /// Returns the range from one instant to another, or to now, with a resolution that suits its length.
  ///
  /// A range that has ended does not change, and stays fresh for long.
  public static func between(_ start: Date, _ end: Date?, now: Date, name: String) -> ChartTimeRange {
    between(start, end, now: now, name: name, in: .utc)
  }

  /// Returns the range of ``between(_:_:now:name:)`` whose ends are days or times of a zone.
  package static func between(
    _ start: Date, _ end: Date?, now: Date, name: String, in zone: ClockZone
  ) -> ChartTimeRange {
    let length = (end ?? now).since(start)
    let isSettled = end.map { now.since($0) > .seconds(86_400) } ?? false
    var range = ChartTimeRange(
      name: name, window: length, points: 96, candle: candle(for: length),
      timeToLive: isSettled ? .seconds(30 * 86_400) : .seconds(300), beginning: .at(start), end: end)
    range.zone = zone
    return range
  }

  /// Returns the range of a length that ends now, with a resolution that suits it.
  package static func lasting(_ length: Duration, now: Date, name: String) -> ChartTimeRange {
    let range = between(now.adding(.zero - length), nil, now: now, name: name)
    return ChartTimeRange(
      name: name, window: length, points: range.points, candle: range.candle, timeToLive: range.timeToLive)
  }

  /// The longest length of a range.
  package static let longest = Duration.seconds(36_500 * 86_400)

  /// Reads a length in hours, days, weeks or years of 365 days, such as `7d`, in any case; nil for any other text.
  ///
  /// A length in minutes is not one, because `1M` is a month.
  package static func length(_ text: String) -> Duration? {
    let text = text.lowercased()
    let length: Duration?
    switch text.last {
    case "h", "d", "w": length = Duration(unitText: text)
    case "y": length = Duration(unitText: text.dropLast() + "d").map { $0 * 365 }
    default: length = nil
    }
    return length.flatMap { $0 > .zero && $0 <= longest ? $0 : nil }
  }

  /// Returns the range with an instant as its beginning where it begins with the year.
  ///
  /// - Parameter zone: The time zone for year boundaries.
  package func standing(at now: Date, in zone: ClockZone) -> ChartTimeRange {
    guard beginning == .newYear else { return self }
    let start = zone.startOfYear(now)
    let length = now.since(start)
    var range = ChartTimeRange(
      name: name, window: length, points: points, candle: min(candle, Self.candle(for: length)),
      timeToLive: timeToLive, types: types, beginning: .at(start))
    range.countsFromBefore = true
    range.zone = zone
    return range
  }

  /// Returns the same range with candles of another width.
  public func with(candle: Duration) -> ChartTimeRange {
    var range = ChartTimeRange(
      name: name, window: window, points: points, candle: candle, timeToLive: timeToLive, types: types,
      beginning: beginning, end: end)
    (range.countsFromBefore, range.zone) = (countsFromBefore, zone)
    return range
  }

  /// Returns the window of time from beginning to end; a year that has not been placed in a zone begins in UTC.
  public func timeWindow(at now: Date) -> TimeWindow {
    let isPast = end.map { $0 <= now } ?? false
    let end = end ?? now
    return switch beginning {
    case .windowAgo: TimeWindow(start: end.adding(.zero - window), end: end, isPast: isPast)
    case .newYear: TimeWindow(start: ClockZone.utc.startOfYear(now), end: end, isPast: isPast)
    case .ever: TimeWindow(start: Self.earliestDay, end: end, isPast: isPast)
    case .at(let start): TimeWindow(start: start, end: end, isPast: isPast).named(in: zone)
    }
  }

  /// The text that identifies the range's answers in the cache; it is the same as long as they can be merged.
  package var keyText: String {
    let start =
      switch beginning {
      case .windowAgo: end == nil ? window.unitText : "\(window.unitText) before"
      case .newYear: "year"
      case .ever: "ever"
      case .at(let start): start.iso8601
      }
    return end.map { start + ".." + $0.iso8601 } ?? start
  }

  /// The range as titles and screen readers name it: `one week`, `36 hours`, `this year`, `all of it`.
  ///
  /// A range from one day to another keeps its name, which is a phrase already.
  package var spelledOut: String {
    switch beginning {
    case .windowAgo: window.spelledOut
    case .newYear: "this year"
    // No name in the settings has a space, so any other range that begins at an instant begins with the year.
    case .at: name.contains(" ") ? name : "this year"
    case .ever: "all of it"
    }
  }

  /// Returns the usual width with which a chart of that length has about a hundred candles.
  private static func candle(for length: Duration) -> Duration {
    let widths = [60, 300, 900, 3600, 14_400, 86_400].map { Duration.seconds($0) }
    return widths.first { length <= $0 * 200 } ?? .seconds(7 * 86_400)
  }
}

extension Duration {
  /// The length in the largest unit that divides it, with the months of the standard ranges: `15 minutes`, `three months`.
  fileprivate var spelledOut: String {
    let (minutes, days) = (milliseconds / 60_000, milliseconds / 86_400_000)
    guard milliseconds % 86_400_000 == 0, days > 0 else {
      if milliseconds % 60_000 != 0 || minutes == 0 { return unitText }
      return minutes % 60 == 0 ? Self.counted(minutes / 60, "hour") : Self.counted(minutes, "minute")
    }
    let years = days / 365
    // Every fourth year has a day more.
    if years > 0, days % 365 <= (years + 3) / 4 { return Self.counted(years, "year") }
    if [30, 90, 180].contains(days) { return Self.counted(days / 30, "month") }
    return days % 7 == 0 ? Self.counted(days / 7, "week") : Self.counted(days, "day")
  }

  private static func counted(_ count: Int64, _ unit: String) -> String {
    let numbers = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    let number = count <= numbers.count ? numbers[Int(count) - 1] : "\(count)"
    return number + " " + unit + (count == 1 ? "" : "s")
  }
}

extension [ChartTimeRange] {
  /// Returns the range of that name, compared without case, or of that length: `24h`, `7d`, `30d`.
  public func named(_ name: String) -> ChartTimeRange? {
    if let range = first(where: { $0.name.lowercased() == name.lowercased() }) { return range }
    return ChartTimeRange.length(name).flatMap(lasting)
  }

  /// Returns the range of a length that ends now; nil for none.
  package func lasting(_ length: Duration) -> ChartTimeRange? {
    first { $0.beginning == .windowAgo && $0.end == nil && $0.window == length }
  }

  /// Returns the range itself if it is offered for `type`, otherwise the offered one with the nearest window.
  ///
  /// The ratio of the windows decides, and of two equally near ones the wider is chosen: `15M` (of `1H`, `1D`, …) gives
  /// `1H`, and so does `4H`. Nil if no range is offered for `type`.
  public func closest(to range: ChartTimeRange, for type: ChartType) -> ChartTimeRange? {
    if range.types.contains(type) { return range }
    func distance(_ other: ChartTimeRange) -> Double {
      let (left, right) = (range.window.milliseconds, other.window.milliseconds)
      return left > 0 && right > 0 ? Double(Swift.max(left, right)) / Double(Swift.min(left, right)) : .infinity
    }
    return filter { $0.types.contains(type) }
      .min { (distance($0), -$0.window.milliseconds) < (distance($1), -$1.window.milliseconds) }
  }
}

/// The two kinds of chart.
public enum ChartType: String, CaseIterable, Hashable, Sendable {
  /// A price at each point in time.
  case line

  /// Open, high, low and close of each interval.
  case candle
}
