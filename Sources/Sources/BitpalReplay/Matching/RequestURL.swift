import FoundationEssentials

/// An absolute URL, split for comparison; parts without a meaning to the server are ignored.
///
/// Scheme and host have no case, a default port and a fragment do not count, and percent-encoding counts by its
/// meaning. The query is a list of pairs whose order matters only among equal names; `?a` is not `?a=`.
package struct RequestURL: Hashable, Sendable {
  /// A part of the query.
  package struct Pair: Hashable, Sendable {
    /// The text before the `=`.
    package let name: String

    /// The text after the `=`; nil without one.
    package let value: String?

    /// The pair as it would be written in a URL without any encoding.
    package var text: String { value.map { "\(name)=\($0)" } ?? name }
  }

  /// The scheme in lower case, such as `https`; empty when there is none.
  package let scheme: String

  /// The host and port, lower case.
  package let host: String

  /// The path, at least `/`.
  package let path: String

  /// The pairs, in the order of the URL.
  package let query: [Pair]

  /// Splits a URL; any text is accepted.
  package init(_ url: String) {
    var rest = url[...].prefix { $0 != "#" }
    if let mark = rest.firstRange(of: "://") {
      scheme = rest[..<mark.lowerBound].lowercased()
      rest = rest[mark.upperBound...]
    } else {
      scheme = ""
    }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    rest = rest[authority.endIndex...]
    var host = authority.lowercased()
    if let at = host.lastIndex(of: "@") { host = String(host[host.index(after: at)...]) }
    for (name, port) in [("https", ":443"), ("http", ":80")] where scheme == name && host.hasSuffix(port) {
      host.removeLast(port.count)
    }
    self.host = host
    let path = rest.prefix { $0 != "?" }
    self.path = path.isEmpty ? "/" : Self.normalized(path)
    rest = rest[path.endIndex...].dropFirst()
    query = rest.split(separator: "&").map { part in
      let name = part.prefix { $0 != "=" }
      let hasValue = name.endIndex != part.endIndex
      return Pair(name: Self.field(name), value: hasValue ? Self.field(part[name.endIndex...].dropFirst()) : nil)
    }
  }

  /// Returns the text with all percent-encoding decoded.
  package static func decoded(_ text: String) -> String {
    decoding(text[...]) { _ in true }
  }

  /// Returns a name or a value of a query or a form, decoded: a plus is a space, as every server reads it.
  private static func field(_ text: Substring) -> String {
    decoding(text.replacing("+", with: " ")[...]) { _ in true }
  }

  /// Returns the text with unnecessary percent-encoding decoded and the rest in capitals.
  private static func normalized(_ text: Substring) -> String {
    decoding(text, where: needsNoEncoding)
  }

  private static func decoding(_ text: Substring, where isDecoded: (UInt8) -> Bool) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = index + 2 < bytes.count ? String(decoding: bytes[index + 1...index + 2], as: UTF8.self) : ""
      if bytes[index] == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        result += isDecoded(value) ? [value] : Array("%\(digits.uppercased())".utf8)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Returns whether a byte is an unreserved character of RFC 3986, or the comma, which we send unencoded.
  private static func needsNoEncoding(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"), UInt8(ascii: ","):
      true
    default: false
    }
  }
}
