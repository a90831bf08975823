import BitpalConfig
import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalOutput

/// What `bitpal config init` does.
struct ConfigInitCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    try session.console.checkOutput()
    guard let path = session.environment.userConfigFile else {
      throw BitpalError.dataFile(path: "config.yaml", reason: "there is no place for it: HOME is not set")
    }
    try FileReplacement.create(path, with: Array(ConfigTemplate.text.utf8), access: .user)
    session.confirm(
      FactView("wrote \(path)", .settingsWritten(to: path)))
    return .answered
  }
}
