public import FoundationEssentials

extension Resampling {
  /// The last price of a day in UTC.
  public struct DailyClose: Hashable, Sendable {
    /// When the day begins: midnight in UTC.
    public let day: Date

    /// The last price of the day.
    public let price: Decimal

    /// Creates a close.
    public init(day: Date, price: Decimal) {
      self.day = day
      self.price = price
    }

    /// The day as in ISO 8601: `2025-01-15`.
    public var dateText: String { day.dayText }
  }

  /// The closes of days that are over at `now`, out of a line: the last price after a midnight, up to and with the next.
  ///
  /// A sample of midnight itself closes the day before, for that is how sources stamp the close of a day. A day without a
  /// sample has no close.
  public static func dailyCloses(_ points: [ChartDataPoint], now: Date) -> [DailyClose] {
    closes(points.map { ($0.timestamp.adding(.milliseconds(-1)), $0.price) }, now: now)
  }

  /// The closes of days that are over at `now`, out of candles of a day or of a width that divides it.
  public static func dailyCloses(_ series: CandleSeries, now: Date) -> [DailyClose] {
    closes(series.candles.map { ($0.timestamp, $0.close) }, now: now)
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
  public var startOfDay: Date {
    let day: Int64 = 86_400_000
    let (days, rest) = milliseconds.quotientAndRemainder(dividingBy: day)
    return Date(milliseconds: (rest < 0 ? days - 1 : days) * day)
  }
}
