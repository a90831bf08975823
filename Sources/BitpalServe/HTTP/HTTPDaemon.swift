package import BitpalModel
import CHTTPD
import Glibc

/// libmicrohttpd, as far as it is asked what it is.
package enum HTTPLibrary {
  /// Its version, such as `0.9.75`, or why there is none and what to install.
  package static func load() -> Result<String, BitpalError> {
    if let problem = bitpal_httpd_load() {
      return .failure(.dataFile(path: "libmicrohttpd", reason: String(cString: problem)))
    }
    return .success(String(cString: bitpal_httpd_version()))
  }
}

/// A server on libmicrohttpd: the one file that knows the library.
///
/// One thread of the library's reads and writes all connections. A request is answered by a Swift task, while its
/// connection is suspended; what the task says is handed to the thread, which alone touches the library's objects, but for
/// resuming a connection, which may be done from anywhere.
package final class HTTPDaemon: Sendable {
  /// The limits of connections.
  ///
  /// The library's own time limit is one of silence; ours are of the whole request, so that a byte every few seconds
  /// does not keep a connection for ever.
  package struct Limits: Sendable {
    /// The most connections at once.
    package var connections = 2048

    /// The longest time for which a connection may be open without a whole request.
    package var waiting = Duration.seconds(60)

    /// The same while three of four places are taken.
    package var waitingWhenFull = Duration.seconds(5)

    /// The longest time for an answer, including the time in which the client reads it.
    package var answering = Duration.seconds(300)

    /// The most bytes of a request's line and headers.
    package var bytes = 32 * 1024

    package init() {}
  }

  /// The address at which it listens, with the port that was chosen.
  package let address: NetworkAddress
  private let state: DaemonState

  /// The library's daemon, as a number, because a pointer may not leave a lock; 0 once it was taken to be stopped.
  private let daemon: Locked<UInt>
  private let reaper: Task<Void, Never>

  /// Starts to listen, and to answer.
  ///
  /// - Parameters:
  ///   - atOnce: Returns refusals and known answers on the library's thread, where it must not wait; nil for a request
  ///     that needs a task.
  ///   - answer: Returns the answer to a request; called in a task of its own.
  /// - Throws: `BitpalError` when the library is missing, or the address cannot be had.
  package init(
    on address: NetworkAddress, limits: Limits = Limits(), time: any TimeSource = SystemTime(),
    atOnce: @escaping @Sendable (WebHead) -> WebResponse?, answer: @escaping @Sendable (WebHead) async -> WebResponse
  ) throws(BitpalError) {
    _ = try HTTPLibrary.load().get()
    let listener = try Listener(address)
    let state = DaemonState(limits: limits, time: time, atOnce: atOnce, answer: answer)
    var setup = bitpal_httpd_setup()
    setup.listener = listener.descriptor
    setup.connections = UInt32(limits.connections)
    setup.idle_seconds = UInt32(max(1, limits.answering.components.seconds))
    setup.bytes = limits.bytes
    // The state outlives the daemon, which `deinit` has stopped before it lets go of it.
    setup.context = Unmanaged.passUnretained(state).toOpaque()
    setup.begin = DaemonCallbacks.begin
    setup.answer = DaemonCallbacks.answer
    setup.end = DaemonCallbacks.end
    setup.connection = DaemonCallbacks.connection
    guard let daemon = bitpal_httpd_start(&setup) else {
      close(listener.descriptor)
      throw .dataFile(path: "libmicrohttpd", reason: "the server does not start: \(String(cString: strerror(errno)))")
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

  /// The number of connections.
  package var connections: Int { state.connections.withLock { $0.count } }

  /// Whether it is about to stop, so that answers close their connections.
  package var isEnding: Bool { state.isEnding }

  /// Takes no further connection, finishes what has begun, and stops.
  ///
  /// A request on an open connection is still answered, with a header that closes it; the wait ends when there has been
  /// no request for a moment. Streams end at once.
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
    // Each has been answered by now, and is written by the library's thread within a moment.
    for _ in 0..<200 where !state.isQuiet { try? await SystemTime().sleep(for: Self.step) }
    bitpal_httpd_stop(daemon)
  }

  private static let step = Duration.milliseconds(10)

  /// The number of looks in a row without a request: a client that is about to ask again does so within a few
  /// milliseconds.
  private static let quietSteps = 10
}
