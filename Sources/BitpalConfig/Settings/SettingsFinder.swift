import BitpalFiles
import BitpalModel

/// Finds the one settings file that counts.
struct SettingsFinder {
  let environment: Environment
  let overrides: SettingsOverrides

  /// The file and its content; nil when there is none.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the file that was named, or the user's own, cannot
  ///   be read.
  func find() throws(BitpalError) -> (file: SettingsFile, document: YAMLDocument)? {
    if let name = overrides.configPath { return try named(name, by: "--config", discovery: .flag) }
    if let name = environment.value("BITPAL_CONFIG") {
      return try named(name, by: "BITPAL_CONFIG", discovery: .environment)
    }
    let userFile = environment.userConfigFile
    let local = PathText.joined(environment.currentDirectory, "config.yaml")
    if local != userFile, let found = try inCurrentDirectory(local) { return found }
    guard let userFile else { return nil }
    let file = SettingsFile(
      path: userFile, name: PathText.shown(userFile, from: environment.currentDirectory), discovery: .userDirectory)
    do {
      return (file, try read(file))
    } catch {
      if error == .missing { return nil }
      throw .configuration([ConfigurationIssue(file: file.name, message: "cannot be read: \(error.reason)")])
    }
  }

  private func named(
    _ name: String, by who: String, discovery: SettingsFile.Discovery
  ) throws(BitpalError) -> (file: SettingsFile, document: YAMLDocument) {
    let file = SettingsFile(
      path: PathText.joined(environment.currentDirectory, name), name: name.isEmpty ? "\"\"" : name,
      discovery: discovery)
    do {
      // What is named may be a pipe, as in `--config <(…)`.
      return (file, try read(file, from: .stream))
    } catch {
      let reason = error == .missing ? "there is no such file" : "cannot be read: \(error.reason)"
      throw .configuration([ConfigurationIssue(file: file.name, message: "\(reason) (named by \(who))")])
    }
  }

  /// `./config.yaml`, unless it is another program's.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` for a pipe, a device or a folder of that name, which no
  ///   program has as its settings.
  private func inCurrentDirectory(
    _ path: String
  ) throws(BitpalError) -> (file: SettingsFile, document: YAMLDocument)? {
    let file = SettingsFile(path: path, name: "config.yaml", discovery: .currentDirectory)
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try YAMLDocument.bytes(of: path)
    } catch {
      guard case .notAFile = error else { return nil }
      throw .configuration([
        ConfigurationIssue(
          file: file.name,
          message: "cannot be read: \(error.reason); remove it, or name your settings with --config")
      ])
    }
    let source = YAMLSource(file: file.name, directory: environment.currentDirectory, bytes: bytes)
    let document = YAMLDocument(source)
    let isOurs = document.root.map { $0.entry("bitpal") != nil } ?? hasOurLine(source.bytes)
    return isOurs ? (file, document) : nil
  }

  /// Whether a line starts with `bitpal:`, for a file that cannot be parsed.
  private func hasOurLine(_ bytes: [UInt8]) -> Bool {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.contains { $0.starts(with: "bitpal:".utf8) }
  }

  private func read(
    _ file: SettingsFile, from kind: BoundedFile.Source = .regularFile
  ) throws(FileFault) -> YAMLDocument {
    let bytes = try YAMLDocument.bytes(of: file.path, from: kind)
    return YAMLDocument(YAMLSource(file: file.name, directory: PathText.directory(of: file.path), bytes: bytes))
  }
}
