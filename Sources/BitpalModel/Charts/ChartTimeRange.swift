/// A named chart window: how far back, how fine, how long it stays fresh, for which types.
public struct ChartTimeRange: Hashable, Sendable {
  /// The name in commands and settings (`1W`); names are compared without case.
  public let name: String

  /// How far back from now the chart reaches.
  public let window: Duration

  /// How many points are aimed at when the chart is drawn or listed.
  public let points: Int

  /// The candle width wanted; a source may only have a wider one.
  public let candle: Duration

  /// How long a fetched chart counts as fresh.
  public let timeToLive: Duration

  /// For which chart types the range is offered; never empty.
  public let types: Set<ChartType>

  /// Creates a range.
  public init(
    name: String, window: Duration, points: Int, candle: Duration, timeToLive: Duration,
    types: Set<ChartType> = [.line, .candle]
  ) {
    self.name = name
    self.window = window
    self.points = points
    self.candle = candle
    self.timeToLive = timeToLive
    self.types = types
  }

  /// The seven ranges of the origin's chart screen, in order of width.
  ///
  /// `1D` is the default.
  public static let standard: [ChartTimeRange] = [
    range("15M", minutes: 15, points: 15, candleMinutes: 1, ttlMinutes: 1, types: [.candle]),
    range("1H", minutes: 60, points: 60, candleMinutes: 1, ttlMinutes: 1),
    range("4H", minutes: 240, points: 48, candleMinutes: 5, ttlMinutes: 1, types: [.candle]),
    range("1D", minutes: 1440, points: 96, candleMinutes: 15, ttlMinutes: 5),
    range("1W", minutes: 7 * 1440, points: 42, candleMinutes: 240, ttlMinutes: 15),
    range("1M", minutes: 30 * 1440, points: 30, candleMinutes: 1440, ttlMinutes: 30),
    range("1Y", minutes: 365 * 1440, points: 52, candleMinutes: 7 * 1440, ttlMinutes: 60),
  ]

  private static func range(
    _ name: String, minutes: Int, points: Int, candleMinutes: Int, ttlMinutes: Int,
    types: Set<ChartType> = [.line, .candle]
  ) -> ChartTimeRange {
    ChartTimeRange(
      name: name, window: .seconds(60 * minutes), points: points, candle: .seconds(60 * candleMinutes),
      timeToLive: .seconds(60 * ttlMinutes), types: types)
  }
}

extension [ChartTimeRange] {
  /// The range of that name, whatever its case.
  public func named(_ name: String) -> ChartTimeRange? {
    first { $0.name.lowercased() == name.lowercased() }
  }

  /// The range itself when it is offered for `type`, else the offered one with the nearest window.
  ///
  /// Nearest is by ratio, and of two equally near ones the wider: `15M` (of `1H`, `1D`, …) gives `1H`, and so does `4H`.
  /// Nil when no range is offered for `type`.
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
