import BitpalModel
import Glibc

/// The command-line tool: reads the arguments, runs the command, ends with its status.
@main
struct Bitpal {
  static func main() {
    fillStandardStreams()
    // A reader that goes away is noticed by the write that fails; see `Output`.
    signal(SIGPIPE, SIG_IGN)
    // So is a file that may not grow any further (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    Interruption.install()
    let program = Program(arguments: Array(CommandLine.arguments.dropFirst()))
    let status = Locked(ExitStatus.interrupted)
    CallingThread.run {
      let result = await program.run()
      status.withLock { $0 = result }
    }
    exit(status.withLock { $0 }.rawValue)
  }

  /// Puts something that cannot be used in the place of a stream that is closed (`>&-`).
  ///
  /// The next file to be opened would have its number, and answers would go into that file.
  private static func fillStandardStreams() {
    for (descriptor, useless) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", useless)
    }
  }
}

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
