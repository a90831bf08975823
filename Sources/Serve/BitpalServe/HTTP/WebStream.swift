import BitpalModel
import CHTTPD

/// A response body that is sent in pieces until its client leaves.
///
/// Pieces wait here until the library's thread reads them; while none waits, the connection is suspended and costs only
/// its memory.
package final class WebStream: Sendable {
  /// Bytes that wait to be sent; clients with the same bytes share one array.
  private struct Piece {
    let bytes: [UInt8]

    /// Whether a later replaceable piece takes its place.
    let isReplaceable: Bool
  }

  private struct State {
    var pending: [Piece] = []

    /// The number of bytes of the first piece that have been read.
    var offset = 0

    /// The suspended connection as a number, because a pointer may not leave a lock; 0 for none.
    var sleeper: UInt = 0
    var isFinished = false
    var isOver = false
    var whenOver: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  /// The largest number of bytes that may wait for a slow client; beyond that the stream ends: 1 MiB.
  package static let most = 1 << 20

  package init() {}

  /// Adds bytes, unless the stream has ended.
  ///
  /// - Parameter isReplaceable: Whether a later replaceable piece takes its place as long as none of it was read: a
  ///   slow client gets only the newest prices.
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

  /// Sends a comment line, which detects a lost connection, unless other bytes wait.
  func sendHeartbeat() {
    if state.withLock({ $0.pending.isEmpty }) { send(Self.heartbeat) }
  }

  private static let heartbeat = Array(":\n\n".utf8)

  /// Ends the body after the bytes that were added.
  package func finish() {
    wake { $0.isFinished = true }
  }

  /// Calls a closure when the client has left or the body has ended; at once if that has happened already.
  package func whenOver(_ action: @escaping @Sendable () -> Void) {
    let isOver = state.withLock { state in
      if !state.isOver { state.whenOver = action }
      return state.isOver
    }
    if isOver { action() }
  }

  /// Whether the stream has no reader any more.
  package var isOver: Bool { state.withLock { $0.isOver } }

  private func wake(_ change: (inout State) -> Void) {
    let sleeper = state.withLock { state in
      change(&state)
      let isAwaited = !state.pending.isEmpty || state.isFinished
      guard isAwaited else { return UInt(0) }
      defer { state.sleeper = 0 }
      return state.sleeper
    }
    // The library keeps a suspended connection until it is resumed, which happens only here, and once.
    if let connection = OpaquePointer(bitPattern: sleeper) { bitpal_httpd_resume(connection) }
  }

  // MARK: For the library's thread

  /// Moves waiting bytes into a buffer; suspends the connection when there are none.
  ///
  /// - Returns: The number of bytes; 0 for a suspended connection, -1 at the end.
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
      // The lock prevents a resume before the connection is suspended.
      if let connection = OpaquePointer(bitPattern: place) { bitpal_httpd_suspend(connection) }
      return 0
    }
  }

  /// The value of MHD_CONTENT_READER_END_OF_STREAM, a macro with a cast, which Swift does not import.
  private static let end = -1

  /// Records that the connection has ended, and calls the closure of ``whenOver(_:)``.
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

/// A stream and the connection that reads it.
final class StreamReader {
  let stream: WebStream
  let connection: OpaquePointer

  init(_ stream: WebStream, _ connection: OpaquePointer) {
    self.stream = stream
    self.connection = connection
  }
}
