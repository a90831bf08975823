import CCurl

/// A URL as libcurl itself takes it apart, so that what is checked is what is asked.
///
/// libcurl must have been loaded.
struct CurlURL: Hashable, Sendable {
  let text: String
  let origin: URLOrigin
  let hasUser: Bool

  /// Nil when the text is no URL.
  ///
  /// - Parameter base: What a relative reference is relative to; nil when it must be absolute.
  init?(_ reference: String, relativeTo base: CurlURL? = nil) {
    // libcurl would stop reading at a NUL, and guess a scheme where there is none.
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
