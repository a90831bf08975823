import CCurl
import Glibc

/// The meaning of a result code of libcurl.
///
/// No sentence of libcurl is shown: its version and its TLS library would decide about the words. Its text is only read
/// for the name of the host that it could not connect to.
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
  /// The result of the TLS library's check of the certificate.
  let verification: Int
  /// The status of a proxy's answer to CONNECT; 0 for none.
  let proxyStatus: Int

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
    case CURLE_PROXY: .proxyUnreachable("it does not make the connection")
    case CURLE_PEER_FAILED_VERIFICATION: .untrusted(Self.certificateProblem(verification))
    case CURLE_GOT_NOTHING: .emptyReply
    case CURLE_RECV_ERROR where !(200...299).contains(proxyStatus) && proxyStatus != 0:
      .proxyRefused(proxy: plan.proxyPlace, status: proxyStatus, hasLogin: plan.proxyHasLogin)
    case CURLE_RECV_ERROR where text.contains("proxy") || text.contains("CONNECT"):
      .proxyUnreachable("it ended the connection")
    // Without an error of the system the bytes came, and are not HTTP's chunks or frames.
    case CURLE_RECV_ERROR where systemError == 0 && bytes > 0: .brokeOff(bytes: bytes)
    case CURLE_RECV_ERROR, CURLE_SEND_ERROR: .reset
    case CURLE_HTTP2, CURLE_HTTP2_STREAM: bytes > 0 ? .brokeOff(bytes: bytes) : .reset
    case CURLE_PARTIAL_FILE: .brokeOff(bytes: bytes)
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: .notHTTP
    case CURLE_BAD_CONTENT_ENCODING: .badEncoding
    case CURLE_FILESIZE_EXCEEDED: .bodyTooLarge(limit: plan.limits.bodyBytes)
    // libcurl has a limit for header lines of its own.
    case CURLE_OUT_OF_MEMORY where bytes == 0, Self.tooLarge where bytes == 0:
      .headersTooLarge(limit: plan.limits.headerBytes)
    case CURLE_URL_MALFORMAT: .invalidURL
    default: Self.tlsProblem(code).map { .tlsFailed($0) } ?? .other(Self.description(of: code))
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

  // MARK: Our own words

  /// Returns the meaning of a code that has no ``NetworkFault`` of its own.
  static func description(of code: CURLcode) -> String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: "the name does not resolve"
    case CURLE_COULDNT_CONNECT: "no connection"
    case CURLE_PEER_FAILED_VERIFICATION: "its certificate is not trusted"
    case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR: "the connection was reset"
    case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: "no memory is left for libcurl"
    case CURLE_ABORTED_BY_CALLBACK, CURLE_WRITE_ERROR: "libcurl ended the transfer"
    case CURLE_INTERFACE_FAILED, CURLE_NO_CONNECTION_AVAILABLE: "the system has no connection left"
    default: tlsProblem(code).map { "TLS failed: \($0)" } ?? "libcurl failed with code \(code.rawValue)"
    }
  }

  /// Returns the reason for which TLS failed; nil for a code about something else.
  private static func tlsProblem(_ code: CURLcode) -> String? {
    switch code {
    case CURLE_SSL_CONNECT_ERROR: "the two ends do not agree, or the other end does not speak it"
    case CURLE_SSL_CERTPROBLEM, CURLE_SSL_CLIENTCERT: "the server asks for a certificate of this machine"
    case CURLE_SSL_CIPHER: "no cipher is known to both ends"
    case CURLE_SSL_CACERT_BADFILE: "the file of trusted authorities cannot be read"
    case CURLE_SSL_CRL_BADFILE: "the file of revoked certificates cannot be read"
    case CURLE_SSL_ISSUER_ERROR: "the issuer of the certificate is not the expected one"
    case CURLE_SSL_INVALIDCERTSTATUS: "the certificate has been revoked, or its status is unknown"
    case CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
      "the TLS library does not start"
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_SHUTDOWN_FAILED: "the connection was not ended as TLS requires"
    default: nil
    }
  }

  /// Returns the problem of a certificate by the number that OpenSSL gives it (`X509_V_ERR_…`, x509_vfy.h).
  private static func certificateProblem(_ number: Int) -> String {
    switch number {
    case 9: "it is not valid yet"
    case 10: "it has expired"
    case 18: "self-signed"
    case 19: "self-signed in its chain"
    case 2, 20, 21: "its issuer is not known here"
    case 23: "it has been revoked"
    // The check of the name is libcurl's own, after the chain was found to be good.
    case 0, 62: "it is for another host"
    default: "it does not pass check \(number) of the TLS library"
    }
  }
}

extension CurlTransfer.Plan {
  /// The URL of the proxy for https, as libcurl chooses it.
  private var proxyURL: String? {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    let set = names.lazy.compactMap { getenv($0).map { String(cString: $0) } }.first { !$0.isEmpty }
    return (proxy ?? set).map { $0.contains("://") ? $0 : "http://" + $0 }
  }

  /// The host and the port of the proxy, without user name and password.
  fileprivate var proxyPlace: String {
    guard let origin = proxyURL.flatMap({ CurlURL($0) })?.origin else { return "the proxy" }
    return "the proxy \(origin.host)" + (origin.port > 0 ? ":\(origin.port)" : "")
  }

  fileprivate var proxyHasLogin: Bool { proxyURL.flatMap { CurlURL($0) }?.hasUser ?? false }
}
