package import FoundationEssentials

/// Reading instants in the notation of a pattern.
extension TimePattern {
  /// Returns the instant of a text; nil if the text does not match the pattern, or is not a time of the calendar.
  package func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = Reader(bytes: bytes)
    for step in steps {
      guard reader.read(step) else { return nil }
    }
    return reader.isAtEnd ? reader.instant : nil
  }

  /// Returns the date of a text in a file: a day, an instant, or a local time where the pattern has no offset; nil as for
  /// ``instant(_:)``.
  package func importDate(_ bytes: UnsafeBufferPointer<UInt8>) -> ImportDate? {
    instant(bytes).map { hasTimeOfDay ? (steps.contains(.offset) ? .instant($0) : .local($0)) : .day($0) }
  }

  /// A cursor that follows the steps of a pattern through a text.
  private struct Reader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var year = 0
    private var month = 0
    private var day = 0
    private var hour = 0
    private var hourOfHalf: Int?
    private var isAfternoon = false
    private var minute = 0
    private var second = 0
    private var millisecond = 0
    private var offsetMinutes = 0

    /// Whether what was read last is the short name of a month: a point may follow it, and where the whole name was read, the
    /// point of the pattern is missing.
    private var isBehindMonth = false

    init(bytes: UnsafeBufferPointer<UInt8>) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    /// The instant; nil if the parts are not a time of the calendar.
    var instant: Date? {
      var hour = hour
      if let hourOfHalf {
        guard (1...12).contains(hourOfHalf) else { return nil }
        hour = hourOfHalf % 12 + (isAfternoon ? 12 : 0)
      }
      return CivilTime(
        year: year, month: month, day: day, hour: hour, minute: minute, second: second, millisecond: millisecond)?
        .instant.adding(.seconds(-60 * offsetMinutes))
    }

    mutating func read(_ step: Step) -> Bool {
      let point = UInt8(ascii: ".")
      if isBehindMonth {
        isBehindMonth = false
        let hasPoint = skip(point)
        if step == .literal(point) { return hasPoint || !isAtEnd && bytes[index] == UInt8(ascii: " ") }
      }
      switch step {
      case .literal(let byte): return skip(byte)
      case .number(let part, let digits):
        guard let value = number(digits) else { return false }
        set(part, value)
        return true
      case .shortYear:
        guard let value = number(2...2) else { return false }
        year = value < 70 ? 2000 + value : 1900 + value
        return true
      case .fraction(let count):
        guard let value = number(count...count) else { return false }
        var rest = value
        for _ in 3..<max(3, count) { rest /= 10 }
        for _ in min(3, count)..<3 { rest *= 10 }
        millisecond = rest
        return true
      case .monthName(let isShort):
        // British English has "Sept", and some programs write short names in full.
        guard
          let found = name(of: TimePattern.months, false)
            ?? (isShort ? name(of: ["Sept"], false).map { _ in 8 } ?? name(of: TimePattern.months, true) : nil)
        else { return false }
        month = found + 1
        isBehindMonth = isShort
        return true
      case .weekday(let isShort): return name(of: TimePattern.weekdays, isShort) != nil
      case .half:
        guard let found = name(of: ["AM", "PM"], false) else { return false }
        isAfternoon = found == 1
        return true
      case .offset: return offset()
      }
    }

    private mutating func set(_ part: Part, _ value: Int) {
      switch part {
      case .year: year = value
      case .month: month = value
      case .day: day = value
      case .hour: hour = value
      case .hourOfHalf: hourOfHalf = value
      case .minute: minute = value
      case .second: second = value
      case .half, .fraction, .weekday, .offset: break
      }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
      return true
    }

    private mutating func number(_ digits: ClosedRange<Int>) -> Int? {
      var value = 0
      var count = 0
      while count < digits.upperBound, index < bytes.count, bytes[index] &- UInt8(ascii: "0") <= 9 {
        value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
        index += 1
        count += 1
      }
      return count >= digits.lowerBound ? value : nil
    }

    /// Reads one of the names, in any case, and returns its index; nil if the text has none.
    private mutating func name(of names: [String], _ isShort: Bool) -> Int? {
      for (position, name) in names.enumerated() {
        let letters = isShort ? name.utf8.prefix(3) : name.utf8[...]
        guard index + letters.count <= bytes.count,
          zip(bytes[index...], letters).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { continue }
        index += letters.count
        return position
      }
      return nil
    }

    /// Reads an offset: `Z`, `UTC`, `GMT`, `+1`, `+01`, `+0100` or `+01:00`.
    private mutating func offset() -> Bool {
      if skip(UInt8(ascii: "Z")) || name(of: ["UTC", "GMT"], false) != nil { return true }
      let isWest = skip(UInt8(ascii: "-"))
      guard isWest || skip(UInt8(ascii: "+")), let hours = number(1...2), hours <= 23 else { return false }
      var minutes = 0
      if skip(UInt8(ascii: ":")) || index < bytes.count && bytes[index] &- UInt8(ascii: "0") <= 9 {
        guard let value = number(2...2), value <= 59 else { return false }
        minutes = value
      }
      offsetMinutes = (hours * 60 + minutes) * (isWest ? -1 : 1)
      return true
    }
  }
}
