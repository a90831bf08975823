package import FoundationEssentials

/// Writing instants in the notation of a pattern.
extension TimePattern {
  /// Returns the instant in the notation of the pattern, in UTC.
  package func text(of instant: Date) -> String {
    let time = CivilTime(instant)
    var bytes: [UInt8] = []
    func append(_ number: Int, digits: Int) {
      let plain = Array(String(max(0, number)).utf8)
      bytes += Array(repeating: UInt8(ascii: "0"), count: max(0, digits - plain.count)) + plain
    }
    func append(_ name: String, isShort: Bool) { bytes += isShort ? Array(name.utf8.prefix(3)) : Array(name.utf8) }
    for step in steps {
      switch step {
      case .literal(let byte): bytes.append(byte)
      case .number(.year, let digits): append(time.year, digits: digits.lowerBound)
      case .number(.month, let digits): append(time.month, digits: digits.lowerBound)
      case .number(.day, let digits): append(time.day, digits: digits.lowerBound)
      case .number(.hour, let digits): append(time.hour, digits: digits.lowerBound)
      case .number(.hourOfHalf, let digits): append((time.hour + 11) % 12 + 1, digits: digits.lowerBound)
      case .number(.minute, let digits): append(time.minute, digits: digits.lowerBound)
      case .number(.second, let digits): append(time.second, digits: digits.lowerBound)
      case .number: break
      case .shortYear: append(time.year % 100, digits: 2)
      case .fraction(let count):
        let digits = String(1000 + time.millisecond).dropFirst() + String(repeating: "0", count: max(0, count - 3))
        bytes += digits.utf8.prefix(count)
      case .monthName(let isShort): append(Self.months[time.month - 1], isShort: isShort)
      case .weekday(let isShort):
        // The first day of 1970 was a Thursday, and the week begins on Monday.
        let days = Int((instant.startOfDay.milliseconds / 86_400_000) % 7)
        append(Self.weekdays[(days + 3 + 7) % 7], isShort: isShort)
      case .half: append(time.hour < 12 ? "AM" : "PM", isShort: false)
      case .offset: bytes.append(UInt8(ascii: "Z"))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
