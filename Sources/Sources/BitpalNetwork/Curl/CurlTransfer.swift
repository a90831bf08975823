import BitpalModel
import CCurl
import Glibc

/// One transfer in progress: its request, the response so far, and the task that waits for it.
///
/// It is Sendable because all mutable state is either behind the lock of `waiter`, or used only by the thread of the
/// ``CurlWorker`` to which the transfer was added.
final class CurlTransfer: @unchecked Sendable {
  /// The request of a transfer.
  struct Plan: Sendable {
    let url: CurlURL
    /// The body of a POST; nil for a GET.
    let body: [UInt8]?
    /// The headers as `Name: value`, already validated.
    let headerLines: [String]
    let userAgent: String
    let proxy: String?
    let timeout: Duration
    var refusesPrivateAddresses = false
    let limits: CurlLimits
  }

  /// The failure of a transfer.
  enum Failure: Error, Hashable, Sendable {
    case timedOut
    case fault(NetworkFault)
  }

  private enum Waiter {
    case none
    case waiting(CheckedContinuation<HTTPResponse, any Error>)
    case settled(Result<HTTPResponse, any Error>)
  }

  let plan: Plan
  private let waiter = Locked(Waiter.none)

  // Only the worker's thread uses the following.
  private var easy: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
  private var received: ReceivedMessage

  /// Not 0 when a connection to a private address was refused.
  private let refused = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  /// The number of times that libcurl has begun to send the request; only the first one has a token of the budget.
  private let sent = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  init(_ plan: Plan) {
    self.plan = plan
    received = ReceivedMessage(limits: plan.limits)
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    refused.initialize(to: 0)
    sent.initialize(to: 0)
  }

  deinit {
    if let easy { bitpal_curl_easy_cleanup(easy) }
    if let headerList { bitpal_curl_slist_free(headerList) }
    errorText.deallocate()
    refused.deallocate()
    sent.deallocate()
  }

  // MARK: Waiting

  /// Runs the transfer and returns its response; cancelling the task ends it at once.
  ///
  /// - Throws: ``Failure``, or `CancellationError` when the task is cancelled or the worker stops.
  func run(on worker: CurlWorker) async throws -> HTTPResponse {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let early = waiter.withLock { waiter -> Result<HTTPResponse, any Error>? in
          if case .settled(let result) = waiter { return result }
          waiter = .waiting(continuation)
          return nil
        }
        if let early { continuation.resume(with: early) } else { worker.add(self) }
      }
    } onCancel: {
      settle(.failure(CancellationError()))
      worker.cancel(self)
    }
  }

  /// Resumes the waiting task; only the first call has an effect.
  func settle(_ result: Result<HTTPResponse, any Error>) {
    let continuation = waiter.withLock { waiter -> CheckedContinuation<HTTPResponse, any Error>? in
      switch waiter {
      case .none:
        waiter = .settled(result)
        return nil
      case .waiting(let continuation):
        waiter = .settled(result)
        return continuation
      case .settled:
        return nil
      }
    }
    continuation?.resume(with: result)
  }

  /// Whether no task waits any more.
  var isSettled: Bool {
    waiter.withLock { if case .settled = $0 { true } else { false } }
  }

  // MARK: On the worker's thread

  /// Returns the easy handle, which the first call creates and configures; nil when libcurl refuses.
  func handle() -> UnsafeMutableRawPointer? {
    if let easy { return easy }
    guard let easy = bitpal_curl_easy_init() else { return nil }
    self.easy = easy
    for line in plan.headerLines {
      guard let longer = bitpal_curl_slist_append(headerList, line) else { return nil }
      headerList = longer
    }
    return configure(easy) ? easy : nil
  }

  private func configure(_ easy: UnsafeMutableRawPointer) -> Bool {
    let limits = plan.limits
    let origin = plan.url.origin
    func set(_ option: CURLoption, _ value: Int) -> Bool { bitpal_curl_set_long(easy, option, value) == CURLE_OK }
    func set(_ option: CURLoption, _ value: String) -> Bool { bitpal_curl_set_text(easy, option, value) == CURLE_OK }
    let context = Unmanaged.passUnretained(self).toOpaque()

    // Only newer versions of libcurl have this option; without it the rules below still hold.
    _ = set(CURLOPT_PROTOCOLS_STR, origin.scheme)
    // Otherwise the end of a transfer would wait for the name look-up of the system.
    _ = set(CURLOPT_QUICK_EXIT, 1)

    return set(CURLOPT_URL, plan.url.text)
      && (plan.body.map { setBody($0, of: easy) } ?? set(CURLOPT_HTTPGET, 1))
      && set(CURLOPT_NOSIGNAL, 1)
      && set(CURLOPT_FOLLOWLOCATION, 0)
      && bitpal_curl_send_once(easy, sent) == CURLE_OK
      && (!refusesPrivateAddresses || bitpal_curl_refuse_private(easy, refused) == CURLE_OK)
      && set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
      // HTTP/2 requests share a connection: wait for the one in progress instead of opening another.
      && set(CURLOPT_PIPEWAIT, origin.scheme == "https" ? 1 : 0)
      && set(CURLOPT_USERAGENT, plan.userAgent)
      && bitpal_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList) == CURLE_OK
      && set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
      // Requests to this machine bypass the proxy: otherwise they would leave it unencrypted.
      && (origin.isLoopback ? set(CURLOPT_PROXY, "") : plan.proxy.map { set(CURLOPT_PROXY, $0) } ?? true)
      && set(CURLOPT_TIMEOUT_MS, max(1, Int(clamping: plan.timeout.milliseconds)))
      && set(CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(clamping: limits.connect.milliseconds)))
      && set(CURLOPT_LOW_SPEED_LIMIT, limits.stallRate)
      && set(CURLOPT_LOW_SPEED_TIME, max(1, Int(clamping: limits.stallTime.components.seconds)))
      && bitpal_curl_set_offset(easy, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(limits.bodyBytes)) == CURLE_OK
      && bitpal_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText) == CURLE_OK
      && bitpal_curl_set_receiver(easy, CURLOPT_HEADERFUNCTION, receiveHeader) == CURLE_OK
      && bitpal_curl_set_pointer(easy, CURLOPT_HEADERDATA, context) == CURLE_OK
      && bitpal_curl_set_receiver(easy, CURLOPT_WRITEFUNCTION, receiveBody) == CURLE_OK
      && bitpal_curl_set_pointer(easy, CURLOPT_WRITEDATA, context) == CURLE_OK
  }

  /// Makes the transfer a POST with a body.
  ///
  /// A POST has a connection of its own: when a kept connection turns out to be closed, libcurl sends the request
  /// again, and it would be unknown whether the server had read the first one.
  private func setBody(_ body: [UInt8], of easy: UnsafeMutableRawPointer) -> Bool {
    bitpal_curl_set_long(easy, CURLOPT_POST, 1) == CURLE_OK
      && bitpal_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1) == CURLE_OK
      && bitpal_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)) == CURLE_OK
      && body.withUnsafeBytes { bytes in
        // libcurl copies the body, but does not accept a null address for an empty one.
        let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress) ?? UnsafeMutableRawPointer(errorText)
        return bitpal_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, start) == CURLE_OK
      }
  }

  fileprivate func header(_ line: UnsafeBufferPointer<UInt8>) -> Bool { received.header(line) }

  fileprivate func body(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { received.body(bytes) }

  /// Resumes the waiting task with libcurl's result.
  func finish(_ code: CURLcode) {
    if code == CURLE_OK, let response = received.response {
      settle(.success(response))
    } else if let fault = received.fault {
      settle(.failure(Failure.fault(fault)))
    } else {
      settle(.failure(failure(code)))
    }
    received = ReceivedMessage(limits: plan.limits)
  }

  /// Whether private addresses are refused; false behind a proxy, where only the proxy's address is visible.
  private var refusesPrivateAddresses: Bool {
    let variables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    return plan.refusesPrivateAddresses && plan.proxy == nil
      && !variables.contains { getenv($0).map { $0.pointee != 0 } ?? false }
  }

  private func failure(_ code: CURLcode) -> Failure {
    if refused.pointee != 0 { return .fault(.privateAddress) }
    if sent.pointee > 1 { return .fault(.emptyReply) }
    var total: curl_off_t = 0
    var connected: curl_off_t = 0
    var systemError = 0
    var verification = 0
    var proxyStatus = 0
    if let easy {
      _ = bitpal_curl_get_long(easy, CURLINFO_SSL_VERIFYRESULT, &verification)
      _ = bitpal_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE, &proxyStatus)
      _ = bitpal_curl_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
      _ = bitpal_curl_get_offset(easy, CURLINFO_TOTAL_TIME_T, &total)
      _ = bitpal_curl_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T, &connected)
    }
    return CurlFailure(
      code: code, text: String(cString: errorText), plan: plan, took: .microseconds(total), isConnected: connected > 0,
      bytes: received.bodyBytes, systemError: Int32(clamping: systemError), verification: verification,
      proxyStatus: proxyStatus
    ).failure
  }
}

private func receiveHeader(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, size, count, context) { $0.header($1) }
}

private func receiveBody(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
  receive(bytes, size, count, context) { $0.body($1) }
}

/// Passes received bytes to a transfer; a result that differs from their count makes libcurl end the transfer.
private func receive(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?,
  _ take: (CurlTransfer, UnsafeBufferPointer<UInt8>) -> Bool
) -> Int {
  guard let context else { return -1 }
  let length = size * count
  guard let bytes, length > 0 else { return 0 }
  let transfer = Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
  return bytes.withMemoryRebound(to: UInt8.self, capacity: length) { start in
    take(transfer, UnsafeBufferPointer(start: start, count: length)) ? length : 0
  }
}
