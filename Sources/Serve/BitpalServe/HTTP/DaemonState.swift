import BitpalModel
import CHTTPD
import Glibc

/// The state shared by the library's thread and the tasks.
final class DaemonState: Sendable {
  let limits: HTTPDaemon.Limits
  let time: any TimeSource
  let atOnce: @Sendable (WebHead) -> WebResponse?
  let answer: @Sendable (WebHead) async -> WebResponse

  /// The activity of a connection.
  enum Activity: Sendable {
    /// The connection waits for a whole request.
    case asking

    /// The request is being answered, or its client reads the answer.
    case answering

    /// The client reads a stream, which has no end.
    case streaming
  }

  /// The activity of each connection and its start on the monotonic clock, by socket.
  let connections = Locked<[Int32: (activity: Activity, since: Duration)]>([:])

  /// The requests that are being answered, and whether further requests are refused.
  private let active = Locked<(exchanges: [ObjectIdentifier: ServedRequest], isClosed: Bool)>(([:], false))

  /// The counts for ``trimMemory()``: requests and ended streams so far, at the last look and at the last trim, and
  /// looks since that trim.
  private let work = Locked<(done: Int, atLook: Int, atTrim: Int, looks: Int)>((0, 0, 0, 0))

  /// The open streams, and whether further streams are refused.
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

  /// Records the activity of a connection, which begins now.
  func note(_ connection: OpaquePointer, _ activity: Activity) {
    let socket = bitpal_httpd_socket(connection)
    let now = time.monotonic
    connections.withLock { $0[socket] = (activity, now) }
  }

  /// Closes the connections whose activity exceeds its time limit.
  ///
  /// The library reports a socket before it closes it, and the report removes it from the list, so no number here
  /// belongs to another connection.
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

  /// Returns unused memory to the system when no work was done since the last look, or the last stream has ended, and some
  /// since the last trim; with open streams, every half minute.
  ///
  /// Many simultaneous answers need much memory for a moment, which the allocator would keep.
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

  /// The number of looks, 2.5 s apart by default, after which memory is trimmed while streams are open: half a minute.
  private static let looksPerTrim = 12

  /// Whether the server is stopping, so that answers close their connections.
  var isEnding: Bool { streams.withLock { $0.isClosed } }

  /// Ends all streams and refuses further ones.
  func end() {
    let left = streams.withLock { streams in
      streams.isClosed = true
      return Array(streams.open.values)
    }
    for stream in left { stream.finish() }
  }

  /// Registers an open stream, or finishes it when the server is stopping.
  func begin(_ stream: WebStream) {
    let id = ObjectIdentifier(stream)
    let isLate = streams.withLock { streams in
      if !streams.isClosed { streams.open[id] = stream }
      return streams.isClosed
    }
    if isLate { stream.finish() }
  }

  /// Removes a stream that is over, and ends it.
  func end(_ stream: WebStream) {
    let isLast = streams.withLock { $0.open.removeValue(forKey: ObjectIdentifier(stream)) != nil && $0.open.isEmpty }
    work.withLock { work in
      work.done += 1
      // The memory of all of them is free now, so the next look trims.
      if isLast { work.atLook = work.done }
    }
    stream.end()
  }

  /// Whether no request is being answered.
  var isQuiet: Bool { active.withLock { $0.exchanges.isEmpty } }

  /// Registers a request that is to be answered; false when further requests are refused.
  func begin(_ exchange: ServedRequest) -> Bool {
    work.withLock { $0.done += 1 }
    return active.withLock { active in
      if !active.isClosed { active.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !active.isClosed
    }
  }

  /// Removes a request that is over.
  func end(_ exchange: ServedRequest) {
    active.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  /// Answers all pending and further requests with 503.
  ///
  /// libmicrohttpd ends the process when a connection is suspended while the server stops.
  func abandon() {
    end()
    let left = active.withLock { active in
      active.isClosed = true
      return Array(active.exchanges.values)
    }
    for exchange in left { exchange.finish(Self.stopping) }
  }

  /// The answer to a request that comes while the server stops.
  static let stopping = WebResponse("the server stops\n", as: .text, status: 503)
}
