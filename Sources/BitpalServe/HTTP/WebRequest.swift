/// A header of a request or a response.
package struct WebHeader: Hashable, Sendable {
  /// As it was written; names are compared without case.
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

/// A request as it came over the wire: line and headers, of which nothing has been looked at yet.
package struct WebHead: Hashable, Sendable {
  package let method: String

  /// `HTTP/1.1`.
  package let version: String

  /// Path and query as they were sent.
  package let target: String
  package let headers: [WebHeader]

  /// The number of bytes of the line and the headers, values that are not UTF-8 counted as repaired; nil if not known.
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

  /// The values of all headers of a name, in lower case.
  package func values(of name: String) -> [String] {
    headers.filter { $0.key == name }.map(\.value)
  }
}

/// The path and the query of a request, decoded.
package struct WebRequest: Hashable, Sendable {
  /// A name and its value.
  package struct Item: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// The segments of the path; a slash at its end makes no difference.
  package let path: [String]
  package let query: [Item]

  /// The line of the request and its headers.
  package let head: WebHead

  /// Nil for a target that is not a path with a query: a bad percent sign, control characters, what is not UTF-8.
  package init?(_ head: WebHead) {
    self.head = head
    guard head.target.hasPrefix("/") else { return nil }
    let parts = head.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var path: [String] = []
    for segment in (parts.first ?? "").split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      guard let segment = Self.decoded(segment.utf8, isQuery: false) else { return nil }
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

  /// The last value of a name; nil when there is none, or it is empty.
  package subscript(name: String) -> String? {
    query.last { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
  }

  /// The parts of a list with commas; empty when there is none.
  package func list(_ name: String) -> [String] {
    (self[name] ?? "").split(separator: ",").map(String.init)
  }

  /// Whether a switch is on.
  ///
  /// CoinGecko takes `true` for it and nothing else; Python clients write `True`.
  package func isOn(_ name: String) -> Bool { self[name]?.lowercased() == "true" }

  /// Percent signs decoded, in a query plus signs too.
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

extension UInt8 {
  /// The value of a hexadecimal digit.
  fileprivate var hexValue: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
