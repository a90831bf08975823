import BitpalFiles
import BitpalModel
import Foundation

@testable import BitpalConfig

/// A folder of its own for one test, with the files the test wants, removed with it.
final class Workspace {
  /// The folder's absolute path.
  let path: String

  init(_ files: [String: String] = [:]) throws {
    path =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("bitpal-config-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(name, text) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func write(_ name: String, _ text: String) throws {
    let file = path + "/" + name
    try FileManager.default.createDirectory(
      atPath: PathText.directory(of: file), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
  }

  /// An environment that stands in a folder of this one, with its home in `home` and no data folders of the system.
  func environment(_ variables: [String: String] = [:], in directory: String = "") -> Environment {
    let standard = ["HOME": path + "/home", "XDG_DATA_DIRS": path + "/none"]
    return Environment(
      variables: standard.merging(variables) { $1 }, currentDirectory: PathText.joined(path, "./" + directory))
  }

  func load(
    _ variables: [String: String] = [:], _ overrides: SettingsOverrides = SettingsOverrides(),
    in directory: String = ""
  ) throws(BitpalError) -> Settings {
    try SettingsLoader(environment: environment(variables, in: directory), overrides: overrides).load()
  }

  /// Trusts a folder of this one as it is now.
  func trust(in directory: String = "") throws {
    let environment = environment(in: directory)
    guard let content = try SettingsLoader(environment: environment).content() else { return }
    try TrustedFolders(environment: environment).add(content)
  }

  /// What is said about a settings file with that text: its warnings, or its faults with line and caret.
  func complaint(about text: String) throws -> String {
    try write("config.yaml", text)
    return message { () throws(BitpalError) in try load([:], SettingsOverrides(configPath: "config.yaml")) }
  }
}

/// The words of the failure of `body`; "no complaint" when it succeeds.
func message<Value>(of body: () throws(BitpalError) -> Value) -> String {
  do {
    _ = try body()
    return "no complaint"
  } catch {
    return error.message
  }
}
