import Glibc

/// Columns and rows of the terminal at standard output.
struct TerminalSize: Equatable {
  let columns: Int
  let rows: Int

  /// Nil when standard output is no terminal, or one that does not say.
  static func current() -> TerminalSize? {
    // Rows, columns and two sizes in pixels, as the kernel lays them out.
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    let status = withUnsafeMutablePointer(to: &size) { ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), $0) }
    guard status == 0, size.columns > 0, size.rows > 0 else { return nil }
    return TerminalSize(columns: Int(size.columns), rows: Int(size.rows))
  }
}
