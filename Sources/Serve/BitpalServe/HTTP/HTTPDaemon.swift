package import BitpalModel
import CHTTPD
import Glibc

/// The libmicrohttpd library that this process uses.
package enum HTTPLibrary {
  /// Loads the library, and returns its version, such as `0.9.75`, or an error that says what to install.
  package static func load() -> Result<String, BitpalError> {
    if let problem = bitpal_httpd_load() {
      return .failure(.dataFile(path: "libmicrohttpd", reason: String(cString: problem)))
    }
    return .success(String(cString: bitpal_httpd_version()))
  }
}

/// An HTTP server based on libmicrohttpd.
///
/// One thread of the library reads and writes all connections. A Swift task answers a request while its connection is
/// suspended. The answer is handed to the thread, which alone uses the library's objects; only resuming a connection is
/// allowed on any thread.
package final class HTTPDaemon: Sendable {
  /// The limits of connections.
  ///
  /// The library's time limit applies to silence; these apply to the whole request, so that one byte every few seconds
  /// does not hold a connection for ever.
  package struct Limits: Sendable {
    /// The largest number of simultaneous connections.
    package var connections = 2048

    /// The longest time for which a connection may wait for a whole request.
    package var waiting = Duration.seconds(60)

    /// The same limit while at least three quarters of the connections are in use.
    package var waitingWhenFull = Duration.seconds(5)

    /// The longest time for an answer, including the time in which the client reads it.
    package var answering = Duration.seconds(300)

    /// The largest size in bytes of a request's line and headers.
    package var bytes = 32 * 1024

    package init() {}
  }

  /// The address at which the server listens, with the actual port.
  package let address: NetworkAddress
  private let state: DaemonState

  /// The library's daemon as a number, because a pointer may not leave a lock; 0 once it is being stopped.
  private let daemon: Locked<UInt>
  private let reaper: Task<Void, Never>

  /// Listens at an address and answers requests.
  ///
  /// - Parameters:
  ///   - atOnce: Returns refusals and known answers; runs on the library's thread and must not wait; nil for a request
  ///     that needs a task.
  ///   - answer: Returns the answer to a request; runs in a task of its own.
  /// - Throws: `BitpalError` when the library is missing or does not start, or the address is not available; ``AddressTaken``
  ///   when another program listens there.
  package init(
    on address: NetworkAddress, limits: Limits = Limits(), time: any TimeSource = SystemTime(),
    atOnce: @escaping @Sendable (WebHead) -> WebResponse?, answer: @escaping @Sendable (WebHead) async -> WebResponse
  ) throws {
    _ = try HTTPLibrary.load().get()
    let listener = try Listener(address)
    let state = DaemonState(limits: limits, time: time, atOnce: atOnce, answer: answer)
    var setup = bitpal_httpd_setup()
    setup.listener = listener.descriptor
    setup.connections = UInt32(limits.connections)
    setup.idle_seconds = UInt32(max(1, limits.answering.components.seconds))
    setup.bytes = limits.bytes
    // The state outlives the daemon: `deinit` stops the daemon before it releases the state.
    setup.context = Unmanaged.passUnretained(state).toOpaque()
    setup.begin = DaemonCallbacks.begin
    setup.answer = DaemonCallbacks.answer
    setup.end = DaemonCallbacks.end
    setup.connection = DaemonCallbacks.connection
    guard let daemon = bitpal_httpd_start(&setup) else {
      close(listener.descriptor)
      throw BitpalError.dataFile(
        path: "libmicrohttpd", reason: "the server does not start: \(String(cString: strerror(errno)))")
    }
    self.address = listener.address
    self.state = state
    self.daemon = Locked(UInt(bitPattern: daemon))
    reaper = Task {
      while (try? await time.sleep(for: min(limits.waiting, limits.waitingWhenFull) / 2)) != nil {
        state.reap()
        state.trimMemory()
      }
    }
  }

  deinit {
    reaper.cancel()
    if let daemon = takeDaemon() {
      state.abandon()
      bitpal_httpd_stop(daemon)
    }
  }

  private func takeDaemon() -> OpaquePointer? {
    OpaquePointer(
      bitPattern: daemon.withLock { daemon in
        defer { daemon = 0 }
        return daemon
      })
  }

  /// The number of open connections.
  package var connections: Int { state.connections.withLock { $0.count } }

  /// Whether the server is stopping, so that answers close their connections.
  package var isEnding: Bool { state.isEnding }

  /// Refuses further connections, finishes the requests in progress, and stops.
  ///
  /// Requests on open connections are still answered, with a header that closes the connection; the wait ends after a
  /// tenth of a second without a request. Streams end at once.
  ///
  /// - Parameter patience: The longest time for answers that have begun; requests that are not finished then are
  ///   answered with 503.
  package func stop(patience: Duration = .seconds(10)) async {
    guard let daemon = takeDaemon() else { return }
    reaper.cancel()
    state.end()
    let listener = bitpal_httpd_quiesce(daemon)
    if listener >= 0 { close(listener) }
    let end = state.time.monotonic + patience
    var quiet = 0
    while quiet < Self.quietSteps, state.time.monotonic < end {
      try? await SystemTime().sleep(for: Self.step)
      quiet = state.isQuiet ? quiet + 1 : 0
    }
    state.abandon()
    // Every request has an answer by now, which the library's thread writes within a moment.
    for _ in 0..<200 where !state.isQuiet { try? await SystemTime().sleep(for: Self.step) }
    bitpal_httpd_stop(daemon)
  }

  private static let step = Duration.milliseconds(10)

  /// The number of consecutive looks without a request: a client that sends another request does so within a few
  /// milliseconds.
  private static let quietSteps = 10
}
