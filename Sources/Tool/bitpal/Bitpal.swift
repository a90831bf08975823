import BitpalFleet
import BitpalModel
import Glibc

/// The entry point of the command-line tool: it reads the arguments, runs the command and exits with its status.
@main
struct Bitpal {
  static func main() {
    fillStandardStreams()
    // When a reader goes away, the failing write notices it; see ``TextStream``.
    signal(SIGPIPE, SIG_IGN)
    // The same holds for a file that must not grow any further (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    Interruption.install()
    // Swift reads the arguments from /proc.
    guard !CommandLine.arguments.isEmpty else {
      try? TextStream(descriptor: 2).write("bitpal: /proc is not mounted, and bitpal needs it\n")
      exit(ExitStatus.dataFile.rawValue)
    }
    let program = Program(arguments: Array(CommandLine.arguments.dropFirst()))
    let status = Locked(ExitStatus.interrupted)
    CallingThread.run {
      let result = await program.run()
      await Fleet.finishSending()
      status.withLock { $0 = result }
    }
    exit(status.withLock { $0 }.rawValue)
  }

  /// Opens `/dev/null` for every standard stream that is closed (`>&-`), in a mode that makes each use of it fail.
  ///
  /// Otherwise the next file that is opened would get the number of the stream, and answers would go into that file.
  private static func fillStandardStreams() {
    for (descriptor, useless) in [(0, O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] as [(Int32, Int32)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", useless)
    }
  }
}

/// The handling of interrupts: Ctrl-C ends the process at once with status 130.
///
/// Nothing is left half-written: the cache is a database that rolls back, and a rename replaces each file as a whole.
enum Interruption {
  /// Whether a progress line stands on the terminal: 1 or 0, in memory that a signal handler may read.
  private nonisolated(unsafe) static let hasLine: UnsafeMutablePointer<Int32> = {
    let flag = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Makes SIGINT and SIGTERM erase the progress line before they end the process.
  ///
  /// A signal that the parent process had ignored (`nohup`, `&`) stays ignored.
  static func install() {
    // Allocated now, because a signal handler must not allocate memory.
    markLine(false)
    let previous = signal(SIGINT) { _ in
      Interruption.eraseLine()
      _exit(ExitStatus.interrupted.rawValue)
    }
    keepIgnored(SIGINT, previous)
    // The signal ends the process with its default action, so that the parent process sees it; only the line goes
    // first.
    let previousEnd = signal(SIGTERM) { number in
      Interruption.eraseLine()
      signal(number, SIG_DFL)
      raise(number)
    }
    keepIgnored(SIGTERM, previousEnd)
  }

  /// Ignores a signal again that was ignored when the process started.
  private static func keepIgnored(_ number: Int32, _ previous: (@convention(c) (Int32) -> Void)?) {
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }

  /// Sets whether a progress line is on the terminal, which an interrupt then erases.
  static func markLine(_ isThere: Bool) {
    hasLine.pointee = isThere ? 1 : 0
  }

  /// Erases the progress line, together with the `^C` that the terminal has printed after it.
  private static func eraseLine() {
    guard hasLine.pointee != 0 else { return }
    // Carriage return, then "erase to the end of the line".
    let codes: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
    withUnsafeBytes(of: codes) { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
