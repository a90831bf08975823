public import FoundationEssentials

/// A time zone: the offset of its clocks from UTC at any instant.
///
/// A program without ICU has only GMT among Foundation's zones, so the system's own files are read by
/// `init(name:tzif:)`.
public struct ClockZone: Hashable, Sendable {
  /// UTC itself, for which no file is needed.
  public static let utc = ClockZone(name: "UTC")

  /// The name in the time zone database: `Europe/Berlin`.
  public let name: String

  /// Whether the zone is UTC, whose times are written with a Z.
  public var isUTC: Bool { self == .utc }

  /// The clock changes in ascending order, in seconds since 1970, each with the offset from then on.
  let changes: [Change]

  /// The offset before the first change, in seconds.
  let firstOffset: Int

  /// The rule after the last change.
  let rule: YearlyRule?

  /// A change of the clocks.
  struct Change: Hashable, Sendable {
    let at: Int64
    let offset: Int
  }

  init(name: String, changes: [Change] = [], firstOffset: Int = 0, rule: YearlyRule? = nil) {
    self.name = name
    self.changes = changes
    self.firstOffset = firstOffset
    self.rule = rule
  }

  /// Creates UTC, or a zone with a constant offset: `Z`, `UTC`, `+08:00`, `-03:30`; nil for any other text.
  package init?(offset text: String) {
    if ["utc", "z"].contains(text.lowercased()) {
      self = .utc
      return
    }
    let bytes = Array(text.utf8)
    func number(_ start: Int) -> Int? { Int(String(decoding: bytes[start..<start + 2], as: UTF8.self)) }
    guard bytes.count == 6, let sign = ["+": 1, "-": -1][text.prefix(1)], bytes[3] == UInt8(ascii: ":"),
      let hours = number(1), let minutes = number(4), (0...15).contains(hours), (0...59).contains(minutes)
    else { return nil }
    self.init(name: text, firstOffset: sign * (hours * 3600 + minutes * 60))
  }

  /// Returns the offset of its clocks from UTC at an instant, in seconds; negative in the west.
  public func offset(at instant: Date) -> Int {
    let seconds = instant.secondsRoundedDown
    // The first later change.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: seconds) }
    return low == 0 ? firstOffset : changes[low - 1].offset
  }

  /// Returns the date and time of day that the zone's clocks show at an instant.
  package func civilTime(at instant: Date) -> CivilTime {
    CivilTime(instant.adding(.seconds(offset(at: instant))))
  }

  /// Returns the zone in which the day of a transaction is read.
  ///
  /// A day without a time is kept as its midnight in UTC, and it is that day in every zone. A time is never kept as
  /// midnight, see ``Foundation/Date/withTimeOfDay``.
  package func ofDay(_ instant: Date) -> ClockZone { instant == instant.startOfDay ? .utc : self }

  /// Returns the year of a transaction.
  package func bookedYear(_ instant: Date) -> Int { ofDay(instant).civilTime(at: instant).year }

  /// Returns the instant at which the zone's clocks show that date and time.
  ///
  /// Of two instants it is the first. Where the clocks skip that time, it is as long after the change as the time is
  /// after the beginning of the skipped hour.
  package func instant(of civil: CivilTime) -> Date {
    let local = civil.instant
    return instants(of: civil).first ?? local.adding(.seconds(-offset(at: local.adding(.seconds(-86_400)))))
  }

  /// Returns the instants at which the zone's clocks show that date and time: two in an hour that they repeat, none in one that
  /// they skip.
  package func instants(of civil: CivilTime) -> [Date] {
    let local = civil.instant
    let (before, after) = (offset(at: local.adding(.seconds(-86_400))), offset(at: local.adding(.seconds(86_400))))
    return (before == after ? [before] : [before, after]).compactMap { offset in
      let instant = local.adding(.seconds(-offset))
      return self.offset(at: instant) == offset ? instant : nil
    }
  }

  /// Returns the beginning of the day that contains an instant.
  public func startOfDay(_ instant: Date) -> Date {
    var civil = civilTime(at: instant)
    (civil.hour, civil.minute, civil.second, civil.millisecond) = (0, 0, 0, 0)
    return self.instant(of: civil)
  }

  /// Returns the date that its clocks show at an instant, as midnight of that date in UTC.
  package func day(at instant: Date) -> Date { instant.adding(.seconds(offset(at: instant))).startOfDay }

  /// Returns the beginning of a day of the zone.
  ///
  /// - Parameter day: Midnight of that day in UTC.
  public func midnight(ofDay day: Date) -> Date { instant(of: CivilTime(day)) }

  /// Returns the beginning of the month that contains an instant.
  package func startOfMonth(_ instant: Date) -> Date {
    var civil = civilTime(at: startOfDay(instant))
    civil.day = 1
    return self.instant(of: civil)
  }

  /// Returns the beginning of the year that contains an instant.
  public func startOfYear(_ instant: Date) -> Date {
    guard let first = CivilTime(year: civilTime(at: instant).year, month: 1, day: 1) else { return startOfDay(instant) }
    return self.instant(of: first)
  }
}

/// The yearly clock changes, as in the last line of a zone's file: `CET-1CEST,M3.5.0,M10.5.0/3`.
struct YearlyRule: Hashable, Sendable {
  /// A day of the year and a time of that day.
  struct Moment: Hashable, Sendable {
    enum Day: Hashable, Sendable {
      /// The weekday (0 is Sunday) of the week (5 is the last) of the month.
      case weekday(month: Int, week: Int, weekday: Int)

      /// A day of the year, 1…365, without February 29.
      case julian(Int)

      /// A day of the year, 0…365, with February 29.
      case ordinal(Int)
    }

    let day: Day

    /// The seconds after midnight by the clocks before the change; they may lie in another day.
    let time: Int
  }

  /// The offset from UTC in winter, in seconds.
  let standard: Int

  /// The offset, beginning and end of summer time; nil for zones without.
  let summer: Summer?

  struct Summer: Hashable, Sendable {
    let offset: Int
    let start: Moment
    let end: Moment
  }

  func offset(at seconds: Int64) -> Int {
    guard let summer else { return standard }
    let year = CivilTime(Date(milliseconds: (seconds + Int64(standard)) * 1000)).year
    let start = summer.start.seconds(in: year) - Int64(standard)
    let end = summer.end.seconds(in: year) - Int64(summer.offset)
    // In the southern hemisphere, summer begins in one year and ends in the next.
    let isSummer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end
    return isSummer ? summer.offset : standard
  }
}

extension YearlyRule.Moment {
  /// Returns the instant in a year, taken as UTC.
  fileprivate func seconds(in year: Int) -> Int64 {
    func midnight(_ month: Int, _ day: Int) -> Int64 {
      (CivilTime(year: year, month: month, day: day)?.instant ?? .distantPast).secondsRoundedDown
    }
    let first = midnight(1, 1)
    let isLeap = CivilTime(year: year, month: 2, day: 29) != nil
    var days: Int64
    switch day {
    case .ordinal(let ordinal):
      days = first / 86_400 + Int64(ordinal)
    case .julian(let julian):
      days = first / 86_400 + Int64(julian - (isLeap && julian >= 60 ? 0 : 1))
    case .weekday(let month, let week, let weekday):
      let start = midnight(month, 1) / 86_400
      // 1970-01-01 was a Thursday.
      days = start + (Int64(weekday) - (start + 4) % 7 + 7) % 7 + Int64(7 * (week - 1))
      let next = month == 12 ? midnight(12, 31) / 86_400 + 1 : midnight(month + 1, 1) / 86_400
      if days >= next { days -= 7 }
    }
    return days * 86_400 + Int64(time)
  }
}

extension Date {
  /// The instant of a transaction whose time of day is known.
  ///
  /// Midnight in UTC means a day without a time, see ``ClockZone/ofDay(_:)``, so a time that falls on it is kept as the
  /// first millisecond after it.
  package var withTimeOfDay: Date { self == startOfDay ? adding(.milliseconds(1)) : self }

  /// Whether it is in the first millisecond of its day, where ``withTimeOfDay`` puts a midnight.
  package var isFirstMillisecond: Bool { since(startOfDay) == .milliseconds(1) }

  /// The whole seconds since 1970, rounded down.
  package var secondsRoundedDown: Int64 {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
