import BitpalFiles
import BitpalModel
import Glibc

/// A stream of text: standard output or standard error.
///
/// When the reader goes away (`| head -1`), later text is discarded without an error.
final class TextStream: Sendable {
  private let descriptor: Int32
  private let isClosed = Locked(false)

  /// Whether the stream is a terminal.
  let isTerminal: Bool

  /// Whether standard input is a terminal.
  static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Whether no write has failed yet; false once the reader has gone away.
  var hasReader: Bool { !isClosed.withLock { $0 } }

  init(descriptor: Int32) {
    self.descriptor = descriptor
    isTerminal = isatty(descriptor) == 1
  }

  /// Checks that the stream can be written, as far as that is known before a write.
  ///
  /// - Throws: `FileFault` when the stream is closed, or when a write of no bytes fails.
  func check() throws(FileFault) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, flags & O_ACCMODE != O_RDONLY else { throw .refused(code: EBADF) }
    var nothing: UInt8 = 0
    guard Glibc.write(descriptor, &nothing, 0) >= 0 else { throw .refused(code: errno) }
  }

  /// Writes the whole text.
  ///
  /// - Throws: `FileFault` when it cannot be written, for example to a full disk; not when the reader has gone away.
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

/// The size of the terminal at standard output, in columns and rows.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// Returns the size; nil when standard output is not a terminal, or one without a size.
  ///
  /// - Parameter environment: The lookup of `COLUMNS`, which takes precedence over the terminal's own width.
  static func current(_ environment: (String) -> String?) -> TerminalSize? {
    // Rows, columns and two sizes in pixels, in the kernel's layout.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    let status = withUnsafeMutablePointer(to: &size) { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), $0) }
    guard status == 0, size.columns > 0, size.rows > 0 else { return nil }
    let named = environment("COLUMNS").flatMap { Int($0) }.flatMap { (10...10_000).contains($0) ? $0 : nil }
    return TerminalSize(columns: named ?? Int(size.columns), rows: Int(size.rows))
  }
}
