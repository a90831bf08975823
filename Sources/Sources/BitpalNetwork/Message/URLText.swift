/// A builder of URLs from untrusted parts, each of which is percent-encoded.
public struct URLText: Hashable, Sendable {
  private var text: String
  private var hasQuery = false

  /// Creates a builder with a base such as `https://api.coingecko.com/api/v3`, which is not encoded.
  public init(base: String) {
    text = base
    while text.hasSuffix("/") { text.removeLast() }
  }

  /// Appends path segments; a `/` within a segment is encoded.
  public func path(_ segments: String...) -> URLText {
    var copy = self
    for segment in segments { copy.text += "/" + Self.encoded(segment) }
    return copy
  }

  /// Appends a query parameter.
  ///
  /// Commas are not encoded: they are allowed in a query (RFC 3986, section 3.4), and lists of ids are a third shorter.
  public func query(_ name: String, _ value: String) -> URLText {
    var copy = self
    copy.text += (hasQuery ? "&" : "?") + Self.encoded(name) + "=" + Self.encoded(value, keeping: ",")
    copy.hasQuery = true
    return copy
  }

  /// The URL so far.
  public var string: String { text }

  /// Returns whether a text can be a segment of a path.
  ///
  /// `.` and `..` cannot: a URL with one of them, `%2E` included, is that of another resource (RFC 3986, section
  /// 6.2.2).
  package static func isSegment(_ text: some StringProtocol) -> Bool {
    !text.isEmpty && text != "." && text != ".."
  }

  /// Returns a part of a URL as it is, in which quotation marks and braces are percent-encoded: addresses are written
  /// with them, and no URL has them (RFC 3986, section 2).
  package static func encodedMarks(of part: String) -> String {
    part.replacing("\"", with: "%22").replacing("{", with: "%7B").replacing("}", with: "%7D")
  }

  /// Returns a text in which everything except RFC 3986's unreserved characters (letters, digits, `-._~`) is
  /// percent-encoded.
  ///
  /// The characters of `kept` are not encoded either.
  public static func encoded(_ part: String, keeping kept: String = "") -> String {
    var result: [UInt8] = []
    for byte in part.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
        UInt8(ascii: "~"):
        result.append(byte)
      case let byte where kept.utf8.contains(byte):
        result.append(byte)
      default:
        let digits = Array("0123456789ABCDEF".utf8)
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
