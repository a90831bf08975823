import BitpalFleet
import BitpalModel
import CProgram
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
    let program = Program(arguments: arguments)
    let status = Locked(ExitStatus.interrupted)
    CallingThread.run {
      let result = await program.run()
      await Fleet.finishSending()
      status.withLock { $0 = result }
    }
    exit(status.withLock { $0 }.rawValue)
  }

  /// The words after the program's name, also where /proc, from which Swift reads them, is not mounted.
  private static var arguments: [String] {
    var words: [String] = []
    while let word = bitpal_argument(Int32(words.count + 1)) { words.append(String(cString: word)) }
    return words
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
  /// Whether a progress line stands on the terminal: 1 or 0, in memory that a signal handler may read.
  private nonisolated(unsafe) static let hasLine: UnsafeMutablePointer<Int32> = {
    let flag = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    flag.initialize(to: 0)
    return flag
  }()

  /// Ends the process on SIGINT from now on, unless whoever started it had interrupts ignored (`nohup`, `&`).
  static func install() {
    // Made now: a signal handler may not make anything.
    markLine(false)
    let previous = signal(SIGINT) { _ in
      Interruption.eraseLine()
      _exit(ExitStatus.interrupted.rawValue)
    }
    keepIgnored(SIGINT, previous)
    // Ends as it would without us, but for the line.
    let previousEnd = signal(SIGTERM) { number in
      Interruption.eraseLine()
      signal(number, SIG_DFL)
      raise(number)
    }
    keepIgnored(SIGTERM, previousEnd)
  }

  /// Leaves a signal ignored that whoever started us had ignored.
  private static func keepIgnored(_ number: Int32, _ previous: (@convention(c) (Int32) -> Void)?) {
    if unsafeBitCast(previous, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
  }

  /// Says whether a progress line stands on the terminal, which an interrupt has to take away.
  static func markLine(_ isThere: Bool) {
    hasLine.pointee = isThere ? 1 : 0
  }

  /// Takes the progress line away, and the `^C` that the terminal has put behind it.
  private static func eraseLine() {
    guard hasLine.pointee != 0 else { return }
    // Carriage return, then "erase to the end of the line".
    let codes: (UInt8, UInt8, UInt8, UInt8) = (0x0D, 0x1B, 0x5B, 0x4B)
    withUnsafeBytes(of: codes) { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
