/// Where a URL points to, as far as trust is concerned: scheme, host and port (RFC 6454).
struct URLOrigin: Hashable, Sendable {
  let scheme: String
  let host: String
  let port: Int

  init(scheme: String, host: String, port: Int) {
    self.scheme = scheme.lowercased()
    self.host = host.lowercased()
    self.port = port
  }

  /// True for this machine: `localhost`, 127.0.0.0/8 and `[::1]`.
  var isLoopback: Bool {
    if host == "localhost" || host == "[::1]" { return true }
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
  }

  /// Whether requests may go there: https anywhere, http to this machine only.
  var isAllowed: Bool {
    !host.isEmpty && (scheme == "https" || scheme == "http" && isLoopback)
  }

  /// The origin for people; the port only where it is not the scheme's own.
  var text: String {
    let isUsual = port == 0 || (scheme == "https" && port == 443) || (scheme == "http" && port == 80)
    return "\(scheme)://\(host)" + (isUsual ? "" : ":\(port)")
  }
}
