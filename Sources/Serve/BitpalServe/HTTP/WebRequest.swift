package import BitpalModel
package import BitpalQueries

/// A header of a request or a response.
package struct WebHeader: Hashable, Sendable {
  /// The name as it was sent; comparisons ignore case.
  package let name: String
  package let value: String

  /// The name in lower case.
  let key: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
    key = name.lowercased()
  }
}

/// A request as it was received: line and headers, not yet decoded.
package struct WebHead: Hashable, Sendable {
  package let method: String

  /// The protocol version, such as `HTTP/1.1`.
  package let version: String

  /// The path and query as they were sent.
  package let target: String
  package let headers: [WebHeader]

  /// The size of the line and the headers in bytes, after values that are not UTF-8 were repaired; nil when unknown.
  package let size: Int?

  package init(
    method: String, version: String = "HTTP/1.1", target: String, headers: [WebHeader] = [], size: Int? = nil
  ) {
    self.size = size
    self.method = method
    self.version = version
    self.target = target
    self.headers = headers
  }

  /// The target, and with it what decides about the form of an answer.
  var question: String {
    let forms = values(of: "accept").filter { $0.contains("text/csv") || $0.contains("text/plain") }
    return forms.isEmpty ? target : target + " " + forms.joined(separator: ",")
  }

  /// Returns the values of all headers with a name, which is given in lower case.
  package func values(of name: String) -> [String] {
    headers.filter { $0.key == name }.map(\.value)
  }

  /// Returns the values of all cookies with a name.
  func cookies(named name: String) -> [String] {
    values(of: "cookie").flatMap { $0.split(separator: ";") }.compactMap { part in
      let sides = part.split(separator: "=", maxSplits: 1)
      return sides.count == 2 && sides[0].trimmedOfSpaces == name ? sides[1].trimmedOfSpaces : nil
    }
  }
}

/// The path and the query of a request, decoded.
package struct WebRequest: Hashable, Sendable {
  /// A parameter of the query.
  package struct Item: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// The segments of the path; a trailing slash makes no difference, nor does a second one where a base address is joined with a
  /// path.
  package let path: [String]
  package let query: [Item]

  /// The line of the request and its headers.
  package let head: WebHead

  /// Decodes the target; nil for a bad percent sign, a control character, or text that is not UTF-8 or does not begin
  /// with `/`.
  package init?(_ head: WebHead) {
    self.head = head
    guard head.target.hasPrefix("/") else { return nil }
    let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let segment = Self.decoded(segment.utf8, isQuery: false) else { return nil }
      if segment.isEmpty, [nil, "api", "v1", "v3"].contains(path.last) { continue }
      path.append(segment)
    }
    while path.last == "" { path.removeLast() }
    self.path = path
    var query: [Item] = []
    for pair in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Self.decoded((sides.first ?? "").utf8, isQuery: true),
        let value = Self.decoded((sides.count > 1 ? sides[1] : "").utf8, isQuery: true)
      else { return nil }
      query.append(Item(name: name, value: value))
    }
    self.query = query
  }

  /// Returns the last value of a parameter, without the spaces around it; nil when it is missing or empty.
  package subscript(name: String) -> String? {
    query.last { $0.name == name }.flatMap { Self.trimmed($0.value[...]) }
  }

  private static func trimmed(_ text: Substring) -> String? {
    let text = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
    return text.isEmpty ? nil : String(text)
  }

  /// Returns whether a Boolean parameter is `true`, in any case, or `1`.
  ///
  /// CoinGecko writes `true`; clients in Python write `True`, those in PHP `1`.
  package func isOn(_ name: String) -> Bool { self[name].map { ["true", "1"].contains($0.lowercased()) } ?? false }

  /// Decodes percent signs, and in a query plus signs; nil for bad percent signs, control characters, or bytes that are
  /// not UTF-8.
  private static func decoded(_ bytes: Substring.UTF8View, isQuery: Bool) -> String? {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var rest = bytes
    while let byte = rest.popFirst() {
      var byte = byte
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst()?.hexValue, let low = rest.popFirst()?.hexValue else { return nil }
        byte = high << 4 | low
      } else if byte == UInt8(ascii: "+"), isQuery {
        byte = UInt8(ascii: " ")
      }
      guard byte >= 0x20, byte != 0x7F else { return nil }
      result.append(byte)
    }
    return String(validating: result, as: UTF8.self)
  }
}

extension WebRequest: Parameters {
  package var notation: ParameterNotation { .query }

  package func flag(_ name: String) throws(BitpalError) -> Bool {
    guard let text = self[name] else { return false }
    guard text == "true" else {
      throw .usage("\(name): unknown value \"\(text.printable(limit: 80))\"", hint: "the value is: true")
    }
    return true
  }
}

extension UInt8 {
  /// The value of a hexadecimal digit; nil for other bytes.
  fileprivate var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
