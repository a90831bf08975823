/// Finds where the entries of a HAR file lie in its bytes, without reading them.
///
/// Each is then read on its own: SQLite's parser takes many times the bytes that it reads, and a browser's HAR has
/// megabytes of bodies. What is found is only where to cut; whether the parts are JSON is judged by whoever reads them,
/// all of them, and what stands between two entries is looked at here.
struct HAREntries {
  /// Why a file is not cut; for an entry its number, else it is about what stands around the entries.
  struct Fault: Error, Hashable {
    let entry: Int?
    let reason: String
  }

  /// The most bytes of an entry, 16 MiB: a body of 10 MiB in base64, and what is said about it.
  private static let entryLimit = 16 << 20

  /// The most values in an entry, whose body counts as one: enough for the messages of a long web socket.
  private static let valueLimit = 500_000

  /// The most entries: far more than a browser or a proxy writes into a file that is read.
  private static let countLimit = 100_000

  /// The most bytes around the entries: a browser says there which pages it had.
  private static let restLimit = 1 << 20

  /// Where each entry of `log.entries` is.
  let ranges: [Range<Int>]

  /// The file as if it had no entries.
  let rest: [UInt8]

  /// - Throws: ``Fault``.
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

  /// Walks over JSON by its brackets and quotes.
  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    /// How many values there were since this was set to zero, or a few more.
    private var values = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// Goes into the object at the place, to the member of that name, and into its value when that opens with `bracket`.
    ///
    /// - Returns: Whether it is there.
    mutating func enterMember(_ name: String, of bracket: UInt8) throws(Fault) -> Bool {
      // At the top the brace is still to come, in a member it is behind.
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

    /// The elements of the array that has just been opened, up to its bracket.
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

    /// Goes behind the string at the place.
    private mutating func skipString() {
      index += 1
      while let byte = current, byte != UInt8(ascii: "\"") {
        index = min(index + (byte == UInt8(ascii: "\\") ? 2 : 1), bytes.count)
      }
      index = min(index + 1, bytes.count)
    }

    /// Goes behind the value at the place, or to what ends the value around it.
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
