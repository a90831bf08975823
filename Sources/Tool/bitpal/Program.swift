import BitpalConfig
import BitpalModel
import BitpalOutput
import Glibc

/// One run of the tool, from the arguments to the exit status.
struct Program: Sendable {
  private let arguments: [String]
  private let table = CommandTable.bitpal

  init(arguments: [String]) {
    self.arguments = arguments
  }

  func run() async -> ExitStatus {
    let raw = RawArguments(arguments, table: table)
    let console = Console(
      output: TextStream(descriptor: 1), errors: TextStream(descriptor: 2),
      color: raw["color"].flatMap(ColorChoice.init(rawValue:)) ?? .auto, isQuiet: raw.has("quiet"),
      errorForm: raw["errors"].flatMap(ErrorForm.init(rawValue:)) ?? .text, showsProgress: !raw.has("verbose"),
      digits: raw["digits"].flatMap { Int($0) },
      environment: { name in getenv(name).map { String(cString: $0) } })
    do {
      switch try Invocation(raw, table: table) {
      case .nothing(let options):
        let session = Session(options: options, console: console, environment: .process())
        if let list = WatchlistListCommand.ofFilledList(session, raw) {
          return try await NumberFormat.$marks.withValue(session.marks) {
            try await session.withDeadline { try await list.run(session) }
          }
        }
        console.aside(HelpText(table).short)
        return .usage
      case .version:
        try console.answer("bitpal \(BitpalVersion.current)\n")
        return .answered
      case .help(let topic):
        let help = HelpText(table).text(on: topic)
        try console.answer(console.wantsASCII ? help.inPlainASCII : help)
        return .answered
      case .run(let command, let arguments):
        try OpenFiles.makeRoom()
        let session = Session(options: arguments.options, console: console, environment: .process())
        // Pages and answers of a server do not depend on the locale in which it was started.
        let marks = command.name.hasPrefix(ServeCommand.name) ? .standard : session.marks
        let status = try await NumberFormat.$marks.withValue(marks) {
          try await session.withDeadline { try await command.init(arguments).run(session) }
        }
        if arguments.isShort, status == .partlyAnswered, let word = arguments.operands.first,
          word == word.lowercased(), !WellKnownCoins.isKnown(word)
        {
          console.notice("\"\(word)\" is not a command either; \"bitpal help\" lists them")
        }
        return status
      }
    } catch is CancellationError {
      return .interrupted
    } catch {
      let error = error as? BitpalError ?? .dataFile(path: "an unexpected error", reason: "\(error)")
      if raw["format"] == OutputFormat.json.rawValue {
        try? console.answer(ErrorOutput(error).jsonText)
      }
      console.failure(error)
      return ExitStatus(error.code)
    }
  }
}

/// The limit of open files.
///
/// A process that runs out of descriptors fails where it cannot report it: a library that cannot be loaded, a timer of
/// the runtime that ends the process, a wait that nothing can end.
enum OpenFiles {
  /// The limit that a command needs: 64.
  ///
  /// A dozen descriptors are in use while one source is asked (measured: databases with their logs, libcurl, timers).
  /// Six connections at once that each look up a name need twice as many.
  static let needed = 64

  /// Raises the soft limit when it is too low.
  ///
  /// - Throws: ``BitpalError/dataFile(path:reason:)`` when the hard limit is too low.
  static func makeRoom() throws(BitpalError) {
    let allowed = allow(needed)
    guard allowed < needed else { return }
    throw .dataFile(
      path: "open files",
      reason: "bitpal needs \(needed) at once, and the system allows \(allowed); allow more with \"ulimit -n 256\" "
        + "(or LimitNOFILE=256 of a systemd unit)")
  }

  /// Raises the soft limit of open files to a number, or to the hard limit if that is lower.
  ///
  /// - Returns: The soft limit afterwards.
  static func allow(_ count: Int) -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return count }
    if limit.rlim_cur < rlim_t(count) {
      limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return Int(clamping: limit.rlim_cur)
  }
}
