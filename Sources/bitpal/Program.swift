import BitpalConfig
import BitpalJSON
import BitpalModel
import BitpalOutput
import Glibc

/// One run of the tool: from words to a status.
struct Program: Sendable {
  private let arguments: [String]
  private let table = CommandTable.bitpal

  /// The longest a command waits for the network unless told otherwise.
  private static let timeout: Duration = .seconds(15)

  init(arguments: [String]) {
    self.arguments = arguments
  }

  func run() async -> ExitStatus {
    let raw = RawArguments(arguments, table: table)
    let console = Console(
      output: TextStream(descriptor: 1), errors: TextStream(descriptor: 2),
      color: raw.value(.color).flatMap(ColorChoice.init(rawValue:)) ?? .auto, isQuiet: raw.has(.quiet),
      environment: { name in getenv(name).map { String(cString: $0) } })
    do {
      switch try Invocation(raw, table: table) {
      case .nothing:
        console.aside(HelpText(table).short)
        return .usage
      case .version:
        try console.answer("bitpal \(BitpalVersion.current)\n")
        return .answered
      case .help(let topic):
        try console.answer(HelpText(table).text(on: topic))
        return .answered
      case .run(let command, let arguments):
        try OpenFiles.makeRoom()
        let session = Session(options: arguments.options, console: console, environment: .process())
        let deadline = SystemTime().monotonic + (arguments.options.timeout ?? Self.timeout)
        return try await Deadline.$current.withValue(deadline) {
          try await command.init(arguments).run(session)
        }
      }
    } catch is CancellationError {
      return .interrupted
    } catch {
      let error = error as? BitpalError ?? .dataFile(path: "bitpal", reason: "\(error)")
      if raw.value(.format) == OutputFormat.json.rawValue {
        try? console.answer(ErrorOutput(error).jsonText)
      }
      console.failure(error)
      return ExitStatus(error.code)
    }
  }
}
