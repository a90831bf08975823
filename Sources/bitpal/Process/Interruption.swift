import Glibc

/// Ctrl-C: the process ends at once with 130.
///
/// Nothing is half-written then: the cache is a database that rolls back, and files are replaced whole by rename.
enum Interruption {
  /// Ends the process on SIGINT from now on, unless whoever started it had interrupts ignored (`nohup`, `&`).
  static func install() {
    let previous = signal(SIGINT) { _ in _exit(ExitStatus.interrupted.rawValue) }
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(SIGINT, SIG_IGN) }
  }
}
