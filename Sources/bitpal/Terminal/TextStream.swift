import BitpalFiles
import BitpalModel
import Glibc

/// A stream of text: standard output or standard error.
///
/// A reader that has gone away (`| head -1`) ends the stream quietly: what follows is swallowed.
final class TextStream: Sendable {
  private let descriptor: Int32
  private let isClosed = Locked(false)

  /// Whether a person is looking.
  let isTerminal: Bool

  /// Whether a person may be typing.
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// False once a write has found that nobody reads any more.
  var hasReader: Bool { !isClosed.withLock { $0 } }

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Looks whether anything can be written, as far as that is known before it is tried.
  ///
  /// - Throws: `FileFault` when the stream is closed, or a device that is full.
  func check() throws(FileFault) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw .refused(code: EBADF) }
    var nothing: UInt8 = 0
    guard Glibc.write(descriptor, &nothing, 0) >= 0 else { throw .refused(code: errno) }
  }

  /// Writes all of the text.
  ///
  /// - Throws: `FileFault` when it cannot be written (a full disk).
  func write(_ text: String) throws(FileFault) {
    let failure = isClosed.withLock { isClosed -> FileFault? in
      if isClosed { return nil }
      do throws(FileFault) {
        try FileReplacement.write(Array(text.utf8), to: descriptor)
        return nil
      } catch {
        isClosed = true
        return error
      }
    }
    if let failure, failure != .refused(code: EPIPE) { throw failure }
  }
}

/// Columns and rows of the terminal at standard output.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// Nil when standard output is no terminal, or one that does not say.
  ///
  /// - Parameter environment: `COLUMNS` goes before what the terminal says.
  static func current(_ environment: (String) -> String?) -> TerminalSize? {
    // Rows, columns and two sizes in pixels, as the kernel lays them out.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    let status = withUnsafeMutablePointer(to: &size) { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), $0) }
    guard status == 0, size.columns > 0, size.rows > 0 else { return nil }
    let named = environment("COLUMNS").flatMap { Int($0) }.flatMap { (10...10_000).contains($0) ? $0 : nil }
    return TerminalSize(columns: named ?? Int(size.columns), rows: Int(size.rows))
  }
}
