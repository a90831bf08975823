/// A URL that requests are built on.
struct BaseURL: Hashable, Sendable {
  /// The URL without a trailing slash, scheme and host in lower case.
  let text: String

  /// Whether it is https.
  let isSecure: Bool

  /// Whether it is on this machine.
  let isLoopback: Bool

  /// Reads a URL of a scheme (http or https), a host, a port and a path; nil for anything else.
  ///
  /// A user name, a query, a fragment, spaces and backslashes are refused: each has been used to make a URL go where it
  /// does not seem to.
  init?(_ text: String) {
    let lowered = text.lowercased()
    guard let scheme = ["https://", "http://"].first(where: { lowered.hasPrefix($0) }) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" }
    var path = rest.dropFirst(authority.count)
    while path.last == "/" { path = path.dropLast() }
    guard path.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !Self.refusedInPath.contains($0) }) else { return nil }
    let isBracketed = authority.hasPrefix("[::1]")
    let host = isBracketed ? "[::1]" : String(authority.prefix { $0 != ":" }).lowercased()
    let port = authority.dropFirst(host.count)
    guard isBracketed || Self.isHost(host), Self.isPort(port) else { return nil }
    self.text = "\(scheme)\(host)\(port)\(path)"
    isSecure = scheme == "https://"
    isLoopback = ["localhost", "127.0.0.1", "[::1]"].contains(host)
  }

  /// Whether a text is a host name or an IPv4 address.
  static func isHost(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isASCIILetterOrDigit }
      }
  }

  /// Whether a text is empty or a colon and a port.
  private static func isPort(_ text: Substring) -> Bool {
    if text.isEmpty { return true }
    let digits = text.dropFirst()
    return text.first == ":" && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && Int(digits).map { (1...65_535).contains($0) } ?? false
  }

  private static let refusedInPath = Array("?#\\{}<>\"^`|".utf8)
}

extension UInt8 {
  /// Whether the byte is one of `A…Z`, `a…z` and `0…9`.
  var isASCIILetterOrDigit: Bool {
    isLowercaseLetterOrDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
