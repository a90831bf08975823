import BitpalConfig
import BitpalOutput

/// The `bitpal config path` command, which prints the path of the settings file in force.
struct ConfigPathCommand: Command {
  static let name = "config path"
  static let spec = CommandSpec(
    name, "the settings file in force",
    examples: [.init("config path", "the path, or that the built-in defaults are in force")])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    let path = try session.loader.file()?.path
    // Reading the settings warns of a file that is passed over; errors in the file do not matter here.
    _ = try? session.settings()
    try session.show(
      FactView(
        path ?? "none: the built-in defaults are in force", DoneOutput(Self.name, about: path)))
    return .answered
  }
}

/// The `bitpal config init` command, which writes a commented settings file.
struct ConfigInitCommand: Command {
  static let name = "config init"
  static let spec = CommandSpec(
    name, "write a commented settings file to start from",
    details: [
      "The file goes where --config or BITPAL_CONFIG says, else to $XDG_CONFIG_HOME/bitpal/config.yaml, by default "
        + "~/.config/bitpal/config.yaml. One that is there already is never overwritten."
    ],
    examples: [.init("config init", "prints the path of the new file")])

  init(_ arguments: Invocation.Arguments) {}

  func run(_ session: Session) throws -> ExitStatus {
    try session.console.checkOutput()
    let path = try session.loader.beginFile(with: ConfigTemplate.text).path
    session.confirm(
      FactView("wrote \(path)", DoneOutput(Self.name, about: path)))
    return .answered
  }
}
