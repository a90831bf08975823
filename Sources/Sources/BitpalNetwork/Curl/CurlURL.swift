import CCurl

/// A URL as libcurl itself parses it, so that the checks apply to exactly what is requested.
///
/// libcurl must have been loaded.
struct CurlURL: Hashable, Sendable {
  let text: String
  let origin: URLOrigin
  let hasUser: Bool

  /// Parses a text; nil when it is not a URL.
  ///
  /// - Parameter base: The base of a relative reference; nil when it must be absolute.
  init?(_ reference: String, relativeTo base: CurlURL? = nil) {
    // libcurl would stop reading at a NUL, and guess a scheme where none is given.
    guard !reference.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
    guard base != nil || reference.contains("://") else { return nil }
    var parts = bitpal_curl_url()
    guard bitpal_curl_url_parse(base?.text, reference, &parts) == CURLUE_OK else { return nil }
    defer { bitpal_curl_url_free(&parts) }
    guard let url = parts.url, let scheme = parts.scheme else { return nil }
    text = String(cString: url)
    hasUser = parts.user != nil
    origin = URLOrigin(
      scheme: String(cString: scheme), host: parts.host.map { String(cString: $0) } ?? "", port: Int(parts.port))
  }
}

/// The origin of a URL: scheme, host and port (RFC 6454).
struct URLOrigin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }

  /// Whether the host is this machine: `localhost`, 127.0.0.0/8 or `[::1]`.
  var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether requests may be sent to it: https to any host, http to this machine only.
  var isAllowed: Bool {
    !host.isEmpty && (scheme == "https" || scheme == "http" && isLoopback)
  }

  /// The origin for messages, without a port that is the scheme's default.
  var text: String {
    let isUsual = port == 0 || (scheme == "https" && port == 443) || (scheme == "http" && port == 80)
    return "\(scheme)://\(host)" + (isUsual ? "" : ":\(port)")
  }
}

/// The rule for redirects: a limited number, and never to another origin.
///
/// libcurl would follow them itself, but on the way to another host it removes only `Authorization`; a provider's key
/// may be in a header with another name.
struct RedirectRule: Hashable, Sendable {
  /// The decision about a redirect.
  enum Decision: Hashable, Sendable {
    case follow
    case refuse(NetworkFault)
  }

  let limit: Int

  /// Returns whether a status is a redirect, given a `Location`.
  static func isRedirect(_ status: Int) -> Bool { [301, 302, 303, 307, 308].contains(status) }

  /// Decides whether a redirect is followed.
  ///
  /// - Parameters:
  ///   - followed: The number of redirects that this request has followed.
  ///   - from: The origin of the response.
  ///   - to: The origin of the target; nil when the `Location` is not a URL.
  func decide(followed: Int, from: URLOrigin, to: URLOrigin?) -> Decision {
    guard let to else { return .refuse(.redirectedElsewhere("a place that is not a URL")) }
    guard to == from else { return .refuse(.redirectedElsewhere(to.text)) }
    return followed < limit ? .follow : .refuse(.tooManyRedirects(limit: limit))
  }
}
