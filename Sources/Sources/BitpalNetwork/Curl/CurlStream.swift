import BitpalModel
import CCurl
import Glibc

/// A connection for a protocol that is not HTTP: libcurl connects, verifies and encrypts, and bytes are sent and
/// received.
///
/// It must not be used by several threads at once; its owner ensures that. Each operation blocks the thread of the
/// caller, at most until a given instant.
package final class CurlStream {
  /// The other end of a connection.
  package enum Place: Hashable, Sendable {
    /// The host as in a URL.
    case host(String, port: Int, isEncrypted: Bool)
    case socket(String)
  }

  /// The reason why bytes cannot be received or sent.
  package enum Fault: Error, Hashable, Sendable {
    /// The time limit passed before bytes could be sent or received.
    case silent

    /// The connection failed or was closed; the description is ours or the system's.
    case broken(String)
  }

  private let easy: UnsafeMutableRawPointer
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Connects to a host or a socket, with TLS where the place asks for it.
  ///
  /// - Parameters:
  ///   - certificates: A file of the authorities for the server's certificate; nil for those of the system.
  ///   - patience: The longest time for connecting, TLS included.
  /// - Throws: ``Fault/silent`` when the time limit passes, ``Fault/broken(_:)`` when libcurl is missing or cannot
  ///   connect.
  package init(to place: Place, certificates: String?, within patience: Duration) throws(Fault) {
    if let problem = bitpal_curl_load() { throw .broken(String(cString: problem)) }
    guard let easy = bitpal_curl_easy_init() else { throw .broken("out of memory") }
    self.easy = easy
    func set(_ option: CURLoption, _ value: Int) -> Bool { bitpal_curl_set_long(easy, option, value) == CURLE_OK }
    func set(_ option: CURLoption, _ value: String) -> Bool { bitpal_curl_set_text(easy, option, value) == CURLE_OK }
    // Otherwise libcurl would also accept the authorities in the system's folder.
    func only(by file: String) -> Bool {
      set(CURLOPT_CAINFO, file) && bitpal_curl_set_pointer(easy, CURLOPT_CAPATH, nil) == CURLE_OK
    }
    // The scheme only decides about TLS: no HTTP is ever sent.
    let isSet: Bool
    switch place {
    case .host(let host, let port, let isEncrypted):
      isSet = set(CURLOPT_URL, "\(isEncrypted ? "https" : "http")://\(host):\(port)/")
    case .socket(let path):
      isSet = set(CURLOPT_URL, "http://localhost/") && set(CURLOPT_UNIX_SOCKET_PATH, path)
    }
    let milliseconds = max(1, Int(clamping: patience.milliseconds))
    guard isSet, set(CURLOPT_CONNECT_ONLY, 1), set(CURLOPT_NOSIGNAL, 1), set(CURLOPT_PROXY, ""),
      set(CURLOPT_SSL_ENABLE_ALPN, 0), set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds),
      set(CURLOPT_TIMEOUT_MS, milliseconds),
      set(CURLOPT_TCP_KEEPALIVE, 1), certificates.map({ only(by: $0) }) ?? true
    else {
      bitpal_curl_easy_cleanup(easy)
      throw .broken("libcurl does not take the settings of the connection")
    }
    let code = bitpal_curl_easy_perform(easy)
    guard code == CURLE_OK else {
      var message = CurlFailure.description(of: code)
      var number = 0
      if code == CURLE_COULDNT_CONNECT, bitpal_curl_get_long(easy, CURLINFO_OS_ERRNO, &number) == CURLE_OK, number > 0 {
        message = String(cString: strerror(Int32(clamping: number)))
      }
      bitpal_curl_easy_cleanup(easy)
      throw code == CURLE_OPERATION_TIMEDOUT ? .silent : .broken(message)
    }
    var socket = 0
    _ = bitpal_curl_get_socket(easy, &socket)
    descriptor = Int32(clamping: socket)
  }

  deinit {
    bitpal_curl_easy_cleanup(easy)
  }

  /// Sends all bytes.
  ///
  /// - Throws: ``Fault/silent`` when not all is sent by `end`, ``Fault/broken(_:)`` when the connection fails.
  package func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(Fault) {
    var sent = 0
    while sent < bytes.count {
      var count = 0
      let code = bytes.withUnsafeBytes { all in
        bitpal_curl_easy_send(easy, all.baseAddress?.advanced(by: sent), all.count - sent, &count)
      }
      switch code {
      case CURLE_OK: sent += count
      case CURLE_AGAIN: try wait(for: Int16(POLLOUT), until: end)
      default: throw .broken(CurlFailure.description(of: code))
      }
    }
  }

  /// Returns the next bytes, at least one.
  ///
  /// - Throws: ``Fault/silent`` when none has come by `end`, ``Fault/broken(_:)`` when the connection fails or is
  ///   closed.
  package func receive(until end: ContinuousClock.Instant) throws(Fault) -> ArraySlice<UInt8> {
    while true {
      var count = 0
      let code = buffer.withUnsafeMutableBytes { bitpal_curl_easy_recv(easy, $0.baseAddress, $0.count, &count) }
      switch code {
      case CURLE_OK where count > 0: return buffer[..<count]
      case CURLE_OK: throw .broken("the server has closed the connection")
      case CURLE_AGAIN: try wait(for: Int16(POLLIN), until: end)
      default: throw .broken(CurlFailure.description(of: code))
      }
    }
  }

  private func wait(for events: Int16, until end: ContinuousClock.Instant) throws(Fault) {
    var entry = pollfd(fd: descriptor, events: events, revents: 0)
    while true {
      let left = ContinuousClock.now.duration(to: end)
      guard left > .zero else { throw .silent }
      let count = poll(&entry, 1, Int32(clamping: max(1, left.milliseconds)))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw .broken(String(cString: strerror(errno))) }
    }
  }
}
