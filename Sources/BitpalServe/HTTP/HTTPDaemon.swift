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
  /// What connections may have.
  ///
  /// The library's own time limit is of silence; ours are of the whole, so that a byte every
  /// few seconds does not hold a place for ever.
  package struct Limits: Sendable {
    /// The most connections at once.
    package var connections = 2048

    /// How long a connection may be open without a whole request.
    package var waiting = Duration.seconds(60)

    /// The same while three of four places are taken.
    package var waitingWhenFull = Duration.seconds(5)

    /// How long an answer may take, with the time in which the client reads it.
    package var answering = Duration.seconds(300)

    /// The most bytes of a request's line and headers.
    package var bytes = 32 * 1024

    package init() {}
  }

  /// Where it listens; with the port that was chosen.
  package let address: NetworkAddress
  private let state: State

  /// The library's daemon, as a number, because a pointer may not leave a lock; 0 once it was taken to be stopped.
  private let daemon: Locked<UInt>
  private let reaper: Task<Void, Never>

  /// Starts to listen, and to answer.
  ///
  /// - Parameters:
  ///   - refusal: What is answered at once, on the library's thread; nil for what is to be answered.
  ///   - answer: What a request is answered; called in a task of its own.
  /// - Throws: `BitpalError` when the library is missing, or the address cannot be had.
  package init(
    on address: NetworkAddress, limits: Limits = Limits(), time: any TimeSource = SystemTime(),
    refusal: @escaping @Sendable (WebHead) -> WebResponse?, answer: @escaping @Sendable (WebHead) async -> WebResponse
  ) throws(BitpalError) {
    _ = try HTTPLibrary.load().get()
    let listener = try Listener(address)
    let state = State(limits: limits, time: time, refusal: refusal, answer: answer)
    var setup = bitpal_httpd_setup()
    setup.listener = listener.descriptor
    setup.connections = UInt32(limits.connections)
    setup.idle_seconds = UInt32(max(1, limits.answering.components.seconds))
    setup.bytes = limits.bytes
    // The state outlives the daemon, which `deinit` has stopped before it lets go of it.
    setup.context = Unmanaged.passUnretained(state).toOpaque()
    setup.begin = Callbacks.begin
    setup.answer = Callbacks.answer
    setup.end = Callbacks.end
    setup.connection = Callbacks.connection
    guard let daemon = bitpal_httpd_start(&setup) else {
      close(listener.descriptor)
      throw .dataFile(path: "libmicrohttpd", reason: "the server does not start: \(String(cString: strerror(errno)))")
    }
    self.address = listener.address
    self.state = state
    self.daemon = Locked(UInt(bitPattern: daemon))
    reaper = Task {
      while (try? await time.sleep(for: min(limits.waiting, limits.waitingWhenFull) / 2)) != nil { state.reap() }
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

  /// How many connections there are.
  package var connections: Int { state.connections.withLock { $0.count } }

  /// Takes no further connection, finishes what has begun, and stops.
  ///
  /// Whoever has a connection and asks on it is answered still, and told that it will be closed; it is over when nobody has
  /// asked for a moment.
  ///
  /// - Parameter patience: How long what has begun may take; what is not finished then is answered with 503.
  package func stop(patience: Duration = .seconds(10)) async {
    guard let daemon = takeDaemon() else { return }
    reaper.cancel()
    state.isEnding.withLock { $0 = true }
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
    for _ in 0..<50 where !state.isQuiet { try? await SystemTime().sleep(for: Self.step) }
    bitpal_httpd_stop(daemon)
  }

  private static let step = Duration.milliseconds(10)

  /// How often in a row nobody must be seen asking: a client that is about to ask again does so within a few milliseconds.
  private static let quietSteps = 10
}

/// What the library's thread and the tasks share.
private final class State: Sendable {
  let limits: HTTPDaemon.Limits
  let time: any TimeSource
  let refusal: @Sendable (WebHead) -> WebResponse?
  let answer: @Sendable (WebHead) async -> WebResponse

  /// The connections by their sockets, and since when each does what it does.
  let connections = Locked<[Int32: (isAnswering: Bool, since: Duration)]>([:])

  /// What is being answered, and whether nothing further may be.
  private let active = Locked<(exchanges: [ObjectIdentifier: Exchange], isClosed: Bool)>(([:], false))
  let isEnding = Locked(false)

  init(
    limits: HTTPDaemon.Limits, time: any TimeSource, refusal: @escaping @Sendable (WebHead) -> WebResponse?,
    answer: @escaping @Sendable (WebHead) async -> WebResponse
  ) {
    self.limits = limits
    self.time = time
    self.refusal = refusal
    self.answer = answer
  }

  func note(_ connection: OpaquePointer, isAnswering: Bool) {
    let socket = bitpal_httpd_socket(connection)
    let now = time.monotonic
    connections.withLock { $0[socket] = (isAnswering, now) }
  }

  /// Closes connections that have been at it for too long.
  ///
  /// The library closes a socket only after it has said so, which
  /// takes it from the list: none here is another's by now.
  func reap() {
    let now = time.monotonic
    connections.withLock { connections in
      let isFull = connections.count * 4 >= limits.connections * 3
      for (socket, connection) in connections {
        let limit =
          connection.isAnswering ? limits.answering : isFull ? limits.waitingWhenFull : limits.waiting
        if now - connection.since > limit { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Whether nothing is being answered.
  var isQuiet: Bool { active.withLock { $0.exchanges.isEmpty } }

  /// Notes that a request is being answered; false when it is too late for that.
  func begin(_ exchange: Exchange) -> Bool {
    active.withLock { active in
      if !active.isClosed { active.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !active.isClosed
    }
  }

  func end(_ exchange: Exchange) {
    active.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Answers what has no answer yet with 503, and whatever comes from now on: the library ends the process when a connection
  /// is suspended while it stops.
  func abandon() {
    let left = active.withLock { active in
      active.isClosed = true
      return Array(active.exchanges.values)
    }
    for exchange in left { exchange.finish(Self.stopping) }
  }

  /// What is answered when it is too late.
  static let stopping = WebResponse("the server stops\n", as: .text, status: 503)
}

/// One request: from its first line to its last byte.
///
/// Sendable holds because `connection` is used to resume alone, once, while the library keeps the connection for that; the
/// rest is touched on the library's thread only, or under its lock.
private final class Exchange: @unchecked Sendable {
  let target: String
  let connection: OpaquePointer

  /// The line and the headers, once all are there.
  var head: WebHead?
  var isSuspended = false
  private let response = Locked<WebResponse?>(nil)

  init(target: String, connection: OpaquePointer) {
    self.target = target
    self.connection = connection
  }

  var answer: WebResponse? { response.withLock { $0 } }

  /// Says what is answered, and has the library's thread look for it; what comes second is too late.
  func finish(_ answer: WebResponse) {
    let isFirst = response.withLock { response in
      defer { response = response ?? answer }
      return response == nil
    }
    if isFirst { bitpal_httpd_resume(connection) }
  }
}

/// What the library calls, on its thread.
private enum Callbacks {
  private static func state(_ context: UnsafeMutableRawPointer?) -> State? {
    context.map { Unmanaged<State>.fromOpaque($0).takeUnretainedValue() }
  }

  /// A request's line is there.
  static let begin: bitpal_httpd_target = { context, target, connection in
    guard let target, let connection else { return nil }
    let exchange = Exchange(target: String(cString: target), connection: connection)
    return Unmanaged.passRetained(exchange).toOpaque()
  }

  /// Called when the headers are there, again when the whole request is, and once more when its answer is.
  static let answer: MHD_AccessHandlerCallback = { context, connection, _, method, version, _, size, own in
    guard let state = state(context), let connection, let own = own?.pointee, let method, let version else {
      return .NO
    }
    let exchange = Unmanaged<Exchange>.fromOpaque(own).takeUnretainedValue()
    if let answer = exchange.answer { return queue(answer, on: connection, state) }
    guard let head = exchange.head else {
      let size = bitpal_httpd_head_size(connection)
      let head = WebHead(
        method: String(cString: method), version: String(cString: version), target: exchange.target,
        headers: headers(of: connection), size: size > 0 ? size : nil)
      exchange.head = head
      state.note(connection, isAnswering: true)
      return state.refusal(head).map { queue($0, on: connection, state) } ?? .YES
    }
    // A body, which the gate has refused.
    guard size?.pointee == 0, !exchange.isSuspended else { return .NO }
    guard state.begin(exchange) else { return queue(State.stopping, on: connection, state) }
    exchange.isSuspended = true
    bitpal_httpd_suspend(connection)
    Task { exchange.finish(await state.answer(head)) }
    return .YES
  }

  /// A request is over, whether it was answered or not.
  static let end: MHD_RequestCompletedCallback = { context, connection, own, _ in
    guard let state = state(context), let connection, let pointer = own?.pointee else { return }
    own?.pointee = nil
    let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
    state.end(exchange)
    state.note(connection, isAnswering: false)
  }

  /// A connection is there, or about to be closed.
  static let connection: MHD_NotifyConnectionCallback = { context, connection, _, what in
    guard let state = state(context), let connection else { return }
    if what == .CONNECTION_NOTIFY_STARTED {
      state.note(connection, isAnswering: false)
    } else {
      let socket = bitpal_httpd_socket(connection)
      state.connections.withLock { _ = $0.removeValue(forKey: socket) }
    }
  }

  private static func headers(of connection: OpaquePointer) -> [WebHeader] {
    final class List { var headers: [WebHeader] = [] }
    let list = List()
    bitpal_httpd_headers(
      connection,
      { context, _, name, value in
        guard let context, let name else { return .YES }
        Unmanaged<List>.fromOpaque(context).takeUnretainedValue().headers.append(
          WebHeader(String(cString: name), value.map { String(cString: $0) } ?? ""))
        return .YES
      }, Unmanaged.passUnretained(list).toOpaque())
    return list.headers
  }

  private static func queue(_ answer: WebResponse, on connection: OpaquePointer, _ state: State) -> MHD_Result {
    guard let response = bitpal_httpd_response(answer.body, answer.body.count) else { return .NO }
    defer { bitpal_httpd_response_free(response) }
    for header in answer.headers { _ = bitpal_httpd_response_header(response, header.name, header.value) }
    if state.isEnding.withLock({ $0 }) { _ = bitpal_httpd_response_header(response, "Connection", "close") }
    return bitpal_httpd_queue(connection, UInt32(answer.status), response)
  }
}
