import BitpalModel
import CHTTPD

/// A body that is sent bit by bit, for as long as its client stays.
///
/// What is sent waits here until the library's thread reads it; while nothing waits, the connection sleeps and costs
/// nothing but its memory.
package final class WebStream: Sendable {
  private struct State {
    var pending: [UInt8] = []

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
  package func send(_ text: String) {
    wake { state in
      guard !state.isFinished, !state.isOver else { return }
      if state.pending.count + text.utf8.count > Self.most {
        state.isFinished = true
      } else {
        state.pending += text.utf8
      }
    }
  }

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

  /// Whether nobody reads any more.
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

  /// Moves what waits into a buffer; puts the connection to sleep when nothing does.
  ///
  /// - Returns: How many bytes; 0 for a connection that sleeps, -1 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, for connection: OpaquePointer) -> Int {
    let place = UInt(bitPattern: connection)
    return state.withLock { state in
      if !state.pending.isEmpty {
        let count = min(buffer.count, state.pending.count)
        buffer.copyBytes(from: state.pending.prefix(count))
        state.pending.removeFirst(count)
        return count
      }
      if state.isFinished { return Self.end }
      state.sleeper = place
      // Within the lock, so that nobody wakes it before it sleeps.
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
