package import FoundationEssentials

/// A date of a file: an instant, a day, or three numbers whose order is still unknown.
///
/// A date that begins with four digits has the order year, month, day. A time without an offset is local.
package enum ImportDate: Hashable, Sendable {
  case instant(Date)

  /// A date without a time, which is that day in every zone.
  case day(Date)

  /// A date and a time without an offset, as if it were UTC.
  case local(Date)

  /// Three numbers and the time since midnight, nil for none; small ones, because each row of a file has a date.
  case numbers(first: Int16, second: Int16, third: Int16, hasFullYear: Bool, isLocal: Bool, time: Duration?)

  /// Reads `2025-01-17 16:57:02 UTC`, `17.01.2025 16:57`, `1/17/2025 4:57:02 PM`; nil for anything else.
  package init?(_ text: String) {
    var text = text
    guard let date = text.withUTF8({ Self.read($0) }) else { return nil }
    self = date
  }

  /// Returns the instant of the date with its parts in that order; nil if the calendar does not have that day.
  ///
  /// - Parameter zone: The time zone of a local time.
  package func instant(in order: DateOrder, zone: ClockZone = .utc) -> Date? {
    func placed(_ date: Date) -> Date { (zone == .utc ? date : zone.instant(of: CivilTime(date))).withTimeOfDay }
    let (first, second, third, hasFullYear, time, isLocal): (Int, Int, Int, Bool, Duration?, Bool)
    switch self {
    case .instant(let date): return date.withTimeOfDay
    case .day(let date): return date
    case .local(let date): return placed(date)
    case .numbers(let a, let b, let c, let full, let local, let since):
      (first, second, third, hasFullYear, time, isLocal) = (Int(a), Int(b), Int(c), full, since, local)
    }
    let day: (year: Int, month: Int, day: Int) =
      switch order {
      case .dmy: (third, second, first)
      case .mdy: (third, first, second)
      case .ymd: (first, second, third)
      }
    if hasFullYear, order == .ymd { return nil }
    // Coins have existed only since this century.
    let year = hasFullYear ? day.year : 2000 + day.year
    guard let date = CivilTime(year: year, month: day.month, day: day.day)?.instant else { return nil }
    guard let time else { return date }
    return isLocal ? placed(date.adding(time)) : date.adding(time).withTimeOfDay
  }

  /// Whether the date has a time of day.
  package var hasTimeOfDay: Bool {
    switch self {
    case .instant, .local: true
    case .day: false
    case .numbers(_, _, _, _, _, let time): time != nil
    }
  }

  /// Whether the date has a time of day without an offset, other than midnight.
  package var isLocalTime: Bool {
    switch self {
    case .instant, .day: false
    case .local(let date): date != date.startOfDay
    case .numbers(_, _, _, _, let isLocal, let time): isLocal && time != .zero && time != nil
    }
  }

  /// The date as a day if it has no time, or midnight without an offset, as spreadsheets write days; nil for any other
  /// time.
  package var asDay: ImportDate? {
    switch self {
    case .day: self
    case .instant: nil
    case .local(let date): date == date.startOfDay ? .day(date) : nil
    case .numbers(let first, let second, let third, let hasFullYear, let isLocal, let time):
      time == nil || isLocal && time == .zero
        ? .numbers(
          first: first, second: second, third: third, hasFullYear: hasFullYear, isLocal: isLocal, time: nil) : nil
    }
  }

  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> ImportDate? {
    var reader = Reader(bytes: bytes)
    if let day = reader.wholeDay() { return reader.time().map { dated(day, $0) } }
    guard let first = reader.number(atMost: 4) else { return nil }
    let separator = reader.byte
    guard let separator, "-/.".utf8.contains(separator) else { return nil }
    reader.index += 1
    guard let second = reader.number(atMost: 2), reader.skip(separator), let third = reader.number(atMost: 4) else {
      return nil
    }
    guard let time = reader.time() else { return nil }
    if first.digits == 4 {
      guard third.digits <= 2, let day = CivilTime(year: first.value, month: second.value, day: third.value) else {
        return nil
      }
      return dated(day.instant, time)
    }
    guard first.digits <= 2, third.digits == 2 || third.digits == 4 else { return nil }
    return .numbers(
      first: Int16(clamping: first.value), second: Int16(clamping: second.value), third: Int16(clamping: third.value),
      hasFullYear: third.digits == 4, isLocal: time.isLocal, time: time.since)
  }

  private static func dated(_ day: Date, _ time: (since: Duration?, isLocal: Bool)) -> ImportDate {
    guard let since = time.since else { return .day(day) }
    return time.isLocal ? .local(day.adding(since)) : .instant(day.adding(since))
  }

  /// A cursor over the text of a date.
  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    var index = 0

    var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func skip(_ wanted: UInt8) -> Bool {
      guard byte == wanted else { return false }
      index += 1
      return true
    }

    mutating func skip(_ word: StaticString) -> Bool {
      let count = word.utf8CodeUnitCount
      guard index + count <= bytes.count else { return false }
      for offset in 0..<count where bytes[index + offset] & 0xDF != word.utf8Start[offset] { return false }
      index += count
      return true
    }

    mutating func number(atMost most: Int) -> (value: Int, digits: Int)? {
      var value = 0
      var digits = 0
      while digits < most, let byte, byte &- UInt8(ascii: "0") <= 9 {
        value = value * 10 + Int(byte &- UInt8(ascii: "0"))
        digits += 1
        index += 1
      }
      return digits > 0 ? (value, digits) : nil
    }

    /// Reads a day such as `20250117`; nil, without moving, for any other text.
    mutating func wholeDay() -> Date? {
      let digits = bytes[index...].prefix { $0 &- UInt8(ascii: "0") <= 9 }
      guard digits.count == 8, let year = number(atMost: 4), let month = number(atMost: 2), let day = number(atMost: 2),
        let time = CivilTime(year: year.value, month: month.value, day: day.value)
      else {
        index = 0
        return nil
      }
      return time.instant
    }

    mutating func skipSpaces() {
      while byte == UInt8(ascii: " ") { index += 1 }
    }

    /// Reads the time after a day, since its beginning in UTC or, without an offset, in local time; nil for any other text.
    mutating func time() -> (since: Duration?, isLocal: Bool)? {
      _ = skip(UInt8(ascii: ","))
      if !skip("T") { skipSpaces() }
      guard index < bytes.count else { return (nil, true) }
      guard var hour = number(atMost: 2)?.value, skip(UInt8(ascii: ":")), let minute = number(atMost: 2)?.value else {
        return nil
      }
      var milliseconds = 0
      if skip(UInt8(ascii: ":")) {
        guard let second = number(atMost: 2)?.value, second <= 60 else { return nil }
        milliseconds = min(second, 59) * 1000
        if skip(UInt8(ascii: ".")) {
          guard let fraction = number(atMost: 3) else { return nil }
          milliseconds += fraction.value * [1, 100, 10, 1][fraction.digits]
          while number(atMost: 4) != nil {}
        }
      }
      skipSpaces()
      if let half = skip("AM") ? 0 : skip("PM") ? 12 : nil {
        guard (1...12).contains(hour) else { return nil }
        hour = hour % 12 + half
        skipSpaces()
      }
      let isLocal = index == bytes.count
      guard hour <= 23, minute <= 59, let offset = offset(), index == bytes.count else { return nil }
      return (.milliseconds((hour * 60 + minute - offset) * 60_000 + milliseconds), isLocal)
    }

    /// Reads an offset in minutes ahead of UTC; 0 where the text has none.
    private mutating func offset() -> Int? {
      if index == bytes.count || skip("UTC") || skip("GMT") || skip("Z") { return 0 }
      let isWest = skip(UInt8(ascii: "-"))
      guard isWest || skip(UInt8(ascii: "+")), let hours = number(atMost: 2)?.value else { return nil }
      _ = skip(UInt8(ascii: ":"))
      let minutes = number(atMost: 2)?.value ?? 0
      guard hours <= 23, minutes <= 59 else { return nil }
      return (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
  }
}
