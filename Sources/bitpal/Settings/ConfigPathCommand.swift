import BitpalConfig
import BitpalModel
import BitpalOutput

/// What `bitpal config path` does.
struct ConfigPathCommand: Command {
  static let name = "config path"
  static let spec = CommandSpec(
    name, "the settings file in force",
    examples: [.init("config path", "the path, or that the built-in defaults are in force")])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let path = try session.loader.file()?.path
    // Who asks which file it is wants to know of one that is passed over, whatever is wrong with the other.
    _ = try? session.settings()
    try session.show(
      FactView(
        path ?? "none: the built-in defaults are in force", .settingsPath(path)))
    return .answered
  }
}

/// What `bitpal config init` does.
struct ConfigInitCommand: Command {
  static let name = "config init"
  static let spec = CommandSpec(
    name, "write a commented settings file to start from",
    details: [
      "The file goes to $XDG_CONFIG_HOME/bitpal/config.yaml, by default ~/.config/bitpal/config.yaml. "
        + "One that is there already is never overwritten."
    ],
    examples: [.init("config init", "prints the path of the new file")])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.checkOutput()
    let path = try session.loader.beginFile(with: ConfigTemplate.text).path
    session.confirm(
      FactView("wrote \(path)", .settingsWritten(to: path)))
    return .answered
  }
}
