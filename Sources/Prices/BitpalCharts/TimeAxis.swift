import BitpalModel
import FoundationEssentials

/// A scale of time in a time zone, with labels in the unit that suits the span: minutes, hours, days, months or years.
struct TimeAxis {
  /// A labelled instant.
  struct Tick: Equatable {
    let instant: Date
    let label: String
  }

  let start: Date
  let end: Date

  /// The labels by time; at least one, whatever the span.
  let ticks: [Tick]

  /// Creates a scale.
  ///
  /// - Parameters:
  ///   - start: The instant at position 0.
  ///   - end: The instant at position 1.
  ///   - columns: The width of the scale in characters.
  ///   - zone: The time zone in which hours, days and months begin.
  init(start: Date, end: Date, columns: Int, zone: ClockZone = .utc) {
    self.start = start
    self.end = end
    // Local times counted as if they were UTC: then hours and days begin at round numbers.
    let (first, last) = (zone.civilTime(at: start).instant, zone.civilTime(at: end).instant)
    func tick(_ shown: Date, _ unit: Unit) -> Tick {
      Tick(instant: zone.instant(of: CivilTime(shown)), label: Self.label(shown, unit))
    }
    // A label needs its characters and three of space.
    let most = { (width: Int) in max(1, columns / (width + 3)) }
    for step in Self.steps {
      let span = last.milliseconds - first.milliseconds
      // The number is checked first: a year has half a million minutes.
      guard span / step <= most(step < Self.day ? 5 : 6) else { continue }
      let found = Self.multiples(of: step, from: first, to: last)
      if found.count <= most(step < Self.day ? 5 : 6), !found.isEmpty {
        let unit: Unit = step < Self.day ? .time : .day
        ticks = found.map { tick($0, unit) }
        return
      }
      if found.isEmpty { break }
    }
    for months in [1, 2, 3, 6, 12, 24, 60, 120, 240, 600, 1200] {
      let found = Self.months(every: months, from: first, to: last, most: most(4))
      if let found, !found.isEmpty {
        ticks = found.map { tick($0, .month) }
        return
      }
    }
    let isShort = end.milliseconds - start.milliseconds < Self.day
    ticks = [Tick(instant: end, label: Self.label(last, isShort && columns < 12 ? .time : isShort ? .full : .day))]
  }

  /// Returns the position of an instant: 0 at the start, 1 at the end, 0.5 when they are equal.
  func position(_ instant: Date) -> Double {
    let span = end.timeIntervalSince(start)
    return span > 0 ? min(1, max(0, instant.timeIntervalSince(start) / span)) : 0.5
  }

  private enum Unit {
    case time
    case day
    case month

    /// Day and time, for a span too short for either alone.
    case full
  }

  private static let minute: Int64 = 60_000
  private static let day: Int64 = 86_400_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720].map { $0 * minute } + [1, 2, 7, 14].map { $0 * day }

  private static func multiples(of step: Int64, from start: Date, to end: Date) -> [Date] {
    // Weeks begin on Mondays; 1970-01-05 was one.
    let origin = step % (7 * day) == 0 ? 4 * day : 0
    let (from, to) = (start.milliseconds - origin, end.milliseconds - origin)
    let first = (from + step - 1) / step * step
    guard first <= to, from >= 0 else { return [] }
    return stride(from: first, through: to, by: Int64.Stride(step)).map { Date(milliseconds: $0 + origin) }
  }

  /// Returns the beginnings of months; nil when there are more than fit.
  private static func months(every count: Int, from start: Date, to end: Date, most: Int) -> [Date]? {
    let first = CivilTime(start)
    var index = first.year * 12 + first.month - 1
    var found: [Date] = []
    while let month = CivilTime(year: index / 12, month: index % 12 + 1, day: 1)?.instant, month <= end {
      if month >= start, index % count == 0 { found.append(month) }
      if found.count > most { return nil }
      index += 1
    }
    return found
  }

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  private static func label(_ instant: Date, _ unit: Unit) -> String {
    let time = CivilTime(instant)
    let month = monthNames.indices.contains(time.month - 1) ? monthNames[time.month - 1] : ""
    let clock = String(instant.iso8601.dropFirst(11).prefix(5))
    switch unit {
    // At midnight the day changes, so the label names the day.
    case .time: return time.hour == 0 && time.minute == 0 ? "\(time.day) \(month)" : clock
    case .day: return "\(time.day) \(month)"
    // In January the year changes, so the label names the year.
    case .month: return time.month == 1 ? "\(time.year)" : month
    case .full: return "\(time.day) \(month) \(clock)"
    }
  }
}
