import BitpalModel
import CCurl
import Glibc

/// A connection with TLS for a protocol that is not HTTP: libcurl connects, verifies and encrypts, and bytes are sent and
/// received.
///
/// It must not be used by several threads at once; its owner ensures that. Each operation blocks the thread of the
/// caller, at most until a given instant.
package final class CurlStream {
  private let easy: UnsafeMutableRawPointer
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 64 << 10)

  /// Connects to a host.
  ///
  /// - Parameters:
  ///   - host: The host as in a URL.
  ///   - certificates: A file of the authorities for the server's certificate; nil for those of the system.
  ///   - patience: The longest time for connecting, TLS included.
  /// - Throws: ``StreamFault/silent`` when the time limit passes, ``StreamFault/broken(_:)`` when libcurl is missing or cannot
  ///   connect.
  package init(to host: String, port: Int, certificates: String?, within patience: Duration) throws(StreamFault) {
    if let problem = bitpal_curl_load() { throw .broken(String(cString: problem)) }
    guard let easy = bitpal_curl_easy_init() else { throw .broken("out of memory") }
    self.easy = easy
    func set(_ option: CURLoption, _ value: Int) -> Bool { bitpal_curl_set_long(easy, option, value) == CURLE_OK }
    func set(_ option: CURLoption, _ value: String) -> Bool { bitpal_curl_set_text(easy, option, value) == CURLE_OK }
    // Otherwise libcurl would also accept the authorities in the system's folder.
    func only(by file: String) -> Bool {
      set(CURLOPT_CAINFO, file) && bitpal_curl_set_pointer(easy, CURLOPT_CAPATH, nil) == CURLE_OK
    }
    let milliseconds = max(1, Int(clamping: patience.milliseconds))
    // No HTTP is ever sent.
    guard set(CURLOPT_URL, "https://\(host):\(port)/"), set(CURLOPT_CONNECT_ONLY, 1), set(CURLOPT_NOSIGNAL, 1),
      set(CURLOPT_PROXY, ""),
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
  /// - Throws: ``StreamFault/silent`` when not all is sent by `end`, ``StreamFault/broken(_:)`` when the connection fails.
  package func send(_ bytes: [UInt8], until end: ContinuousClock.Instant) throws(StreamFault) {
    var sent = 0
    while sent < bytes.count {
      var count = 0
      let code = bytes.withUnsafeBytes { all in
        bitpal_curl_easy_send(easy, all.baseAddress?.advanced(by: sent), all.count - sent, &count)
      }
      switch code {
      case CURLE_OK: sent += count
      case CURLE_AGAIN: try StreamFault.wait(for: POLLOUT, of: descriptor, until: end)
      default: throw .broken(CurlFailure.description(of: code))
      }
    }
  }

  /// Returns the next bytes, at least one.
  ///
  /// - Throws: ``StreamFault/silent`` when none has come by `end`, ``StreamFault/broken(_:)`` when the connection fails or is
  ///   closed.
  package func receive(until end: ContinuousClock.Instant) throws(StreamFault) -> ArraySlice<UInt8> {
    while true {
      var count = 0
      let code = buffer.withUnsafeMutableBytes { bitpal_curl_easy_recv(easy, $0.baseAddress, $0.count, &count) }
      switch code {
      case CURLE_OK where count > 0: return buffer[..<count]
      case CURLE_OK: throw .broken("the server has closed the connection")
      case CURLE_AGAIN: try StreamFault.wait(for: POLLIN, of: descriptor, until: end)
      default: throw .broken(CurlFailure.description(of: code))
      }
    }
  }
}
