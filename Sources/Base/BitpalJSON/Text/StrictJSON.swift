import BitpalModel

/// The one door for JSON: a strict reader (RFC 8259), which every text passes before a function of SQLite or one of ours
/// takes it for JSON.
///
/// SQLite's reader is not strict: 3.40 takes an object for a key (`{{"a":["b"]}:1}`) and then reads memory that is not its
/// own, a text ends at its first NUL, from 3.42 on JSON5 is accepted, and of two members with one name the first counts.
package enum StrictJSON {
  /// The deepest nesting of arrays and objects; the C library's readers of SQLite stop at 1000, too.
  package static let deepest = 1000

  /// Returns JSON that reads the same everywhere; nil for text that is not JSON.
  ///
  /// Text whose reading could differ is written again: names without escapes, the last member of each name alone (as
  /// Python, JavaScript and jq read it), and U+FFFD in place of NUL and of half a surrogate pair, which no text of SQL can
  /// hold. Numbers keep their own digits. A byte order mark is skipped.
  package static func canonical(_ text: [UInt8]) -> [UInt8]? {
    let text = text.starts(with: BodyFault.byteOrderMark) ? Array(text.dropFirst(3)) : text
    return text.withUnsafeBufferPointer { bytes -> [UInt8]? in
      var reader = JSONTextReader(bytes)
      guard isUTF8(bytes), reader.read() else { return nil }
      guard reader.isAmbiguous else { return text }
      var output: [UInt8] = []
      let node = JSONNode(bytes)
      var elements = JSONElements(node)
      if node.isContainer { elements.writeCanonical(to: &output) } else { node.writeCanonical(to: &output) }
      return output
    }
  }

  /// Returns whether a text is JSON that ``canonical(_:)`` returns unchanged.
  static func isCanonical(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var reader = JSONTextReader(text)
    return isUTF8(text) && reader.read() && !reader.isAmbiguous
  }

  /// Returns the elements of an array of strings and nulls; nil for any other text.
  package static func texts(_ array: UnsafeBufferPointer<UInt8>) -> [String?]? {
    guard array.first == UInt8(ascii: "["), isCanonical(array) else { return nil }
    var elements = JSONElements(JSONNode(array))
    var texts: [String?] = []
    while elements.next() {
      let element = elements.value()
      switch element.type {
      case .text: element.withContent { texts.append(String(decoding: $0, as: UTF8.self)) }
      case .null: texts.append(nil)
      default: return nil
      }
    }
    return texts
  }

  private static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    (try? UTF8Span(validating: bytes.span)) != nil
  }
}

/// A check of JSON text in one pass, without recursion.
private struct JSONTextReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The open containers: for an object the number of keys before its first one, for an array nil.
  private var open: [Int?] = []

  /// The hashes of the keys of the open objects.
  private var keys: [UInt64] = []

  /// Whether a reader could read something else than another: escaped names, names that may be equal, halves of
  /// surrogate pairs, a NUL.
  private(set) var isAmbiguous = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  /// Returns whether the whole text is one value.
  mutating func read() -> Bool {
    repeat {
      guard value() else { return false }
      // Ends the containers that end here, up to the next element of one.
      while let object = open.last {
        skipSpace()
        guard index < bytes.count else { return false }
        let byte = bytes[index]
        index += 1
        if byte == UInt8(ascii: ",") {
          guard object == nil || key() else { return false }
          break
        }
        guard byte == UInt8(ascii: object == nil ? "]" : "}") else { return false }
        close(object)
      }
    } while !open.isEmpty
    skipSpace()
    return index == bytes.count
  }

  private mutating func close(_ object: Int?) {
    open.removeLast()
    guard let first = object else { return }
    if !isAmbiguous { isAmbiguous = Self.mayRepeat(keys[first...]) }
    keys.removeSubrange(first...)
  }

  /// Returns whether two hashes are equal.
  private static func mayRepeat(_ keys: ArraySlice<UInt64>) -> Bool {
    guard keys.count > 48 else {
      return keys.withUnsafeBufferPointer { keys in
        for place in keys.indices {
          for former in 0..<place where keys[former] == keys[place] { return true }
        }
        return false
      }
    }
    let sorted = keys.sorted()
    return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
  }

  private mutating func skipSpace() {
    while index < bytes.count, bytes[index].isJSONSpace { index += 1 }
  }

  /// Reads a scalar, or the beginning of containers up to their first scalar or their end.
  private mutating func value() -> Bool {
    while true {
      skipSpace()
      guard index < bytes.count else { return false }
      switch bytes[index] {
      case UInt8(ascii: "\""): return string(isKey: false)
      case UInt8(ascii: "{"):
        guard begin(keys.count) else { return false }
        if end(UInt8(ascii: "}")) { return true }
        guard key() else { return false }
      case UInt8(ascii: "["):
        guard begin(nil) else { return false }
        if end(UInt8(ascii: "]")) { return true }
      case UInt8(ascii: "t"): return word("true")
      case UInt8(ascii: "f"): return word("false")
      case UInt8(ascii: "n"): return word("null")
      default: return number()
      }
    }
  }

  private mutating func begin(_ object: Int?) -> Bool {
    index += 1
    open.append(object)
    return open.count <= StrictJSON.deepest
  }

  /// Returns whether the container that has just begun ends at once.
  private mutating func end(_ byte: UInt8) -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    open.removeLast()
    return true
  }

  /// Reads a name and its colon.
  private mutating func key() -> Bool {
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: "\""), string(isKey: true) else { return false }
    skipSpace()
    guard index < bytes.count, bytes[index] == UInt8(ascii: ":") else { return false }
    index += 1
    return true
  }

  private mutating func string(isKey: Bool) -> Bool {
    let start = index + 1
    index = start
    while true {
      index = JSONEscape.mark(from: index, in: bytes)
      guard index < bytes.count, bytes[index] >= 0x20 else { return false }
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") {
        // FNV-1a.
        if isKey {
          keys.append(bytes[start..<(index - 1)].reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        }
        return true
      }
      if isKey { isAmbiguous = true }
      guard escape() else { return false }
    }
  }

  private mutating func escape() -> Bool {
    guard index < bytes.count else { return false }
    let kind = bytes[index]
    index += 1
    guard kind == UInt8(ascii: "u") else { return "\"\\/bfnrt".utf8.contains(kind) }
    guard let unit = JSONEscape.unit(in: bytes, at: index) else { return false }
    index += 4
    if unit == 0 || unit & 0xF800 == 0xD800 { isAmbiguous = true }
    return true
  }

  private mutating func word(_ word: StaticString) -> Bool {
    guard bytes.count - index >= word.utf8CodeUnitCount else { return false }
    for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
    index += word.utf8CodeUnitCount
    return true
  }

  private mutating func number() -> Bool {
    if bytes[index] == UInt8(ascii: "-") { index += 1 }
    let start = index
    guard digits(), bytes[start] != UInt8(ascii: "0") || index == start + 1 else { return false }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      guard digits() else { return false }
    }
    guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return true }
    index += 1
    if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
    return digits()
  }

  /// Reads at least one digit.
  private mutating func digits() -> Bool {
    let start = index
    while index < bytes.count, bytes[index].isDigit { index += 1 }
    return index > start
  }
}

extension JSONNode {
  /// Appends the value with names without escapes, and with the last member of each name alone.
  fileprivate func writeCanonical(to output: inout [UInt8]) {
    if type == .text { withContent { output += JSONEscape.quoted(Array($0)) } } else { output += bytes }
  }
}

extension JSONElements {
  /// Appends all elements, or members, and passes them.
  fileprivate mutating func writeCanonical(to output: inout [UInt8]) {
    var members: [(name: [UInt8], value: [UInt8])] = []
    var places: [[UInt8]: Int] = [:]
    let start = output.count
    while next() {
      guard isObject else {
        output.append(UInt8(ascii: output.count == start ? "[" : ","))
        writeValue(to: &output)
        continue
      }
      var text: [UInt8] = []
      writeValue(to: &text)
      let name = JSONEscape.content(self.name)
      let place = places[name, default: members.count]
      if place == members.count { members.append((name, text)) } else { members[place].value = text }
      places[name] = place
    }
    for (place, member) in members.enumerated() {
      output += [UInt8(ascii: place == 0 ? "{" : ",")] + JSONEscape.quoted(member.name) + [UInt8(ascii: ":")]
      output += member.value
    }
    if output.count == start { output.append(UInt8(ascii: isObject ? "{" : "[")) }
    output.append(UInt8(ascii: isObject ? "}" : "]"))
  }

  private mutating func writeValue(to output: inout [UInt8]) {
    let node = value(isOpen: true)
    guard node.isContainer else { return node.writeCanonical(to: &output) }
    var inner = JSONElements(node)
    inner.writeCanonical(to: &output)
    pass(inner)
  }
}

/// The escapes in strings of JSON (RFC 8259, section 7).
enum JSONEscape {
  /// Returns the UTF-16 code unit of four hexadecimal digits; nil for anything else.
  static func unit(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16? {
    guard bytes.count - start >= 4 else { return nil }
    var unit: UInt16 = 0
    for byte in bytes[start..<(start + 4)] {
      let letter = byte | 0x20
      let digit: UInt8
      if byte.isDigit {
        digit = byte - UInt8(ascii: "0")
      } else if letter >= UInt8(ascii: "a"), letter <= UInt8(ascii: "f") {
        digit = letter - UInt8(ascii: "a") + 10
      } else {
        return nil
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// Returns the place of the first byte that ends a string, begins an escape or may not be in a string; the end of the text if
  /// no such byte follows.
  static func mark(from start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = start
    let ones: UInt64 = 0x0101_0101_0101_0101
    while index + 8 <= bytes.count {
      let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let (quotes, escapes) = (word ^ (ones &* 0x22), word ^ (ones &* 0x5C))
      // The highest bit of each byte that is zero, or below 0x20; the lowest of them is right, and no other is needed.
      let marks =
        ((quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes | (word &- ones &* 0x20) & ~word) & (ones &* 0x80)
      if marks != 0 { return index + marks.trailingZeroBitCount / 8 }
      index += 8
    }
    while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C, bytes[index] >= 0x20 { index += 1 }
    return index
  }

  /// Returns the place after the closing quote of a string that begins at `start`, in text that is JSON.
  static func end(ofStringAt start: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var index = mark(from: start + 1, in: bytes)
    while bytes[index] != UInt8(ascii: "\"") { index = mark(from: index + 2, in: bytes) }
    return index + 1
  }

  /// Returns the content of a string without its escapes; U+FFFD for NUL and for half a surrogate pair.
  static func content(_ string: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard string.contains(UInt8(ascii: "\\")) else { return Array(string) }
    var content: [UInt8] = []
    content.reserveCapacity(string.count)
    var index = 0
    while index < string.count {
      let byte = string[index]
      index += 1
      guard byte == UInt8(ascii: "\\"), index < string.count else {
        content.append(byte)
        continue
      }
      let kind = string[index]
      index += 1
      switch kind {
      case UInt8(ascii: "b"): content.append(8)
      case UInt8(ascii: "f"): content.append(12)
      case UInt8(ascii: "n"): content.append(10)
      case UInt8(ascii: "r"): content.append(13)
      case UInt8(ascii: "t"): content.append(9)
      case UInt8(ascii: "u"):
        guard let unit = unit(in: string, at: index) else { continue }
        index += 4
        content += scalar(unit, in: string, &index)
      default: content.append(kind)
      }
    }
    return content
  }

  /// Calls `body` with a text and false or, for the text of a JSON string, with its content and true.
  static func withContent<Result, Failure: Error>(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>, Bool) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let quote = UInt8(ascii: "\"")
    guard text.count >= 2, text.first == quote, text.last == quote else { return try body(text, false) }
    let inner = UnsafeBufferPointer(rebasing: text.dropFirst().dropLast())
    guard inner.contains(UInt8(ascii: "\\")) else { return try body(inner, true) }
    let content = Self.content(inner)
    return try content.withUnsafeBufferPointer { bytes throws(Failure) in try body(bytes, true) }
  }

  private static func scalar(_ unit: UInt16, in string: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> [UInt8] {
    var value = UInt32(unit)
    if unit & 0xFC00 == 0xD800, string.count - index >= 6, string[index] == UInt8(ascii: "\\"),
      string[index + 1] == UInt8(ascii: "u"), let low = self.unit(in: string, at: index + 2), low & 0xFC00 == 0xDC00
    {
      value = 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF))
      index += 6
    }
    let scalar = value == 0 ? nil : Unicode.Scalar(value)
    return Array(String(Character(scalar ?? "\u{FFFD}")).utf8)
  }

  /// Returns a string of JSON, with the escapes that it must have alone.
  static func quoted(_ content: [UInt8]) -> [UInt8] {
    var text = [UInt8(ascii: "\"")]
    text.reserveCapacity(content.count + 2)
    for byte in content {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): text += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        text += Array("\\u00".utf8) + [byte >> 4, byte & 0xF].map { Array("0123456789abcdef".utf8)[Int($0)] }
      default: text.append(byte)
      }
    }
    return text + [UInt8(ascii: "\"")]
  }
}

extension UInt8 {
  fileprivate var isDigit: Bool { self >= 0x30 && self <= 0x39 }
}
