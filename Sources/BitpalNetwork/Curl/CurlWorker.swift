import BitpalModel
import CCurl
import Glibc

/// The thread that owns the multi handle: all transfers run on it, and it sleeps while there is nothing to do.
///
/// Sendable holds because `multi` is used by the worker's thread only, but for waking it up, which libcurl allows from
/// anywhere and which happens under the lock that also guards the handle's end; `active` is the thread's own.
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

  /// Starts the thread; nil when the system has no more of them, or no descriptor by which it could be woken.
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

  /// Hands a transfer over.
  func add(_ transfer: CurlTransfer) {
    let isTaken = inbox.withLock { inbox in
      guard inbox.isAlive, !inbox.isStopping else { return false }
      inbox.added.append(transfer)
      wake()
      return true
    }
    if !isTaken { transfer.settle(.failure(CancellationError())) }
  }

  /// Ends a transfer for which no task waits any more.
  func cancel(_ transfer: CurlTransfer) {
    inbox.withLock { inbox in
      guard inbox.isAlive else { return }
      inbox.cancelled.append(transfer)
      wake()
    }
  }

  /// Ends the thread, and returns when it has ended: the process may exit right after, and must not take TLS away from
  /// under a running thread.
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
    // Signals are for the threads that expect them, and a broken pipe must not end the process.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)

    while drainInbox() {
      var isWorking = bitpal_curl_multi_perform(multi) == CURLM_OK
      var code = CURLE_OK
      while let easy = bitpal_curl_multi_next_done(multi, &code) { end(easy, code) }
      // Returns early when a socket, a timer of libcurl or `wake` has news.
      isWorking = isWorking && bitpal_curl_multi_poll(multi, 60_000) == CURLM_OK
      if !isWorking { for easy in Array(active.keys) { end(easy, CURLE_OUT_OF_MEMORY) } }
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

  /// Takes in what others want; false when that is the end.
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

/// The libcurl that this process uses; asking for it loads it.
package enum CurlLibrary {
  /// The version of libcurl, or the reason why it is missing.
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
