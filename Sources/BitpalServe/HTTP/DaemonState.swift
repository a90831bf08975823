import BitpalModel
import CHTTPD
import Glibc

/// The state that the library's thread and the tasks share.
final class DaemonState: Sendable {
  let limits: HTTPDaemon.Limits
  let time: any TimeSource
  let atOnce: @Sendable (WebHead) -> WebResponse?
  let answer: @Sendable (WebHead) async -> WebResponse

  /// The activity of a connection.
  enum Activity: Sendable {
    /// It waits for a whole request.
    case asking

    /// Its request is being answered, or its client reads the answer.
    case answering

    /// It is sent a stream, which has no end.
    case streaming
  }

  /// The connections by their sockets, and since when each does what it does.
  let connections = Locked<[Int32: (activity: Activity, since: Duration)]>([:])

  /// The requests that are being answered, and whether further ones are refused.
  private let active = Locked<(exchanges: [ObjectIdentifier: ServedRequest], isClosed: Bool)>(([:], false))

  /// The number of requests and ended streams so far, their number at the last look and when memory was last returned to
  /// the system, and the number of looks since.
  private let work = Locked<(done: Int, atLook: Int, atTrim: Int, looks: Int)>((0, 0, 0, 0))

  /// The streams that are being sent, and whether there may be more.
  private let streams = Locked<(open: [ObjectIdentifier: WebStream], isClosed: Bool)>(([:], false))

  init(
    limits: HTTPDaemon.Limits, time: any TimeSource, atOnce: @escaping @Sendable (WebHead) -> WebResponse?,
    answer: @escaping @Sendable (WebHead) async -> WebResponse
  ) {
    self.limits = limits
    self.time = time
    self.atOnce = atOnce
    self.answer = answer
  }

  func note(_ connection: OpaquePointer, _ activity: Activity) {
    let socket = bitpal_httpd_socket(connection)
    let now = time.monotonic
    connections.withLock { $0[socket] = (activity, now) }
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
          switch connection.activity {
          case .asking: isFull ? limits.waitingWhenFull : limits.waiting
          case .answering: limits.answering
          case .streaming: Duration.seconds(Int64.max)
          }
        if now - connection.since > limit { shutdown(socket, Int32(SHUT_RDWR)) }
      }
    }
  }

  /// Returns unused memory to the system at a look without work since the last one, and now and then while streams are open.
  ///
  /// Many simultaneous answers use much memory for a moment, which the allocator would keep.
  func trimMemory() {
    let hasStreams = streams.withLock { !$0.open.isEmpty }
    let isDue = work.withLock { work in
      defer { work.atLook = work.done }
      work.looks += 1
      guard work.done == work.atLook, work.done != work.atTrim || hasStreams && work.looks >= Self.looksPerTrim else {
        return false
      }
      (work.atTrim, work.looks) = (work.done, 0)
      return true
    }
    if isDue { bitpal_httpd_trim() }
  }

  /// The number of looks after which the memory of open streams is trimmed: half a minute.
  private static let looksPerTrim = 12

  /// Whether the server ends, so that connections are to be closed.
  var isEnding: Bool { streams.withLock { $0.isClosed } }

  /// Ends what has no end of its own.
  func end() {
    let left = streams.withLock { streams in
      streams.isClosed = true
      return Array(streams.open.values)
    }
    for stream in left { stream.finish() }
  }

  /// Notes that a stream is being sent, until it is over.
  func begin(_ stream: WebStream) {
    let id = ObjectIdentifier(stream)
    let isLate = streams.withLock { streams in
      if !streams.isClosed { streams.open[id] = stream }
      return streams.isClosed
    }
    if isLate { stream.finish() }
  }

  func end(_ stream: WebStream) {
    streams.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(stream)) }
    work.withLock { $0.done += 1 }
    stream.end()
  }

  /// Whether nothing is being answered.
  var isQuiet: Bool { active.withLock { $0.exchanges.isEmpty } }

  /// Notes that a request is being answered; false when it is too late for that.
  func begin(_ exchange: ServedRequest) -> Bool {
    work.withLock { $0.done += 1 }
    return active.withLock { active in
      if !active.isClosed { active.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !active.isClosed
    }
  }

  func end(_ exchange: ServedRequest) {
    active.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Answers what has no answer yet with 503, and whatever comes from now on: the library ends the process when a connection
  /// is suspended while it stops.
  func abandon() {
    end()
    let left = active.withLock { active in
      active.isClosed = true
      return Array(active.exchanges.values)
    }
    for exchange in left { exchange.finish(Self.stopping) }
  }

  /// The answer to a request that comes too late.
  static let stopping = WebResponse("the server stops\n", as: .text, status: 503)
}
