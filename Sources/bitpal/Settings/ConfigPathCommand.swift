import BitpalConfig
import BitpalJSON
import BitpalOutput

/// What `bitpal config path` does.
struct ConfigPathCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    let path = try session.loader.file()?.path
    try session.show(
      FactView(
        path ?? "none: the built-in defaults are in force", .settingsPath(path)))
    return .answered
  }
}
