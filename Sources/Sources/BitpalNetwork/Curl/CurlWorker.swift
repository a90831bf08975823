import BitpalModel
import CCurl
import Glibc

/// The thread that owns libcurl's multi handle: all transfers run on it, and it sleeps while there are none.
///
/// It is Sendable because only the worker's thread uses `multi` and `active`. The one exception is waking it up, which
/// libcurl allows on any thread; that happens under the lock that also guards the handle's end.
final class CurlWorker: @unchecked Sendable {
  private struct Inbox {
    var added: [CurlTransfer] = []
    var cancelled: [CurlTransfer] = []
    var isStopping = false
    var isAlive = true
    var thread: pthread_t?
  }

  private let multi: UnsafeMutableRawPointer
  private let inbox = Locked(Inbox())
  private var active: [UnsafeMutableRawPointer: CurlTransfer] = [:]

  /// Starts the thread; nil when the system has no thread left, or no descriptor that can wake it.
  ///
  /// libcurl must have been loaded.
  init?() {
    guard let multi = bitpal_curl_multi_init() else { return nil }
    guard bitpal_curl_multi_wakeup(multi) == CURLM_OK else {
      bitpal_curl_multi_cleanup(multi)
      return nil
    }
    self.multi = multi
    _ = bitpal_curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, 6)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<CurlWorker>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      bitpal_curl_multi_cleanup(multi)
      return nil
    }
    inbox.withLock { [thread] in $0.thread = thread }
  }

  /// Adds a transfer; after the worker's end it fails with `CancellationError`.
  func add(_ transfer: CurlTransfer) {
    let isTaken = inbox.withLock { inbox in
      guard inbox.isAlive, !inbox.isStopping else { return false }
      inbox.added.append(transfer)
      wake()
      return true
    }
    if !isTaken { transfer.settle(.failure(CancellationError())) }
  }

  /// Removes a transfer for which no task waits any more.
  func cancel(_ transfer: CurlTransfer) {
    inbox.withLock { inbox in
      guard inbox.isAlive else { return }
      inbox.cancelled.append(transfer)
      wake()
    }
  }

  /// Ends the thread and waits for its end: the process may exit right afterwards, and must not unload TLS while a
  /// thread uses it.
  func stop() {
    let thread = inbox.withLock { inbox in
      inbox.isStopping = true
      if inbox.isAlive { wake() }
      let thread = inbox.thread
      inbox.thread = nil
      return thread
    }
    if let thread { pthread_join(thread, nil) }
  }

  private func wake() { _ = bitpal_curl_multi_wakeup(multi) }

  // MARK: The thread

  private func run() {
    // Other threads handle signals, and a broken pipe must not end the process.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)

    while drainInbox() {
      var isWorking = bitpal_curl_multi_perform(multi) == CURLM_OK
      var code = CURLE_OK
      while let easy = bitpal_curl_multi_next_done(multi, &code) { end(easy, code) }
      // Returns early when a socket, a timer of libcurl or `wake` has news.
      isWorking = isWorking && bitpal_curl_multi_poll(multi, 60_000) == CURLM_OK
      if !isWorking { for easy in Array(active.keys) { end(easy, CURLE_FAILED_INIT) } }
    }
    for (easy, transfer) in active {
      _ = bitpal_curl_multi_remove(multi, easy)
      transfer.settle(.failure(CancellationError()))
    }
    active.removeAll()
    let left = inbox.withLock { inbox in
      inbox.isAlive = false
      return inbox.added
    }
    for transfer in left { transfer.settle(.failure(CancellationError())) }
    bitpal_curl_multi_cleanup(multi)
  }

  /// Takes the added and cancelled transfers from the inbox; false when the worker is to stop.
  private func drainInbox() -> Bool {
    let (added, cancelled, isStopping) = inbox.withLock { inbox in
      let taken = (inbox.added, inbox.cancelled, inbox.isStopping)
      inbox.added = []
      inbox.cancelled = []
      return taken
    }
    for transfer in cancelled {
      if let easy = active.first(where: { $0.value === transfer })?.key {
        _ = bitpal_curl_multi_remove(multi, easy)
        active[easy] = nil
      }
    }
    for transfer in added where !transfer.isSettled {
      guard let easy = transfer.handle(), bitpal_curl_multi_add(multi, easy) == CURLM_OK else {
        transfer.settle(.failure(CurlTransfer.Failure.fault(.other("libcurl refuses the request"))))
        continue
      }
      active[easy] = transfer
    }
    return !isStopping
  }

  private func end(_ easy: UnsafeMutableRawPointer, _ code: CURLcode) {
    _ = bitpal_curl_multi_remove(multi, easy)
    active.removeValue(forKey: easy)?.finish(code)
  }
}

/// The libcurl library that this process uses.
package enum CurlLibrary {
  /// The version of libcurl, or the reason why it is missing.
  package enum Presence: Hashable, Sendable {
    /// libcurl is loaded; its version is like `7.88.1`, and that of its TLS library like `OpenSSL/3.0.15`.
    case loaded(version: String, tls: String?)

    /// libcurl cannot be loaded; the text says what to install.
    case missing(String)
  }

  /// Loads libcurl once per process, and returns its version.
  package static func load() -> Presence {
    if let problem = bitpal_curl_load() { return .missing(String(cString: problem)) }
    // `libcurl/7.88.1 OpenSSL/3.0.15 zlib/1.2.13 …`: libcurl first, then the TLS library.
    let words = String(cString: bitpal_curl_version()).split(separator: " ")
    let version = words.first?.split(separator: "/").last.map(String.init) ?? "unknown"
    return .loaded(version: version, tls: words.dropFirst().first.map(String.init))
  }
}
