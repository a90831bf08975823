public import BitpalModel
import FoundationEssentials

/// A filter that removes secrets by value, in any common encoding.
///
/// Each character of a secret may be literal, percent-encoded (once or several times), or escaped as in JSON, XML or
/// CSV, in any mixture; comments and CDATA marks between two characters do not hide it. The secret is also found in
/// base64, at any position of the encoded text, and in hexadecimal.
public struct Redaction: Sendable {
  /// The text in the place of a secret.
  public static let mark = "REDACTED"

  /// The length in bytes below which values are ignored, because they are too likely to be part of other text.
  static let shortest = 4

  private let forms: [Form]

  /// Whether each byte value begins a form; in a large body only a few bytes do.
  private let firsts: [Bool]

  /// Creates a filter for values; those below 4 bytes are ignored.
  public init(_ secrets: some Sequence<Secret>) {
    var texts: Set<[UInt8]> = []
    for secret in secrets {
      let value = Array(secret.reveal().utf8)
      guard value.count >= Self.shortest else { continue }
      texts.insert(value)
      texts.formUnion(Self.base64Forms(of: value))
      let hex = value.flatMap { Self.hexDigits($0) }
      texts.insert(hex)
      texts.insert(hex.map(Self.uppercased))
    }
    var firsts = [Bool](repeating: false, count: 256)
    for byte in texts.compactMap(\.first) { firsts[Int(byte)] = true }
    self.firsts = firsts
    // The longest comes first, so that a form within another one does not leave parts of it.
    forms = texts.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }.map(
      Form.init)
  }

  /// Whether there is nothing to remove.
  package var isEmpty: Bool { forms.isEmpty }

  /// Returns whether a text holds a secret.
  package func isNeeded(in text: String) -> Bool {
    var text = text
    return text.withUTF8 { source in
      source.indices.contains { mayBegin(in: source, at: $0) && end(in: source, from: $0) != nil }
    }
  }

  /// Returns a text without the secrets.
  public func text(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
  }

  /// Returns bytes without the secrets.
  public func bytes(_ bytes: [UInt8]) -> [UInt8] {
    guard !forms.isEmpty else { return bytes }
    return bytes.withUnsafeBufferPointer { source in
      var result: [UInt8] = []
      var copied = 0
      var index = 0
      while index < source.count {
        if mayBegin(in: source, at: index), let end = end(in: source, from: index) {
          result += source[copied..<index]
          result += Self.mark.utf8
          index = end
          copied = end
        } else {
          index += 1
        }
      }
      if copied == 0 { return bytes }
      result += source[copied...]
      return result
    }
  }

  /// Returns whether a byte, or the escape that it begins, can be the first of a secret.
  private func mayBegin(in source: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let byte = source[index]
    if firsts[Int(byte)] { return true }
    switch byte {
    case UInt8(ascii: "%"):
      guard let code = Form.hexValue(source, index + 1, 2) else { return false }
      return firsts[code] || code == 0x25
    case UInt8(ascii: "\\"):
      guard index + 1 < source.count else { return false }
      return source[index + 1] == UInt8(ascii: "u") || firsts[Int(source[index + 1])]
    case UInt8(ascii: "&"):
      return Form.reference(source, at: index).map { firsts[Int($0.bytes[0])] } ?? false
    default:
      return false
    }
  }

  /// Returns the end of a secret that begins at `start`; nil when none does.
  private func end(in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    for form in forms {
      if let end = form.end(in: source, from: start) { return end }
    }
    return nil
  }

  /// One spelling of a secret.
  private struct Form: Sendable {
    let value: [UInt8]

    /// Returns the end of the value that begins at `start`; nil when it does not.
    func end(in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      var index = start
      for (position, wanted) in value.enumerated() {
        guard index < source.count else { return nil }
        if Self.mayEncode(source[index]) { return end(of: value[position...], in: source, from: index) }
        guard source[index] == wanted else { return nil }
        index += 1
      }
      return index
    }

    /// Returns whether a byte may encode another one, or begin an escape or markup that is skipped.
    private static func mayEncode(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "\\"), UInt8(ascii: "+"), UInt8(ascii: "&"), UInt8(ascii: "<"),
        UInt8(ascii: "]"), UInt8(ascii: "\""):
        true
      default: false
      }
    }

    /// A partial match: the number of bytes found so far, and the position after them.
    private struct Reading: Hashable {
      var found: Int
      var place: Int
    }

    /// Returns the place where a part of the value that begins at `start` ends.
    ///
    /// A percent sign may be literal or begin an encoded byte, so all partial matches are followed in parallel.
    private func end(of part: ArraySlice<UInt8>, in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      var readings: Set<Reading> = [Reading(found: 0, place: start)]
      var end: Int?
      while !readings.isEmpty {
        var next: Set<Reading> = []
        for reading in readings {
          let rest = part.dropFirst(reading.found)
          if rest.isEmpty { end = max(end ?? 0, reading.place) }
          guard let first = rest.first, reading.place < source.count else { continue }
          for place in Self.ends(of: first, in: source, at: reading.place) {
            next.insert(Reading(found: reading.found + 1, place: place))
          }
          if let (bytes, place) = Self.reference(source, at: reading.place)
            ?? Self.unicodeEscape(source, at: reading.place),
            rest.starts(with: bytes)
          {
            next.insert(Reading(found: reading.found + bytes.count, place: place))
          }
          if let place = Self.markupEnd(source, at: reading.place) {
            next.insert(Reading(found: reading.found, place: place))
          }
        }
        readings = next
      }
      return end
    }

    /// Returns the places where a byte that begins at `index` may end, in each spelling of one byte.
    private static func ends(of wanted: UInt8, in source: UnsafeBufferPointer<UInt8>, at index: Int) -> [Int] {
      var ends = source[index] == wanted ? [index + 1] : []
      switch source[index] {
      case UInt8(ascii: "+"):
        // In the body of a form, a plus sign is a space.
        if wanted == UInt8(ascii: " ") { ends.append(index + 1) }
      case UInt8(ascii: "\""):
        // In a field of CSV, a quote is doubled.
        if wanted == source[index], index + 1 < source.count, source[index + 1] == wanted { ends.append(index + 2) }
      case UInt8(ascii: "%"):
        var digits = index + 1
        while true {
          if hexValue(source, digits, 2) == Int(wanted) { ends.append(digits + 2) }
          // "%" encoded once more is "%25".
          guard hexValue(source, digits, 2) == 0x25 else { break }
          digits += 2
        }
      case UInt8(ascii: "\\"):
        if index + 1 < source.count, source[index + 1] == wanted { ends.append(index + 2) }
      default:
        break
      }
      return ends
    }

    /// Returns the bytes of an escape such as `\u0041` and the place after it.
    private static func unicodeEscape(
      _ source: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (bytes: [UInt8], end: Int)? {
      guard index + 1 < source.count, source[index] == UInt8(ascii: "\\"), source[index + 1] == UInt8(ascii: "u"),
        let code = hexValue(source, index + 2, 4), let scalar = Unicode.Scalar(UInt32(code))
      else { return nil }
      return (Array(String(Character(scalar)).utf8), index + 6)
    }

    /// The references that XML predefines.
    private static let names: [(name: [UInt8], byte: UInt8)] = [
      ("amp;", "&"), ("lt;", "<"), ("gt;", ">"), ("quot;", "\""), ("apos;", "'"),
    ].map { (Array($0.utf8), Array($1.utf8)[0]) }

    /// Returns the bytes of a reference such as `&#65;`, `&#x41;` or `&amp;` and the place after it.
    static func reference(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> (bytes: [UInt8], end: Int)? {
      guard index + 2 < source.count, source[index] == UInt8(ascii: "&") else { return nil }
      guard source[index + 1] == UInt8(ascii: "#") else {
        return names.first { source[(index + 1)...].starts(with: $0.name) }.map {
          ([$0.byte], index + 1 + $0.name.count)
        }
      }
      guard let end = source[index...].prefix(32).firstIndex(of: UInt8(ascii: ";")) else { return nil }
      let digits = String(decoding: source[(index + 2)..<end], as: UTF8.self).lowercased()
      let code = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
      return code.flatMap(Unicode.Scalar.init).map { (Array(String(Character($0)).utf8), end + 1) }
    }

    /// Returns the place after a comment, or after a mark of CDATA, that begins at `index`.
    private static func markupEnd(_ source: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
      guard source[index] == UInt8(ascii: "<") || source[index] == UInt8(ascii: "]") else { return nil }
      let rest = source[index...]
      if rest.starts(with: "<![CDATA[".utf8) { return index + 9 }
      if rest.starts(with: "]]>".utf8) { return index + 3 }
      guard rest.starts(with: "<!--".utf8) else { return nil }
      return rest.prefix(longestComment).indices.dropFirst(4).first { source[$0...].starts(with: "-->".utf8) }.map {
        $0 + 3
      }
    }

    /// The length in bytes up to which a comment is skipped, so that a hostile response does not keep its reader busy.
    private static let longestComment = 1024

    /// Returns the value of a few hexadecimal digits; nil for other characters.
    static func hexValue(_ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
      guard start + count <= source.count else { return nil }
      var value = 0
      for byte in source[start..<start + count] {
        let digit: UInt8
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
        default: return nil
        }
        value = value << 4 | Int(digit)
      }
      return value
    }
  }

  /// Returns the base64 digits that depend on the secret alone, for each of the three positions where it can begin, in
  /// both alphabets.
  private static func base64Forms(of value: [UInt8]) -> [[UInt8]] {
    (0..<3).flatMap { offset -> [[UInt8]] in
      let padded = [UInt8](repeating: 0, count: offset) + value
      let digits = Array(Data(padded).base64EncodedString().utf8).filter { $0 != UInt8(ascii: "=") }
      let first = (offset * 8 + 5) / 6
      let last = padded.count * 8 / 6
      guard last - first >= shortest else { return [] }
      let core = Array(digits[first..<last])
      let urlSafe = core.map { byte -> UInt8 in
        switch byte {
        case UInt8(ascii: "+"): UInt8(ascii: "-")
        case UInt8(ascii: "/"): UInt8(ascii: "_")
        default: byte
        }
      }
      return [core, urlSafe]
    }
  }

  private static func hexDigits(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789abcdef".utf8)
    return [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
  }

  private static func uppercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte - 32 : byte
  }
}
