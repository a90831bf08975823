/// The base URL of requests.
package struct BaseURL: Hashable, Sendable {
  /// The URL without a trailing slash, scheme and host in lower case.
  package let text: String

  /// The host, in lower case.
  package let host: String

  /// Whether the scheme is https.
  package let isSecure: Bool

  /// Whether the host is this machine.
  package let isLoopback: Bool

  /// Reads a URL of a scheme (http or https), a host, a port and a path; nil for anything else.
  ///
  /// A user name, a query, a fragment, spaces and backslashes are refused, because each has been used to disguise the
  /// host of a URL.
  package init?(_ text: String) {
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
    self.host = host
    self.text = "\(scheme)\(host)\(port)\(path)"
    isSecure = scheme == "https://"
    isLoopback = ["localhost", "127.0.0.1", "[::1]"].contains(host)
  }

  /// Returns whether a text is a host name or an IPv4 address.
  package static func isHost(_ text: String) -> Bool {
    let labels = text.split(separator: ".", omittingEmptySubsequences: false)
    return text.utf8.count <= 253
      && labels.allSatisfy { label in
        !label.isEmpty && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0.isASCIILetterOrDigit }
      }
  }

  /// Returns whether a host is this machine or belongs to a private network by its name or address (RFC 1918, RFC 6761,
  /// RFC 6762).
  ///
  /// A host whose last label is a number in another form than four decimal ones, like `127.1`, counts as private, because
  /// the system reads it as an address. The answer of a name server is the transport's to check.
  package static func isPrivate(_ host: String) -> Bool {
    let host = host.lowercased()
    let labels = host.split(separator: ".")
    guard let last = labels.last, labels.count > 1, !host.hasPrefix("[") else { return true }
    guard last.first?.isNumber == true else {
      return ["localhost", "local", "lan", "internal"].contains(last) || host.hasSuffix(".home.arpa")
    }
    let bytes = labels.compactMap { $0.count > 1 && $0.hasPrefix("0") ? nil : UInt8($0) }
    guard bytes.count == 4, labels.count == 4 else { return true }
    return switch (bytes[0], bytes[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168), (224..., _): true
    case (100, 64...127), (172, 16...31), (198, 18...19): true
    default: bytes.starts(with: [192, 0, 0])
    }
  }

  /// Returns whether a text is empty or a colon and a port.
  private static func isPort(_ text: Substring) -> Bool {
    if text.isEmpty { return true }
    let digits = text.dropFirst()
    return text.first == ":" && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
      && Int(digits).map { (1...65_535).contains($0) } ?? false
  }

  private static let refusedInPath = Array("?#\\{}<>\"^`|".utf8)
}

/// The rules for a header of a request that a provider may set.
package enum RequestHeader {
  /// Returns whether a text can be a header's name.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
  }

  /// Returns whether a text can be a header's value: printable ASCII.
  package static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7E).contains($0) } }

  /// Returns whether a header is set by the transport itself, or would change or split the request.
  package static func isTransports(_ name: String) -> Bool { transports.contains(name.lowercased()) }

  private static let transports: Set<String> = [
    "accept-encoding", "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization",
    "proxy-connection", "range", "te", "trailer", "transfer-encoding", "upgrade",
  ]
}

extension UInt8 {
  /// Whether the byte is one of `a…z` and `0…9`.
  package var isLowercaseLetterOrDigit: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
  }

  /// Whether the byte is one of `A…Z`, `a…z` and `0…9`.
  package var isASCIILetterOrDigit: Bool {
    isLowercaseLetterOrDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
