public import FoundationEssentials

/// A time zone: how far its clocks are ahead of UTC at any instant.
///
/// Of Foundation's zones a program without ICU has only GMT, so the system's own files are read:
/// `init(name:tzif:)` reads one.
public struct ClockZone: Hashable, Sendable {
  /// UTC itself, for which no file is needed.
  public static let utc = ClockZone(name: "UTC")

  /// Its name in the time zone database: `Europe/Berlin`.
  public let name: String

  /// Whether it is UTC, whose times are written with a Z.
  public var isUTC: Bool { self == .utc }

  /// The clock changes, in seconds since 1970, ascending, each with the offset that holds from then on.
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

  /// Creates UTC, or a zone whose clocks are always as far ahead: `Z`, `UTC`, `+08:00`, `-03:30`; nil for any other text.
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
    // The first change that is yet to come.
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if changes[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    if low == changes.count, let rule { return rule.offset(at: seconds) }
    return low == 0 ? firstOffset : changes[low - 1].offset
  }

  /// The date and time of day that its clocks show at an instant.
  package func civilTime(at instant: Date) -> CivilTime {
    CivilTime(instant.adding(.seconds(offset(at: instant))))
  }

  /// The instant at which its clocks show that date and time.
  ///
  /// Of two the first; where the clocks jump over it, as long after the jump as it is after the jump's beginning.
  package func instant(of civil: CivilTime) -> Date {
    let local = civil.instant
    let day = Duration.seconds(86_400)
    let (before, after) = (offset(at: local.adding(.zero - day)), offset(at: local.adding(day)))
    let first = local.adding(.seconds(-before))
    if offset(at: first) == before { return first }
    let second = local.adding(.seconds(-after))
    return offset(at: second) == after ? second : first
  }

  /// The instant with which the day begins in which an instant lies.
  public func startOfDay(_ instant: Date) -> Date {
    var civil = civilTime(at: instant)
    (civil.hour, civil.minute, civil.second, civil.millisecond) = (0, 0, 0, 0)
    return self.instant(of: civil)
  }

  /// Returns the date that its clocks show at an instant, as midnight of that date in UTC.
  package func day(at instant: Date) -> Date { instant.adding(.seconds(offset(at: instant))).startOfDay }

  /// The instant with which a day of the zone begins.
  ///
  /// - Parameter day: Midnight of that day in UTC.
  public func midnight(ofDay day: Date) -> Date { instant(of: CivilTime(day)) }

  /// The instant with which the year begins in which an instant lies.
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

      /// 1…365, February 29 never counted.
      case julian(Int)

      /// 0…365, February 29 counted.
      case ordinal(Int)
    }

    let day: Day

    /// Seconds after midnight, by the clocks before the change; may lie in another day.
    let time: Int
  }

  /// Seconds ahead of UTC in winter.
  let standard: Int

  /// Summer time: how far ahead, from when to when; nil for zones without.
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
    // In the south summer begins in one year and ends in the next.
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
  var secondsRoundedDown: Int64 {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: 1000)
    return remainder < 0 ? quotient - 1 : quotient
  }
}
