public import BitpalModel
import FoundationEssentials

/// Removes secrets by value, in whatever encoding they appear.
///
/// Each byte of a secret may stand as it is, percent-encoded (once or several times over), or escaped as JSON escapes it,
/// mixed at will. The secret is also found in base64, wherever in the encoded text it begins, and in hexadecimal.
public struct Redaction: Sendable {
  /// What stands where a secret was.
  public static let mark = "REDACTED"

  /// Shorter values are too likely to be part of something else.
  static let shortest = 4

  private let forms: [Form]

  /// Whether a byte is the first of a form; of a large body only few are.
  private let firsts: [Bool]

  /// Removes these values; empty and very short ones (below 4 bytes) are ignored.
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
    // The longest first: a part must not be removed from within the whole.
    forms = texts.sorted { $0.count != $1.count ? $0.count > $1.count : $0.lexicographicallyPrecedes($1) }.map(
      Form.init)
  }

  /// The text without secrets.
  public func text(_ text: String) -> String {
    forms.isEmpty ? text : String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
  }

  /// The bytes without secrets.
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

  /// Whether a byte, or what it is the beginning of, can be the first of a secret.
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
    default:
      return false
    }
  }

  /// Where a secret that begins at `start` ends; nil when none begins there.
  private func end(in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    for form in forms {
      if let end = form.end(in: source, from: start) { return end }
    }
    return nil
  }

  /// One spelling of a secret.
  private struct Form: Sendable {
    let value: [UInt8]

    /// Where the value that begins at `start` ends; nil when it does not begin there.
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

    /// Whether a byte may stand for another one, or begin what does.
    private static func mayEncode(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "+")
    }

    /// Where a part of the value that begins at `start` ends.
    ///
    /// A percent sign may be itself or begin an encoded byte, so all readings are followed at once.
    private func end(of part: ArraySlice<UInt8>, in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      guard let first = part.first else { return start }
      var places = Form.ends(of: first, in: source, at: start)
      for wanted in part.dropFirst() where !places.isEmpty {
        var next: [Int] = []
        for place in places {
          for end in Form.ends(of: wanted, in: source, at: place) where !next.contains(end) { next.append(end) }
        }
        places = next
      }
      return places.max()
    }

    /// Where a byte that begins at `index` may end, in each of its spellings.
    private static func ends(of wanted: UInt8, in source: UnsafeBufferPointer<UInt8>, at index: Int) -> [Int] {
      guard index < source.count else { return [] }
      var ends = source[index] == wanted ? [index + 1] : []
      switch source[index] {
      case UInt8(ascii: "+"):
        // A form's space.
        if wanted == UInt8(ascii: " ") { ends.append(index + 1) }
      case UInt8(ascii: "%"):
        var digits = index + 1
        while true {
          if hexValue(source, digits, 2) == Int(wanted) { ends.append(digits + 2) }
          // "%" encoded once more is "%25".
          guard hexValue(source, digits, 2) == 0x25 else { break }
          digits += 2
        }
      case UInt8(ascii: "\\"):
        guard index + 1 < source.count else { break }
        if source[index + 1] == wanted { ends.append(index + 2) }
        if source[index + 1] == UInt8(ascii: "u"), hexValue(source, index + 2, 4) == Int(wanted) {
          ends.append(index + 6)
        }
      default:
        break
      }
      return ends
    }

    /// What a few hexadecimal digits say; nil when they are none.
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

  /// The base64 digits that depend on nothing but the secret, for each of the three places where it can begin.
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
