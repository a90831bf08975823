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
        let byte = source[index]
        let end = forms.lazy.filter { $0.mayBegin(with: byte) }.compactMap { $0.end(in: source, from: index) }.first
        if let end {
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

  /// One spelling of a secret.
  private struct Form: Sendable {
    let value: [UInt8]

    func mayBegin(with byte: UInt8) -> Bool {
      byte == value[0] || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\\")
    }

    /// Where the value that begins at `start` ends; nil when it does not begin there.
    ///
    /// A percent sign may be itself or begin an encoded byte, so all readings are followed at once.
    func end(in source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
      var places = [start]
      for wanted in value {
        var next: [Int] = []
        for place in places {
          for end in Form.ends(of: wanted, in: source, at: place) where !next.contains(end) { next.append(end) }
        }
        guard !next.isEmpty else { return nil }
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

    private static func hexValue(_ source: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int? {
      guard start + count <= source.count else { return nil }
      return Int(String(decoding: source[start..<start + count], as: UTF8.self), radix: 16)
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
