import BitpalFiles
import BitpalJSON
import BitpalModel

/// The file from which settings were read.
package struct SettingsFile: Hashable, Sendable {
  /// The rule by which the file was found.
  package enum Discovery: Hashable, Sendable {
    /// Named by `--config FILE`.
    case flag

    /// Named by the variable `BITPAL_CONFIG`.
    case environment

    /// Found as `config.yaml` in the current folder.
    ///
    /// It may have come with another author's files, so few of its settings apply until it is trusted: see ``Trust``.
    case currentDirectory

    /// Found as `$XDG_CONFIG_HOME/bitpal/config.yaml`.
    case userDirectory
  }

  /// The absolute path of the file.
  package let path: String

  /// The name in messages: as the user wrote it, or relative to the current folder for a file below it.
  package let name: String

  /// The rule by which it was found.
  package let discovery: Discovery
}

/// A finder of the one settings file that is used.
struct SettingsFinder {
  /// A settings file and its content.
  struct Found {
    let file: SettingsFile
    let document: YAMLDocument

    /// The bytes and the status of the file, if its folder must be trusted; nil for a named file or the user's own.
    var content: BoundedFile?
  }

  let environment: Environment
  let overrides: SettingsOverrides

  /// Returns the settings file to use; nil when there is none.
  ///
  /// - Parameter warnings: Receives one sentence for each file that is ignored.
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the named file or the user's own cannot be read, or
  ///   when one in the current folder is refused.
  func find(warnings: inout [String]) throws(BitpalError) -> Found? {
    if let name = overrides.configPath { return try named(name, by: "--config", discovery: .flag) }
    if let name = environment.value("BITPAL_CONFIG") {
      return try named(name, by: "BITPAL_CONFIG", discovery: .environment)
    }
    if let found = try inCurrentDirectory(warnings: &warnings) { return found }
    guard let userFile = environment.userConfigFile else { return nil }
    let file = SettingsFile(
      path: userFile, name: PathText.shown(userFile, from: environment.currentDirectory), discovery: .userDirectory)
    do {
      return try read(file)
    } catch {
      if error == .missing {
        try refuseLostLink(file)
        try refuseOtherEnding(file)
        return nil
      }
      throw .configuration([ConfigurationIssue(file: file.name, message: "cannot be read: \(error.reason)")])
    }
  }

  private func named(
    _ name: String, by who: String, discovery: SettingsFile.Discovery
  ) throws(BitpalError) -> Found {
    let file = SettingsFile(
      path: PathText.joined(environment.currentDirectory, name), name: name.isEmpty ? "\"\"" : name,
      discovery: discovery)
    do {
      // A named file may be a pipe, as in `--config <(…)`.
      return try read(file, from: .stream)
    } catch {
      if error == .missing { try refuseLostLink(file) }
      let reason = error == .missing ? "the file does not exist" : "cannot be read: \(error.reason)"
      throw .configuration([ConfigurationIssue(file: file.name, message: "\(reason) (named by \(who))")])
    }
  }

  /// Returns `./config.yaml`; nil when it is missing, another program's, or the user's own.
  ///
  /// - Throws: As ``ours(_:hint:warnings:)``.
  func inCurrentDirectory(warnings: inout [String]) throws(BitpalError) -> Found? {
    let path = PathText.joined(environment.currentDirectory, "config.yaml")
    guard path != environment.userConfigFile else { return nil }
    let file = SettingsFile(path: path, name: "config.yaml", discovery: .currentDirectory)
    let hint = "name your settings with --config"
    guard let found = try ours(file, hint: hint, warnings: &warnings) else { return nil }
    // The path may lead to the user's own file through a link.
    if let own = environment.userConfigFile.flatMap(PathText.real), PathText.real(path) == own { return nil }
    return found
  }

  /// Returns the place of the preferences: beside the settings file, otherwise in the user's folder; nil without one.
  func preferencesFile(beside file: SettingsFile?) -> SettingsFile? {
    (file?.path ?? environment.userConfigFile).map { path in
      let path = PathText.joined(PathText.directory(of: path), PreferencesFile.fileName)
      return SettingsFile(
        path: path, name: PathText.shown(path, from: environment.currentDirectory),
        discovery: file?.discovery ?? .userDirectory)
    }
  }

  /// Returns the preferences; nil when they are missing or another program's.
  ///
  /// - Throws: As ``ours(_:hint:warnings:)``.
  func preferences(_ file: SettingsFile, warnings: inout [String]) throws(BitpalError) -> Found? {
    try ours(file, hint: "\"bitpal config alias\" makes another", warnings: &warnings)
  }

  /// Returns a file that is found by its place; nil when it is missing or another program's.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - hint: The advice for a file that is to be removed.
  ///   - warnings: Receives one sentence for a file that is ignored.
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` for a pipe, a device or a folder with that name, and for
  ///   a file that another user owns and could change at any time.
  private func ours(
    _ file: SettingsFile, hint: String, warnings: inout [String]
  ) throws(BitpalError) -> Found? {
    let path = file.path
    let shown = file.name.contains("/") ? file.name : "./" + file.name
    let content: BoundedFile
    do throws(FileFault) {
      content = try BoundedFile(prefixOf: path, limit: YAMLDocument.sizeLimit + 1)
    } catch {
      switch error {
      case .missing:
        try refuseLostLink(file)
        return nil
      case .notAFile:
        throw refusal(of: file, "cannot be read: \(error.reason); remove it, or \(hint)")
      case .tooLarge, .taken, .refused, .noFolder:
        warnings.append("\(shown) cannot be read and is ignored: \(error.reason)")
        return nil
      }
    }
    let source = YAMLSource(file: file.name, directory: PathText.directory(of: path), bytes: content.bytes)
    let document = YAMLDocument(source)
    guard document.root.map({ $0.entry("bitpal") != nil }) ?? hasOurLine(source.bytes) else {
      warnings.append(
        "\(shown) is ignored: it has no line \"bitpal: 1\"; add that line if the file is meant for bitpal")
      return nil
    }
    guard content.status.isOwn else {
      throw refusal(
        of: file,
        "belongs to another user (number \(content.status.owner)), so it is not used; "
          + (file.name == "config.yaml" ? "if you trust it all the same, name it: --config config.yaml" : "remove it"))
    }
    return Found(file: file, document: document, content: content)
  }

  /// Refuses a settings file that is a link to nowhere, or in a folder that is: without it, other settings than the user's would
  /// be in force.
  private func refuseLostLink(_ file: SettingsFile) throws(BitpalError) {
    guard let obstacle = PathText.obstacle(to: file.path) else { return }
    let name =
      obstacle.path == file.path ? file.name : PathText.shown(obstacle.path, from: environment.currentDirectory)
    throw .configuration([ConfigurationIssue(file: name, message: obstacle.reason)])
  }

  /// Refuses settings in `config.yml`, for the same reason.
  private func refuseOtherEnding(_ file: SettingsFile) throws(BitpalError) {
    func other(_ path: String) -> String { String(path.dropLast("yaml".count)) + "yml" }
    guard PathText.real(other(file.path)) != nil else { return }
    let name = other(file.name)
    let message = "settings are read from config.yaml; rename it: mv \(ShellWord(name)) \(ShellWord(file.name))"
    throw .configuration([ConfigurationIssue(file: name, message: message)])
  }

  private func refusal(of file: SettingsFile, _ message: String) -> BitpalError {
    .configuration([ConfigurationIssue(file: file.name, message: message)])
  }

  /// Returns whether a line begins with `bitpal:`, for a file that cannot be parsed.
  private func hasOurLine(_ bytes: [UInt8]) -> Bool {
    bytes.split { $0 == 0x0A || $0 == 0x0D }.contains { $0.starts(with: "bitpal:".utf8) }
  }

  private func read(_ file: SettingsFile, from kind: BoundedFile.Source = .regularFile) throws(FileFault) -> Found {
    let bytes = try YAMLDocument.bytes(of: file.path, from: kind)
    let source = YAMLSource(file: file.name, directory: PathText.directory(of: file.path), bytes: bytes)
    return Found(file: file, document: YAMLDocument(source))
  }
}
