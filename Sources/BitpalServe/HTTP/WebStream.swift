import BitpalModel
import CHTTPD

/// A body that is sent bit by bit, for as long as its client stays.
///
/// What is sent waits here until the library's thread reads it; while nothing waits, the connection sleeps and costs
/// nothing but its memory.
package final class WebStream: Sendable {
  /// Bytes that wait; the same array for all clients that are sent the same.
  private struct Piece {
    let bytes: [UInt8]

    /// Whether a later piece of this kind makes it needless.
    let isReplaceable: Bool
  }

  private struct State {
    var pending: [Piece] = []

    /// The number of bytes of the first piece that were read.
    var offset = 0

    /// The connection that sleeps until there is something to read, as a number, because a pointer may not leave a lock;
    /// 0 while none does.
    var sleeper: UInt = 0
    var isFinished = false
    var isOver = false
    var whenOver: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// The most bytes that may wait for a slow client; one that is slower still is sent away.
  package static let most = 1 << 20

  package init() {}

  /// Sends more, unless the client is gone.
  ///
  /// - Parameter isReplaceable: Whether a later piece of this kind takes its place as long as none of it was read: a slow
  ///   client is sent the newest prices, not all that there were.
  func send(_ bytes: [UInt8], isReplaceable: Bool = false) {
    wake { state in
      guard !state.isFinished, !state.isOver else { return }
      if isReplaceable {
        let read = state.offset > 0 ? 1 : 0
        state.pending = state.pending.prefix(read) + state.pending.dropFirst(read).filter { !$0.isReplaceable }
      }
      state.pending.append(Piece(bytes: bytes, isReplaceable: isReplaceable))
      if state.pending.reduce(0, { $0 + $1.bytes.count }) - state.offset > Self.most {
        state.pending.removeLast()
        state.isFinished = true
      }
    }
  }

  /// Sends an empty line, by which a connection that is gone is found out, unless something waits to be sent.
  func sendHeartbeat() {
    if state.withLock({ $0.pending.isEmpty }) { send(Self.heartbeat) }
  }

  private static let heartbeat = Array(":\n\n".utf8)

  /// Ends the body after what was sent.
  package func finish() {
    wake { $0.isFinished = true }
  }

  /// Calls the closure when the client is gone, or all was sent; at once when that is so already.
  package func whenOver(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.whenOver = action }
      return state.isOver
    }
    if isOver { action() }
  }

  /// Whether it has no reader any more.
  package var isOver: Bool { state.withLock { $0.isOver } }

  private func wake(_ change: (inout State) -> Void) {
    let sleeper = state.withLock { state in
      change(&state)
      let isAwaited = !state.pending.isEmpty || state.isFinished
      guard isAwaited else { return UInt(0) }
      defer { state.sleeper = 0 }
      return state.sleeper
    }
    // A connection that sleeps is the library's to keep until it is woken, which only this does, and once.
    if let connection = OpaquePointer(bitPattern: sleeper) { bitpal_httpd_resume(connection) }
  }

  // MARK: For the library's thread

  /// Moves waiting bytes into a buffer; puts the connection to sleep when there are none.
  ///
  /// - Returns: The number of bytes; 0 for a connection that sleeps, -1 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Int {
    let place = UInt(bitPattern: connection)
    return state.withLock { state in
      if let first = state.pending.first {
        let rest = first.bytes[state.offset...].prefix(buffer.count)
        buffer.copyBytes(from: rest)
        state.offset += rest.count
        if state.offset == first.bytes.count {
          state.pending.removeFirst()
          state.offset = 0
        }
        return rest.count
      }
      if state.isFinished { return Self.end }
      state.sleeper = place
      // Within the lock, so that it is not woken before it sleeps.
      if let connection = OpaquePointer(bitPattern: place) { bitpal_httpd_suspend(connection) }
      return 0
    }
  }

  /// MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast, which Swift does not see.
  private static let end = -1

  /// Notes that the connection is no more.
  func end() {
    let action = state.withLock { state in
      state.isOver = true
      state.pending = []
      defer { state.whenOver = nil }
      return state.whenOver
    }
    action?()
  }
}

/// A stream and the connection on which it is read.
final class StreamReader {
  let stream: WebStream
  let connection: OpaquePointer

  init(_ stream: WebStream, _ connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }
}
