package import FoundationEssentials

extension Date {
  /// The text in ISO 8601 and UTC, for JSON and CSV: `2025-01-15T10:30:00Z`, with milliseconds only if they are not
  /// zero.
  package var iso8601: String {
    let time = CivilTime(self)
    return time.dateText + "T" + time.timeText + (time.millisecond == 0 ? "" : ".\(padded(time.millisecond, 3))") + "Z"
  }

  /// The text in ISO 8601 with milliseconds, as JavaScript and CoinGecko write every time: `2025-01-15T10:30:00.000Z`.
  package var iso8601WithMilliseconds: String {
    let time = CivilTime(self)
    return "\(time.dateText)T\(time.timeText).\(padded(time.millisecond, 3))Z"
  }

  /// The text for tables and messages: `2025-01-15 10:30:00Z`.
  package var utcText: String { text(in: .utc) }

  /// Returns the text for tables and messages in a zone: `2025-01-15 11:30:00+01:00`, with a Z in UTC.
  package func text(in zone: ClockZone) -> String {
    let time = zone.civilTime(at: self)
    return time.dateText + " " + time.timeText + offsetText(in: zone)
  }

  /// Returns the text without seconds: `2025-01-15 11:30+01:00`.
  package func minuteText(in zone: ClockZone) -> String {
    let time = zone.civilTime(at: self)
    return time.dateText + " " + padded(time.hour, 2) + ":" + padded(time.minute, 2) + offsetText(in: zone)
  }

  /// Returns the day in a zone: `2025-01-15`.
  package func dayText(in zone: ClockZone) -> String { zone.civilTime(at: self).dateText }

  /// Returns the day of a transaction in a zone: see ``ClockZone/ofDay(_:)``.
  package func bookedDayText(in zone: ClockZone) -> String { dayText(in: zone.ofDay(self)) }

  private func offsetText(in zone: ClockZone) -> String {
    if zone.isUTC { return "Z" }
    let seconds = zone.offset(at: self)
    let ahead = abs(seconds)
    // Before zones were introduced, clocks showed the local solar time to the second.
    let rest = ahead % 60 == 0 ? "" : ":" + padded(ahead % 60, 2)
    return (seconds < 0 ? "-" : "+") + padded(ahead / 3600, 2) + ":" + padded(ahead / 60 % 60, 2) + rest
  }

  /// The day in UTC in ISO 8601: `2025-01-15`.
  package var dayText: String { CivilTime(self).dateText }

  /// The text without seconds for tables and messages: `2025-01-15 10:30Z`.
  package var utcMinuteText: String { minuteText(in: .utc) }

  /// Reads an instant: `2025-01-15`, `2025-01-15T10:30Z`, `2025-01-15 10:30:00.123Z`, `2025-01-15T12:30:00+02:00`.
  ///
  /// A text without `Z` or offset is in UTC. Digits of a second beyond the third are dropped. Nil for any other text.
  package init?(utcText text: some StringProtocol) {
    var text = String(text)
    guard let instant = text.withUTF8({ Self.parse($0) }) else { return nil }
    self = instant
  }

  /// Reads an instant as ``init(utcText:)`` does, but a time without `Z` or offset as what the clocks of a zone show.
  package init?(_ text: String, in zone: ClockZone) {
    var text = text
    guard let instant = text.withUTF8({ Self.parse($0, in: zone) }) else { return nil }
    self = instant
  }

  /// Reads an instant from UTF-8 bytes; see ``init(utcText:)``.
  package init?(utcUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    guard let instant = Self.parse(bytes) else { return nil }
    self = instant
  }

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>, in zone: ClockZone = .utc) -> Date? {
    var reader = DigitReader(bytes: bytes)
    guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
      reader.skip("-"), let day = reader.number(digits: 2)
    else { return nil }
    if reader.isAtEnd { return CivilTime(year: year, month: month, day: day)?.instant }
    guard reader.skip("T") || reader.skip("t") || reader.skip(" "), let hour = reader.number(digits: 2),
      reader.skip(":"), let minute = reader.number(digits: 2)
    else { return nil }
    var second = 0
    var millisecond = 0
    if reader.skip(":") {
      guard let value = reader.number(digits: 2) else { return nil }
      second = value
      if reader.skip(".") {
        guard let value = reader.fraction(places: 3) else { return nil }
        millisecond = value
      }
    }
    let hasOffset = !reader.isAtEnd
    var offsetMinutes = 0
    if hasOffset, !reader.skip("Z"), !reader.skip("z") {
      let isWest = reader.skip("-")
      guard isWest || reader.skip("+"), let hours = reader.number(digits: 2) else { return nil }
      _ = reader.skip(":")
      guard let minutes = reader.number(digits: 2), hours <= 23, minutes <= 59 else { return nil }
      offsetMinutes = (hours * 60 + minutes) * (isWest ? -1 : 1)
    }
    guard reader.isAtEnd,
      let time = CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)
    else { return nil }
    return hasOffset ? time.instant.adding(.seconds(-60 * offsetMinutes)) : zone.instant(of: time)
  }
}

/// A reader of fixed-width numbers.
private struct DigitReader {
  let bytes: UnsafeBufferPointer<UInt8>
  var index = 0

  var isAtEnd: Bool { index == bytes.count }

  mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: scalar) else { return false }
    index += 1
    return true
  }

  mutating func number(digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var value = 0
    for offset in 0..<digits {
      let digit = bytes[index + offset] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      value = value * 10 + Int(digit)
    }
    index += digits
    return value
  }

  /// Reads at least one digit and returns the value of the first `places`, as if the text had that many.
  mutating func fraction(places: Int) -> Int? {
    var value = 0
    var read = 0
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 {
      if read < places { value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0")) }
      read += 1
      index += 1
    }
    guard read > 0 else { return nil }
    for _ in min(read, places)..<places { value *= 10 }
    return value
  }
}

extension CivilTime {
  fileprivate var dateText: String { padded(year, 4) + "-" + padded(month, 2) + "-" + padded(day, 2) }
  fileprivate var timeText: String { padded(hour, 2) + ":" + padded(minute, 2) + ":" + padded(second, 2) }
}

private func padded(_ value: Int, _ width: Int) -> String {
  let digits = String(value)
  return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
