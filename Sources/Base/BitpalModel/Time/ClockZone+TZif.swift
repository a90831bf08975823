extension ClockZone {
  /// The size limit of a file in bytes; the largest one of the database has 4 KiB.
  package static let largestFile = 64 << 10

  /// The reason why a file does not describe a zone.
  package struct FileProblem: Error, Equatable, Sendable {
    package let reason: String
  }

  /// Reads a compiled zone of the time zone database (TZif, RFC 9636), of any version.
  ///
  /// All numbers are checked: counts must fit the file, changes must ascend, and offsets must be possible on earth.
  ///
  /// - Throws: ``FileProblem``.
  package init(name: String, tzif bytes: [UInt8]) throws(FileProblem) {
    guard bytes.count <= Self.largestFile else { throw FileProblem(reason: "it is too large") }
    var reader = ZoneReader(bytes: bytes)
    var counts = try reader.counts()
    var wide = 4
    if counts.version >= 2 {
      // The first block is for readers of version 1.
      try reader.skip(counts.size(wide: 4))
      counts = try reader.counts()
      wide = 8
    }
    guard counts.leaps == 0 else { throw FileProblem(reason: "it counts leap seconds") }
    var instants: [Int64] = []
    for _ in 0..<counts.changes {
      let instant = try reader.number(bytes: wide)
      if let last = instants.last, last >= instant { throw FileProblem(reason: "its changes are not in order") }
      instants.append(instant)
    }
    let kinds = try (0..<counts.changes).map { _ throws(FileProblem) in Int(try reader.byte()) }
    var offsets: [Int] = []
    for _ in 0..<counts.kinds {
      let offset = Int(try reader.number(bytes: 4))
      try reader.skip(2)
      guard abs(offset) <= Self.mostAhead else { throw FileProblem(reason: "its clocks are more than 26 hours off") }
      offsets.append(offset)
    }
    guard let first = offsets.first, kinds.allSatisfy({ $0 < offsets.count }) else {
      throw FileProblem(reason: "it changes to a time that it does not have")
    }
    try reader.skip(counts.letters + counts.standards + counts.universals)
    self.init(
      name: name, changes: zip(instants, kinds).map { Change(at: $0, offset: offsets[$1]) }, firstOffset: first,
      rule: wide == 8 ? try YearlyRule(reader.footer()) : nil)
  }

  /// The largest offset in seconds; the database allows a little more than a day.
  fileprivate static let mostAhead = 26 * 3600
}

/// A big-endian reader that never passes the end.
private struct ZoneReader {
  /// The numbers of elements in a block.
  struct Counts {
    let version: UInt8
    let universals: Int
    let standards: Int
    let leaps: Int
    let changes: Int
    let kinds: Int
    let letters: Int

    /// Returns the number of bytes of a block.
    ///
    /// - Parameter wide: The number of bytes of an instant.
    func size(wide: Int) -> Int {
      changes * (wide + 1) + kinds * 6 + letters + leaps * (wide + 4) + standards + universals
    }
  }

  let bytes: [UInt8]
  private var place = 0

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func byte() throws(ClockZone.FileProblem) -> UInt8 {
    guard place < bytes.count else { throw ClockZone.FileProblem(reason: "it ends too early") }
    defer { place += 1 }
    return bytes[place]
  }

  mutating func skip(_ count: Int) throws(ClockZone.FileProblem) {
    guard count >= 0, count <= bytes.count - place else {
      throw ClockZone.FileProblem(reason: "it ends too early")
    }
    place += count
  }

  /// Reads a signed number.
  mutating func number(bytes count: Int) throws(ClockZone.FileProblem) -> Int64 {
    var value: Int64 = 0
    for index in 0..<count {
      let byte = try byte()
      value = index == 0 ? Int64(Int8(bitPattern: byte)) : value << 8 | Int64(byte)
    }
    return value
  }

  mutating func counts() throws(ClockZone.FileProblem) -> Counts {
    for letter in "TZif".utf8 {
      guard try byte() == letter else { throw ClockZone.FileProblem(reason: "it is not a time zone file") }
    }
    let version = try byte()
    try skip(15)
    var numbers: [Int] = []
    for _ in 0..<6 {
      let number = Int(try number(bytes: 4))
      // No count can exceed the file, so no product of counts overflows.
      guard (0...bytes.count).contains(number) else {
        throw ClockZone.FileProblem(reason: "it counts more than it holds")
      }
      numbers.append(number)
    }
    return Counts(
      version: version == 0 ? 1 : version &- UInt8(ascii: "0"), universals: numbers[0], standards: numbers[1],
      leaps: numbers[2], changes: numbers[3], kinds: numbers[4], letters: numbers[5])
  }

  /// Reads the last line.
  mutating func footer() throws(ClockZone.FileProblem) -> String {
    let end = UInt8(ascii: "\n")
    guard try byte() == end else { throw ClockZone.FileProblem(reason: "its last line is missing") }
    var text: [UInt8] = []
    while true {
      let letter = try byte()
      if letter == end { break }
      text.append(letter)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension YearlyRule {
  /// Reads the last line of a zone's file; nil for an empty one, which means that the last change is final.
  ///
  /// - Throws: ``ClockZone/FileProblem``.
  init?(_ text: String) throws(ClockZone.FileProblem) {
    if text.isEmpty { return nil }
    var reader = RuleReader(rest: text[...])
    guard reader.name(), let west = reader.time(hours: 24) else { throw Self.problem }
    standard = -west
    if reader.rest.isEmpty {
      summer = nil
      return
    }
    guard reader.name() else { throw Self.problem }
    var offset = standard + 3600
    if let first = reader.rest.first, first != "," {
      guard let west = reader.time(hours: 24) else { throw Self.problem }
      offset = -west
    }
    guard reader.take(","), let start = reader.moment(), reader.take(","), let end = reader.moment(),
      reader.rest.isEmpty
    else { throw Self.problem }
    summer = Summer(offset: offset, start: start, end: end)
  }

  private static var problem: ClockZone.FileProblem { ClockZone.FileProblem(reason: "its last line is not a rule") }
}

/// A reader of the parts of a rule from left to right.
private struct RuleReader {
  var rest: Substring

  mutating func take(_ character: Character) -> Bool {
    guard rest.first == character else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads a name: three letters or more, or any text in angle brackets.
  mutating func name() -> Bool {
    if take("<") {
      let name = rest.prefix { $0 != ">" }
      rest = rest.dropFirst(name.count)
      return !name.isEmpty && take(">")
    }
    let name = rest.prefix { $0.isASCII && $0.isLetter }
    rest = rest.dropFirst(name.count)
    return name.count >= 3
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { $0.isASCII && $0.isWholeNumber }
    guard (1...3).contains(digits.count), let value = Int(digits), range.contains(value) else { return nil }
    rest = rest.dropFirst(digits.count)
    return value
  }

  /// Reads hours, minutes and seconds with a sign, and returns seconds.
  mutating func time(hours most: Int) -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number(0...most) else { return nil }
    var seconds = hours * 3600
    for unit in [60, 1] where take(":") {
      guard let value = number(0...59) else { return nil }
      seconds += value * unit
    }
    return isNegative ? -seconds : seconds
  }

  mutating func moment() -> YearlyRule.Moment? {
    let day: YearlyRule.Moment.Day
    if take("M") {
      guard let month = number(1...12), take("."), let week = number(1...5), take("."), let weekday = number(0...6)
      else { return nil }
      day = .weekday(month: month, week: week, weekday: weekday)
    } else if take("J") {
      guard let julian = number(1...365) else { return nil }
      day = .julian(julian)
    } else {
      guard let ordinal = number(0...365) else { return nil }
      day = .ordinal(ordinal)
    }
    guard take("/") else { return YearlyRule.Moment(day: day, time: 2 * 3600) }
    return time(hours: 167).map { YearlyRule.Moment(day: day, time: $0) }
  }
}
