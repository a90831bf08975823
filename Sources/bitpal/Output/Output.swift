import BitpalModel
import Glibc

/// A stream of text: standard output or standard error.
///
/// A reader that has gone away (`| head -1`) ends the stream quietly: what follows is swallowed.
final class Output: Sendable {
  private let descriptor: Int32
  private let isClosed = Locked(false)

  /// Whether a person is looking.
  let isTerminal: Bool

  /// False once a write has found that nobody reads any more.
  var hasReader: Bool { !isClosed.withLock { $0 } }

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Writes all of the text.
  ///
  /// - Throws: ``OutputError`` when it cannot be written (a full disk).
  func write(_ text: String) throws(OutputError) {
    var text = text
    let failure = isClosed.withLock { isClosed -> Int32? in
      if isClosed { return nil }
      let failure = text.withUTF8 { Self.write(UnsafeRawBufferPointer($0), to: descriptor) }
      isClosed = failure != nil
      return failure
    }
    if let failure, failure != EPIPE { throw OutputError(reason: String(cString: strerror(failure))) }
  }

  /// Writes until nothing is left; the error number when that fails.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
      if count >= 0 {
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      } else if errno == EAGAIN {
        // Somebody made the terminal non-blocking; wait until it takes more.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        poll(&wait, 1, 1000)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }
}
