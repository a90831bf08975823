import BitpalConfig
import BitpalJSON
import BitpalOutput

/// What `bitpal config path` does.
struct ConfigPathCommand: Command {
  static let spec = CommandSpec(
    "config path", "the settings file in force",
    examples: [.init("config path", "the path, or that the built-in defaults are in force")])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let path = try session.loader.file()?.path
    try session.show(
      FactView(
        path ?? "none: the built-in defaults are in force", .settingsPath(path)))
    return .answered
  }
}
