import BitpalConfig
import BitpalJSON
import BitpalModel
import Glibc

/// One run of the tool: from words to a status.
struct Program: Sendable {
  private let arguments: [String]
  private let table = CommandTable.bitpal

  init(arguments: [String]) {
    self.arguments = arguments
  }

  func run() async -> ExitStatus {
    let raw = RawArguments(arguments, table: table)
    let console = Console(
      output: Output(descriptor: 1), errors: Output(descriptor: 2),
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
      case .run(let name, let arguments):
        try OpenFiles.makeRoom()
        let session = Session(options: arguments.options, console: console, environment: .process())
        return try await Deadline.within(arguments.options.timeout, on: SystemTime()) {
          try await name.command(arguments).run(session)
        }
      }
    } catch is CancellationError {
      return .interrupted
    } catch {
      let error = error as? BitpalError ?? .dataFile(path: "bitpal", reason: "\(error)")
      if raw.value(.format) == OutputFormat.json.rawValue {
        try? console.answer(JSONValue.object(Self.json(of: error)).indented())
      }
      console.failure(error)
      return ExitStatus(error.code)
    }
  }

  private static func json(of error: BitpalError) -> JSONObject {
    let code = JSONValue.string(error.code.rawValue)
    var messages = [error.description]
    if case .configuration(let issues) = error { messages = issues.map(\.description) }
    return [
      "schema": "bitpal.error/1", "error": ["code": code, "message": .string(error.description)],
      "errors": .array(messages.map { ["code": code, "message": .string($0)] }),
    ]
  }
}
