/// A source's notation of instants in its answers and URLs, in the letters of Unicode (UTS 35): `dd.MM.yyyy HH:mm Z`.
///
/// The letters are those of the day (`y M d`), the hour (`H` or `h a`), smaller units (`m s S`), the weekday (`E`) and
/// an offset from UTC (`Z X x`); `MMM` and `MMMM` are English month names. Text between apostrophes and characters
/// other than letters are literal. Without an offset the time is UTC. Years of two digits are 1970 to 2069.
package struct TimePattern: Hashable, Sendable {
  /// The pattern as it was written.
  package let text: String

  let steps: [Step]

  /// A part of a pattern without a meaning.
  package struct Fault: Error, Equatable, Sendable {
    /// The problem.
    package let message: String

    /// The byte of the pattern at which the fault begins.
    package let offset: Int
  }

  enum Step: Hashable {
    case literal(UInt8)
    case number(Part, digits: ClosedRange<Int>)
    case shortYear
    case fraction(Int)
    case monthName(isShort: Bool)
    case weekday(isShort: Bool)
    case half
    case offset
  }

  /// The part of an instant that a letter stands for; each may occur once.
  enum Part: Hashable {
    case year, month, day, hour, hourOfHalf, half, minute, second, fraction, weekday, offset
  }

  /// Compiles a pattern.
  ///
  /// - Parameters:
  ///   - text: The pattern.
  ///   - mayBePart: Whether it may have only parts of a date, for writing alone.
  /// - Throws: ``Fault`` for a letter without a meaning, a repeated part, a pattern without a part, and one without a
  ///   whole date unless it may be a part.
  package init(_ text: String, mayBePart: Bool = false) throws(Fault) {
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
      if mayBePart, !parts.isEmpty { break }
      throw Fault(message: "a time needs year, month and day, and this has no \(letter)", offset: 0)
    }
    try Self.checkHours(parts)
  }

  /// Checks that hours of half a day stand with AM or PM, and without hours of a day; `parts` have their offsets.
  private static func checkHours(_ parts: [Part: Int]) throws(Fault) {
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
    // Two apostrophes mean one, inside and outside of literal text.
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

  /// Whether the pattern contains a month, or a day of the month.
  package var parts: (month: Bool, day: Bool) {
    let hasMonth = steps.contains { step in
      switch step {
      case .number(.month, _), .monthName: true
      default: false
      }
    }
    let hasDay = steps.contains { if case .number(.day, _) = $0 { true } else { false } }
    return (hasMonth, hasDay)
  }

  /// Whether the pattern contains a time of day; without one it means the whole day.
  package var hasTimeOfDay: Bool {
    steps.contains { step in
      switch step {
      case .number(.hour, _), .number(.hourOfHalf, _): true
      default: false
      }
    }
  }

  /// The pattern of a day in ISO 8601.
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

  static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  static let weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
}
