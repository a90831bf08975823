import FoundationEssentials

/// An absolute URL taken apart for comparison; what makes no difference to a server makes none here.
///
/// Scheme and host have no case, a default port and a fragment do not count, and percent-encoding counts by what it
/// stands for. The query is a list of pairs whose order matters only among equal names; `?a` is not `?a=`.
package struct RequestURL: Hashable, Sendable {
  /// A part of the query.
  package struct Pair: Hashable, Sendable {
    /// Before the `=`.
    package let name: String

    /// After the `=`; nil without one.
    package let value: String?

    /// As it is written in a URL.
    package var text: String { value.map { "\(name)=\($0)" } ?? name }
  }

  /// `https`, lower case; empty when there is none.
  package let scheme: String

  /// Host and port, lower case.
  package let host: String

  /// The path, at least `/`.
  package let path: String

  /// The pairs, in the order of the URL.
  package let query: [Pair]

  /// Takes a URL apart; anything at all can be.
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
      return Pair(
        name: Self.normalized(name), value: hasValue ? Self.normalized(part[name.endIndex...].dropFirst()) : nil)
    }
  }

  /// Whether two URLs end in the same name and have the same query, whatever base they begin with.
  package func asksAlike(_ other: RequestURL) -> Bool {
    path.split(separator: "/").last == other.path.split(separator: "/").last
      && query.map(\.text).sorted() == other.query.map(\.text).sorted()
  }

  /// The text with all percent-encoding undone.
  package static func decoded(_ text: String) -> String {
    decoding(text[...]) { _ in true }
  }

  /// The text with needless percent-encoding undone and the rest in capitals.
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

  /// RFC 3986's unreserved characters, and the comma, which we send as it is.
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
