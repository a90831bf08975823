import BitpalJSON
import FoundationEssentials

/// A comparison of bodies by content: JSON without layout and order of members, forms without order, others byte by
/// byte.
enum ContentEquality {
  typealias Content = (body: [UInt8], type: String?)

  /// Returns whether two bodies have the same content, judged by the type of the first that has one.
  static func areEqual(_ left: Content, _ right: Content) -> Bool {
    if left.body == right.body { return true }
    guard let type = left.type ?? right.type else { return false }
    if type.contains("json") {
      guard let one = canonicalJSON(left.body), let other = canonicalJSON(right.body) else { return false }
      return one == other
    }
    if type.contains("x-www-form-urlencoded") { return pairs(left.body) == pairs(right.body) }
    return false
  }

  private static func pairs(_ body: [UInt8]) -> [[String]] {
    RequestURL("?" + String(decoding: body, as: UTF8.self)).query.map { [$0.name, $0.value ?? "\0"] }
      .sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Returns the text minified, with the members of every object sorted; nil for more than 256 levels and for other
  /// text.
  private static func canonicalJSON(_ bytes: [UInt8]) -> String? {
    var reader = Reader(bytes: StrictJSON.minified(bytes))
    guard let value = reader.value(depth: 0), reader.index == reader.bytes.count else { return nil }
    return value
  }

  private struct Reader {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    mutating func value(depth: Int) -> String? {
      guard depth < 256 else { return nil }
      switch next {
      case UInt8(ascii: "{"):
        return list(close: "}", depth: depth).map { "{" + $0.sorted().joined(separator: ",") + "}" }
      case UInt8(ascii: "["): return list(close: "]", depth: depth).map { "[" + $0.joined(separator: ",") + "]" }
      default: return scalar()
      }
    }

    private mutating func list(close: Unicode.Scalar, depth: Int) -> [String]? {
      index += 1
      var elements: [String] = []
      if next == UInt8(ascii: close) {
        index += 1
        return elements
      }
      while true {
        guard var element = value(depth: depth + 1) else { return nil }
        if close == "}" {
          guard next == UInt8(ascii: ":") else { return nil }
          index += 1
          guard let value = value(depth: depth + 1) else { return nil }
          element += ":" + value
        }
        elements.append(element)
        let byte = next
        index += 1
        if byte == UInt8(ascii: close) { return elements }
        guard byte == UInt8(ascii: ",") else { return nil }
      }
    }

    private mutating func scalar() -> String? {
      let start = index
      let isString = next == UInt8(ascii: "\"")
      if isString { index += 1 }
      while let byte = next {
        if isString {
          index += byte == UInt8(ascii: "\\") ? 2 : 1
          if byte == UInt8(ascii: "\"") { break }
        } else if ",:[]{}".utf8.contains(byte) {
          break
        } else {
          index += 1
        }
      }
      return index > start && index <= bytes.count ? String(decoding: bytes[start..<index], as: UTF8.self) : nil
    }
  }
}
