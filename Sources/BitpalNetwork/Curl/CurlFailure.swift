import BitpalModel
import CCurl
import Glibc

/// The meaning of a result code of libcurl.
struct CurlFailure {
  let code: CURLcode
  /// The description that libcurl gives.
  let text: String
  let plan: CurlTransfer.Plan
  let took: Duration
  let isConnected: Bool
  let bytes: Int
  /// The system's error number for the last connection that failed; 0 for none.
  let systemError: Int32

  var failure: CurlTransfer.Failure {
    // libcurl looks at its clock in whole milliseconds.
    if code == CURLE_OPERATION_TIMEDOUT, took + .milliseconds(2) >= plan.timeout { return .timedOut }
    return .fault(fault)
  }

  private var fault: NetworkFault {
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      isConnected
        ? .stalled(rate: plan.limits.stallRate, time: plan.limits.stallTime)
        : .noConnection(within: plan.limits.connect)
    case CURLE_COULDNT_RESOLVE_HOST: .nameNotResolved
    case CURLE_COULDNT_RESOLVE_PROXY: .proxyUnreachable("its name does not resolve")
    case CURLE_COULDNT_CONNECT: connectFault
    case CURLE_PROXY: .proxyUnreachable(text)
    case CURLE_PEER_FAILED_VERIFICATION: .untrusted(certificateProblem)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CRL_BADFILE,
      CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_CLIENTCERT,
      CURLE_USE_SSL_FAILED:
      .tlsFailed(text)
    case CURLE_GOT_NOTHING: .emptyReply
    case CURLE_RECV_ERROR where text.contains("from proxy") || text.contains("CONNECT tunnel"):
      .proxyUnreachable(text)
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM: .reset
    case CURLE_PARTIAL_FILE: .brokeOff(bytes: bytes)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .notHTTP
    case CURLE_BAD_CONTENT_ENCODING: .badEncoding
    case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge(limit: plan.limits.bodyBytes)
    // libcurl has a limit for header lines of its own.
    case CURLE_OUT_OF_MEMORY where bytes == 0, Self.tooLarge where bytes == 0:
      .headersTooLarge(limit: plan.limits.headerBytes)
    case CURLE_URL_MALFORMAT: .invalidURL
    default: .other(text)
    }
  }

  /// `CURLE_TOO_LARGE` of libcurl 8.6 and newer, which the headers at hand may not know.
  private static let tooLarge = CURLcode(rawValue: 100)

  /// The fault of a failed connection: libcurl names the host, which is the proxy's when it is not the one of the URL.
  private var connectFault: NetworkFault {
    // The process has no descriptor left, so libcurl has tried no connection.
    if [EMFILE, ENFILE].contains(systemError) { return .other(String(cString: strerror(systemError)).lowercased()) }
    let opening = "Failed to connect to "
    guard text.hasPrefix(opening) else {
      // The description of libcurl would show the password in a proxy's URL.
      if text.contains("proxy scheme") { return .proxyUnreachable("its URL must begin with http:// or socks5://") }
      return .connectionRefused(port: plan.url.origin.port, detail: "no connection")
    }
    let rest = text.dropFirst(opening.count)
    let name = rest.prefix { $0 != " " }
    let host = plan.url.origin.host.filter { $0 != "[" && $0 != "]" }
    if name.lowercased() == host { return .connectionRefused(port: plan.url.origin.port, detail: "no connection") }
    let port = rest.split(separator: " ").dropFirst(2).first.map { " port \($0)" } ?? ""
    return .proxyUnreachable("no connection to \(name)\(port)")
  }

  /// The problem of a certificate, without the first words of libcurl's `SSL certificate problem: self-signed
  /// certificate`.
  private var certificateProblem: String {
    let opening = "SSL certificate problem: "
    return text.hasPrefix(opening) ? String(text.dropFirst(opening.count)) : text
  }
}
