import CCurl

/// The libcurl that this process uses; asking for it loads it.
package enum CurlLibrary {
  /// What libcurl says of itself, or why there is none.
  package enum Presence: Hashable, Sendable {
    /// It is there, such as `7.88.1`, with that TLS library, such as `OpenSSL/3.0.15`.
    case loaded(version: String, tls: String?)

    /// It cannot be loaded; the words say what to install.
    case missing(String)
  }

  /// Loads libcurl, once for the process.
  package static func load() -> Presence {
    if let problem = bitpal_curl_load() { return .missing(String(cString: problem)) }
    // `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …`: libcurl first, then the TLS library.
    let words = String(cString: bitpal_curl_version()).split(separator: " ")
    let version = words.first?.split(separator: "/").last.map(String.init) ?? "unknown"
    return .loaded(version: version, tls: words.dropFirst().first.map(String.init))
  }
}
