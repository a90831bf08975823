/// The positions of the entries of a HAR file in its bytes, found without parsing them.
///
/// Each entry is then parsed on its own: SQLite's parser needs many times the memory of its input, and a browser's HAR
/// has megabytes of bodies. Only the boundaries are found here, and the bytes between entries are checked; the reader
/// checks that each part is JSON.
struct HAREntries {
  /// The reason why a file cannot be split; `entry` is the number of the entry, nil for the bytes around the entries.
  struct Fault: Error, Hashable {
    let entry: Int?
    let reason: String
  }

  /// The largest entry in bytes, 16 MiB: a body of 10 MiB in base64 and its metadata.
  private static let entryLimit = 16 << 20

  /// The most values in an entry, whose body counts as one: enough for the messages of a long web socket.
  private static let valueLimit = 500_000

  /// The most entries: far more than a browser or a proxy writes into a file of the allowed size.
  private static let countLimit = 100_000

  /// The most bytes around the entries, where a browser lists its pages.
  private static let restLimit = 1 << 20

  /// The range of each entry of `log.entries`.
  let ranges: [Range<Int>]

  /// The bytes of the file without its entries.
  let rest: [UInt8]

  /// Finds the entries.
  ///
  /// - Throws: ``Fault`` for bytes that are not JSON, and beyond the limits.
  init(_ bytes: [UInt8]) throws(Fault) {
    var reader = Reader(bytes: bytes)
    guard try reader.enterMember("log", of: UInt8(ascii: "{")),
      try reader.enterMember("entries", of: UInt8(ascii: "["))
    else {
      ranges = []
      rest = Array(bytes.prefix(Self.restLimit + 1))
      try checkRest()
      return
    }
    let start = reader.index
    ranges = try reader.elements()
    rest = Array(bytes[..<start]) + Array(bytes[reader.index...])
    try checkRest()
  }

  private func checkRest() throws(Fault) {
    guard rest.count <= Self.restLimit else {
      throw Fault(entry: nil, reason: "has more than \(Self.restLimit >> 20) MiB around log.entries")
    }
  }

  /// A scanner of JSON that looks only at brackets and quotes.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    /// The approximate number of values since it was set to zero; never too low.
    private var values = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// Enters the object at the position, its member of that name, and the value of that when it opens with `bracket`.
    ///
    /// - Returns: Whether there is such a value.
    /// - Throws: ``Fault`` for bytes that are not JSON.
    mutating func enterMember(_ name: String, of bracket: UInt8) throws(Fault) -> Bool {
      // At the top the brace comes first; within a member it is already read.
      if index == 0 {
        skipSpace()
        guard take(UInt8(ascii: "{")) else { return false }
      }
      let wanted = Array("\"\(name)\"".utf8)
      repeat {
        skipSpace()
        let key = index
        guard current == UInt8(ascii: "\"") else { return false }
        skipString()
        let isWanted = bytes[key..<index].elementsEqual(wanted)
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw Self.notJSON(nil) }
        skipSpace()
        if isWanted { return take(bracket) }
        skipValue()
        skipSpace()
      } while take(UInt8(ascii: ","))
      return false
    }

    /// Returns the elements of the array that was just opened, and moves to its closing bracket.
    ///
    /// - Throws: ``Fault`` for bytes that are not JSON, and beyond the limits.
    mutating func elements() throws(Fault) -> [Range<Int>] {
      var ranges: [Range<Int>] = []
      skipSpace()
      if current == UInt8(ascii: "]") { return [] }
      repeat {
        skipSpace()
        let start = index
        values = 0
        skipValue()
        guard index > start else { throw Self.notJSON(ranges.count + 1) }
        ranges.append(start..<index)
        guard index - start <= HAREntries.entryLimit, values <= HAREntries.valueLimit else {
          throw Fault(
            entry: ranges.count,
            reason: "has more than \(HAREntries.entryLimit >> 20) MiB or \(HAREntries.valueLimit) values, the most read"
          )
        }
        guard ranges.count <= HAREntries.countLimit else {
          throw Fault(entry: nil, reason: "has more than \(HAREntries.countLimit) entries, the most that are read")
        }
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard current == UInt8(ascii: "]") else { throw Self.notJSON(ranges.count) }
      return ranges
    }

    private static func notJSON(_ entry: Int?) -> Fault { Fault(entry: entry, reason: "is not JSON") }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ byte: UInt8) -> Bool {
      guard current == byte else { return false }
      index += 1
      return true
    }

    private mutating func skipSpace() {
      while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
    }

    /// Moves past the string at the position.
    private mutating func skipString() {
      index += 1
      while let byte = current, byte != UInt8(ascii: "\"") {
        index = min(index + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
      }
      index = min(index + 1, bytes.count)
    }

    /// Moves past the value at the position, or to the end of the value around it.
    private mutating func skipValue() {
      var depth = 0
      while let byte = current {
        switch byte {
        case UInt8(ascii: "\""): skipString()
        case UInt8(ascii: "{"), UInt8(ascii: "["):
          depth += 1
          values += 1
          index += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
          if depth == 0 { return }
          depth -= 1
          index += 1
          if depth == 0 { return }
        case UInt8(ascii: ","):
          if depth == 0 { return }
          values += 1
          index += 1
        default: index += 1
        }
      }
    }
  }
}
