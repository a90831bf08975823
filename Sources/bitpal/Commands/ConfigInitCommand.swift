import BitpalConfig
import BitpalModel
import Glibc

/// What `bitpal config init` does.
struct ConfigInitCommand: Command {
  func run(_ session: Session) throws -> ExitStatus {
    guard let path = session.environment.userConfigFile else {
      throw BitpalError.dataFile(path: "config.yaml", reason: "there is no place for it: HOME is not set")
    }
    try createFolders(of: path)
    try write(ConfigTemplate.text, to: path)
    try session.show(
      FactView("wrote \(path)", schema: "bitpal.config_init/1", facts: ["path": .string(path)]))
    return .answered
  }

  /// Creates the folders that lack, for the user alone.
  private func createFolders(of path: String) throws(BitpalError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
      folder += "/" + part
      if mkdir(folder, 0o700) != 0, errno != EEXIST, errno != EISDIR, access(folder, F_OK) != 0 {
        throw .dataFile(path: folder, reason: String(cString: strerror(errno)))
      }
    }
  }

  private func write(_ text: String, to path: String) throws(BitpalError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      let reason = errno == EEXIST ? "it is there already and is left as it is" : String(cString: strerror(errno))
      throw .dataFile(path: path, reason: reason)
    }
    defer { close(descriptor) }
    do throws(OutputError) {
      try Output(descriptor: descriptor).write(text)
    } catch {
      unlink(path)
      throw .dataFile(path: path, reason: error.reason)
    }
  }
}
