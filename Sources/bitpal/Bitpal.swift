import BitpalModel
import Glibc

/// The command-line tool: reads the arguments, runs the command, ends with its status.
@main
struct Bitpal {
  static func main() {
    OpenFiles.completeStandardStreams()
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
}
