import BitpalModel

/// The faults that prevent a response, each with its message.
///
/// It leaves this module as ``/BitpalModel/BitpalError`` `.network`, as `.unreadable` for a response that cannot be used,
/// or as `.refused` by a proxy. The error also states whether a retry can help.
enum NetworkFault: Error, Hashable, Sendable {
  // A retry may help.
  case connectionRefused(port: Int, detail: String)
  case proxyUnreachable(String)
  case proxyRefused(proxy: String, status: Int, hasLogin: Bool)
  case noConnection(within: Duration)
  case reset
  case emptyReply
  case brokeOff(bytes: Int)
  case stalled(rate: Int, time: Duration)
  case other(String)

  // A retry does not help.
  case libraryMissing(String)
  case invalidURL
  case schemeRefused(String)
  case userInURL
  case invalidHeader(name: String)
  case nameNotResolved
  case privateAddress
  case untrusted(String)
  case tlsFailed(String)
  case tooManyRedirects(limit: Int)
  case redirectedElsewhere(String)
  case redirectedPost(String)

  // A retry does not help either: the response cannot be read.
  case notHTTP
  case badEncoding
  case unknownEncoding(String)
  case bodyTooLarge(limit: Int)
  case headersTooLarge(limit: Int)
  case tooManyHeaders(limit: Int)

  /// The message, without the host.
  var reason: String {
    switch self {
    case .connectionRefused(let port, let detail): "port \(port) cannot be reached: \(detail)"
    case .proxyUnreachable(let detail): "the proxy cannot be reached: \(detail)"
    case .proxyRefused(_, let status, let hasLogin):
      status == 407
        ? (hasLogin ? "it does not accept the user name and the password" : "it asks for a user name and a password")
          + "; write them into https_proxy, as http://USER:PASSWORD@HOST:PORT"
        : "it does not make the connection"
    case .noConnection(let limit): "no connection within \(limit.shortText)"
    case .reset: "the connection was reset"
    case .emptyReply: "it closed the connection without an answer"
    case .brokeOff(let bytes): "the answer broke off after \(bytes) bytes"
    case .stalled(let rate, let time): "it sent less than \(rate) bytes a second for \(time.shortText)"
    case .other(let text): text
    case .libraryMissing(let text): text.hasPrefix("libcurl ") ? text : "libcurl \(text)"
    case .invalidURL: "the URL is not valid"
    case .schemeRefused(let scheme):
      "only https is allowed, and http for this machine, but not \(scheme.isEmpty ? "this" : scheme) here"
    case .userInURL: "a user name in a URL is not allowed"
    case .invalidHeader(let name): "a header cannot be sent: \(name) has a line end or a NUL in it"
    case .nameNotResolved: "the name does not resolve"
    case .privateAddress: "its name leads to this machine or a private network, which this provider must not ask"
    case .untrusted(let detail): "its certificate is not trusted" + (detail.isEmpty ? "" : ": \(detail)")
    case .tlsFailed(let detail): "TLS failed" + (detail.isEmpty ? "" : ": \(detail)")
    case .tooManyRedirects(let limit): "it redirects more than \(limit) times"
    case .redirectedElsewhere(let place): "it redirects to \(place), which is not followed"
    case .redirectedPost(let place): "it redirects a POST, which is sent only once, to \(place)"
    case .notHTTP: "it is not HTTP"
    case .badEncoding: "its compression is damaged"
    case .unknownEncoding(let name): "it is encoded as \(name.printable(limit: 60)), which is not read"
    case .bodyTooLarge(let limit): "it is larger than \(Self.size(limit))"
    case .headersTooLarge(let limit): "its headers are larger than \(Self.size(limit))"
    case .tooManyHeaders(let limit): "it has more than \(limit) headers"
    }
  }

  /// Whether a retry cannot help.
  var isFinal: Bool {
    switch self {
    case .connectionRefused, .proxyUnreachable, .noConnection, .reset, .emptyReply, .brokeOff, .stalled, .other:
      false
    case .libraryMissing, .invalidURL, .schemeRefused, .userInURL, .invalidHeader, .nameNotResolved, .privateAddress,
      .untrusted, .tlsFailed, .proxyRefused, .tooManyRedirects, .redirectedElsewhere, .redirectedPost, .notHTTP,
      .badEncoding, .unknownEncoding, .bodyTooLarge, .headersTooLarge, .tooManyHeaders:
      true
    }
  }

  /// Whether no byte of the request can have left this machine: there was no address, no connection or no TLS, or
  /// nothing was tried.
  private var isUnsent: Bool {
    switch self {
    case .connectionRefused, .proxyUnreachable, .proxyRefused, .noConnection, .libraryMissing, .invalidURL,
      .schemeRefused, .userInURL, .invalidHeader, .nameNotResolved, .privateAddress, .untrusted, .tlsFailed:
      true
    case .reset, .emptyReply, .brokeOff, .stalled, .other, .tooManyRedirects, .redirectedElsewhere, .redirectedPost,
      .notHTTP, .badEncoding, .unknownEncoding, .bodyTooLarge, .headersTooLarge, .tooManyHeaders:
      false
    }
  }

  /// Returns the error that leaves this module.
  ///
  /// - Parameter isFirst: Whether the fault concerns the first request, and not one after a redirect.
  func error(host: String, isFirst: Bool = true) -> BitpalError {
    switch self {
    case .notHTTP, .badEncoding, .unknownEncoding, .bodyTooLarge, .headersTooLarge, .tooManyHeaders, .tooManyRedirects,
      .redirectedElsewhere, .redirectedPost:
      .unreadable(provider: host, reason: reason)
    case .proxyRefused(let proxy, let status, _):
      .refused(provider: proxy, status: status, reason: reason)
    default:
      .network(host: host, reason: reason, isFinal: isFinal, isSent: !isUnsent || !isFirst)
    }
  }

  private static func size(_ bytes: Int) -> String {
    if bytes >= 1 << 20, bytes % (1 << 20) == 0 { return "\(bytes >> 20) MiB" }
    return bytes >= 1 << 10 && bytes % (1 << 10) == 0 ? "\(bytes >> 10) KiB" : "\(bytes) bytes"
  }
}
