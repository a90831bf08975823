package import FoundationEssentials

/// How a source writes instants, in what it says and in what it is asked, in the letters that Unicode has for it (UTS 35): `dd.MM.yyyy HH:mm Z`.
///
/// `y M d` are the day, `H` or `h a` the hour, `m s S` the rest, `E` the weekday, `Z X x` an offset from UTC; `MMM` and
/// `MMMM` are English month names. What stands between apostrophes, and what is no letter, stands for itself. Without an
/// offset the time is UTC. Two digits of a year are of 1970 to 2069.
public struct TimePattern: Hashable, Sendable {
  /// The pattern as it was written.
  public let text: String

  private let steps: [Step]

  /// A stretch of a pattern that has no meaning.
  package struct Fault: Error, Equatable, Sendable {
    /// What is wrong.
    package let message: String

    /// The byte of the pattern at which it is.
    package let offset: Int
  }

  private enum Step: Hashable {
    case literal(UInt8)
    case number(Part, digits: ClosedRange<Int>)
    case shortYear
    case fraction(Int)
    case monthName(isShort: Bool)
    case weekday(isShort: Bool)
    case half
    case offset
  }

  /// What a letter is about; each may be there once.
  private enum Part: Hashable {
    case year, month, day, hour, hourOfHalf, half, minute, second, fraction, weekday, offset
  }

  /// Compiles a pattern.
  ///
  /// - Throws: ``Fault`` for a letter without a meaning, one that is there twice, and a pattern that names no day.
  package init(_ text: String) throws(Fault) {
    self.text = text
    let bytes = Array(text.utf8)
    var steps: [Step] = []
    var parts: [Part: Int] = [:]
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "'") {
        index = try Self.quoted(bytes, from: index, into: &steps)
        continue
      }
      guard (byte | 0x20) &- 0x61 <= 25 else {
        steps.append(.literal(byte))
        index += 1
        continue
      }
      let count = bytes[index...].prefix { $0 == byte }.count
      guard let (part, step) = Self.step(byte, count) else {
        throw Fault(
          message: Self.unknown(String(decoding: bytes[index..<(index + count)], as: UTF8.self)), offset: index)
      }
      guard parts.updateValue(index, forKey: part) == nil else {
        throw Fault(
          message: "\(Character(Unicode.Scalar(byte))) is about something that stands before it", offset: index)
      }
      steps.append(step)
      index += count
    }
    self.steps = steps
    for (letter, part) in [("y", Part.year), ("M", .month), ("d", .day)] where parts[part] == nil {
      throw Fault(message: "a time needs year, month and day, and this has no \(letter)", offset: 0)
    }
    if let hour = parts[.hourOfHalf], parts[.half] == nil {
      throw Fault(message: "h needs a (AM or PM) beside it; the hour of a day is H", offset: hour)
    }
    if let half = parts[.half], parts[.hourOfHalf] == nil {
      throw Fault(message: "a (AM or PM) needs h beside it", offset: half)
    }
    if let hour = parts[.hourOfHalf], parts[.hour] != nil {
      throw Fault(message: "H and h are the same hour; write one of them", offset: hour)
    }
  }

  private static func unknown(_ letters: String) -> String {
    "\(letters) has no meaning in a time (yyyy yy, M MM MMM MMMM, d dd, H HH, h hh with a, m mm, s ss, S, E EEEE, Z X x; "
      + "other letters stand between apostrophes)"
  }

  private static func quoted(_ bytes: [UInt8], from open: Int, into steps: inout [Step]) throws(Fault) -> Int {
    var index = open + 1
    // Two apostrophes are one, within a text and outside.
    if index < bytes.count, bytes[index] == bytes[open] {
      steps.append(.literal(bytes[open]))
      return index + 1
    }
    while index < bytes.count {
      if bytes[index] == bytes[open] {
        guard index + 1 < bytes.count, bytes[index + 1] == bytes[open] else { return index + 1 }
        index += 1
      }
      steps.append(.literal(bytes[index]))
      index += 1
    }
    throw Fault(message: "an apostrophe that is never closed", offset: open)
  }

  private static func step(_ letter: UInt8, _ count: Int) -> (Part, Step)? {
    func number(_ part: Part) -> (Part, Step)? {
      count <= 2 ? (part, .number(part, digits: count...2)) : nil
    }
    switch (letter, count) {
    case (UInt8(ascii: "y"), 1), (UInt8(ascii: "y"), 4): return (.year, .number(.year, digits: 4...4))
    case (UInt8(ascii: "y"), 2): return (.year, .shortYear)
    case (UInt8(ascii: "M"), 3...4): return (.month, .monthName(isShort: count == 3))
    case (UInt8(ascii: "M"), _): return number(.month)
    case (UInt8(ascii: "d"), _): return number(.day)
    case (UInt8(ascii: "H"), _): return number(.hour)
    case (UInt8(ascii: "h"), _): return number(.hourOfHalf)
    case (UInt8(ascii: "m"), _): return number(.minute)
    case (UInt8(ascii: "s"), _): return number(.second)
    case (UInt8(ascii: "S"), 1...9): return (.fraction, .fraction(count))
    case (UInt8(ascii: "a"), 1): return (.half, .half)
    case (UInt8(ascii: "E"), 1...4): return (.weekday, .weekday(isShort: count < 4))
    case (UInt8(ascii: "Z"), 1...5), (UInt8(ascii: "X"), 1...5), (UInt8(ascii: "x"), 1...5): return (.offset, .offset)
    default: return nil
    }
  }

  /// Whether it says what time of the day it is; one that does not means the whole day.
  package var hasTimeOfDay: Bool {
    steps.contains { step in
      switch step {
      case .number(.hour, _), .number(.hourOfHalf, _): true
      default: false
      }
    }
  }

  /// The day alone, as ISO 8601 has it.
  package static let day = TimePattern(
    "yyyy-MM-dd",
    steps: [
      .number(.year, digits: 4...4), .literal(UInt8(ascii: "-")), .number(.month, digits: 2...2),
      .literal(UInt8(ascii: "-")), .number(.day, digits: 2...2),
    ])

  private init(_ text: String, steps: [Step]) {
    self.text = text
    self.steps = steps
  }

  // MARK: Writing

  /// The instant, written so, in UTC.
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

  // MARK: Reading

  /// The instant that a text says; nil when it is not written so, or no time of the calendar.
  package func instant(_ bytes: UnsafeBufferPointer<UInt8>) -> Date? {
    var reader = Reader(bytes: bytes)
    for step in steps {
      guard reader.read(step) else { return nil }
    }
    return reader.isAtEnd ? reader.instant : nil
  }

  /// Goes through a text as the steps say.
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

    init(bytes: UnsafeBufferPointer<UInt8>) {
      self.bytes = bytes
    }

    var isAtEnd: Bool { index == bytes.count }

    /// The instant, if it is one.
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
        guard let found = name(of: TimePattern.months, isShort) else { return false }
        month = found + 1
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

    /// Which of the names stands here, whatever its case.
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

    /// `Z`, `UTC`, `GMT`, `+1`, `+01`, `+0100` or `+01:00`.
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

  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}
