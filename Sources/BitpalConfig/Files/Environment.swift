import BitpalFiles
import Glibc
// `environ` is a mutable global of C. It is read once, before anything else could change it.
@preconcurrency import Glibc

/// The environment of a process: its variables, its folder and its user's home.
///
/// It is a value, so that a test or a program can load settings as if it stood elsewhere.
public struct Environment: Equatable, Sendable {
  /// The variables, by name.
  public let variables: [String: String]

  /// The absolute folder to which relative paths on the command line refer.
  public let currentDirectory: String

  /// The user's home folder; nil when nothing says where it is.
  public let home: String?

  /// The absolute path of the running program; nil when it is not known or does not matter.
  public let executable: String?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - variables: The environment variables.
  ///   - currentDirectory: The base of relative paths, and the folder in which `config.yaml` is looked for.
  ///   - home: The value of `HOME` when nil, if that is absolute.
  ///   - executable: The path of the running program, beside which an installation's files are.
  public init(
    variables: [String: String], currentDirectory: String, home: String? = nil, executable: String? = nil
  ) {
    self.variables = variables
    self.currentDirectory = currentDirectory
    self.executable = executable
    self.home = home ?? variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// The environment of this process; call it at the start, while nothing changes the variables.
  ///
  /// Read without Foundation, whose `ProcessInfo` takes longer than loading the settings.
  public static func process() -> Environment {
    var variables: [String: String] = [:]
    variables.reserveCapacity(64)
    var next: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
    while let entry = next?.pointee {
      if let separator = strchr(entry, Int32(UInt8(ascii: "="))) {
        let name = UnsafeRawBufferPointer(start: entry, count: entry.distance(to: separator))
        variables[String(decoding: name, as: UTF8.self)] = String(cString: separator + 1)
      }
      next = next?.advanced(by: 1)
    }
    let directory = getcwd(nil, 0)
    defer { free(directory) }
    return Environment(
      variables: variables, currentDirectory: directory.map { String(cString: $0) } ?? "/",
      executable: PathText.real("/proc/self/exe"))
  }

  /// The same in another folder.
  ///
  /// - Parameter directory: An absolute path.
  public func standing(in directory: String) -> Environment {
    Environment(variables: variables, currentDirectory: directory, home: home, executable: executable)
  }

  /// A variable's value; nil when it is not set or empty.
  public func value(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Environment: CustomStringConvertible {
  /// The number of variables and the folder; never their values, which may be secrets.
  public var description: String {
    "\(variables.count) variables in \(currentDirectory)"
  }
}

/// The folders of the XDG base directory specification; relative values are ignored, as it demands.
extension Environment {
  /// `$XDG_CONFIG_HOME`, else `~/.config`; nil without a home.
  var configHome: String? { baseDirectory("XDG_CONFIG_HOME", inHome: ".config") }

  /// `$XDG_DATA_HOME`, else `~/.local/share`; nil without a home.
  public var dataHome: String? { baseDirectory("XDG_DATA_HOME", inHome: ".local/share") }

  /// `$XDG_CACHE_HOME`, else `~/.cache`; nil without a home.
  var cacheHome: String? { baseDirectory("XDG_CACHE_HOME", inHome: ".cache") }

  /// `$XDG_STATE_HOME`, else `~/.local/state`; nil without a home.
  var stateHome: String? { baseDirectory("XDG_STATE_HOME", inHome: ".local/state") }

  /// The folders of `$XDG_DATA_DIRS`, else `/usr/local/share` and `/usr/share`.
  var dataDirectories: [String] {
    let listed = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    return listed.filter { $0.hasPrefix("/") }.map { PathText.normalized(String($0)) }
  }

  /// The user's own settings file, whether it exists or not: `$XDG_CONFIG_HOME/bitpal/config.yaml`.
  public var userConfigFile: String? { configHome.map { $0 + "/bitpal/config.yaml" } }

  /// The file with the folders that the user has trusted, whether it exists or not; nil without a home.
  var trustedFoldersFile: String? { stateHome.map { $0 + "/bitpal/trusted-folders" } }

  /// The cache file that `path: default` means; nil without a home, when only the memory tier is left.
  public var defaultCacheFile: String? { cacheHome.map { $0 + "/bitpal/cache.db" } }

  /// The folder in which the manifests of plugins are kept; nil without a home.
  package var pluginMemoryFolder: String? { cacheHome.map { $0 + "/bitpal/plugins" } }

  /// The file with the request budgets of all processes of the user, wherever they have their caches.
  ///
  /// Without a home it is in a folder of the user's among the temporary files, so that a budget is shared then too.
  package var budgetFile: String {
    if let stateHome { return stateHome + "/bitpal/budgets.db" }
    let temporary = value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    return PathText.joined(temporary, "bitpal-\(geteuid())/budgets.db")
  }

  /// The `share` folder beside the `bin` folder of the program; nil when it is not in one.
  ///
  /// So a tool installed under any prefix finds what was installed with it, whatever `XDG_DATA_DIRS` says.
  var installedDataDirectory: String? {
    guard let executable, let slash = executable.lastIndex(of: "/") else { return nil }
    let folder = executable[..<slash]
    return folder.hasSuffix("/bin") ? folder.dropLast(4) + "/share" : nil
  }

  /// The folders in which provider files are looked for after the settings' own folder, first match first.
  var standardProvidersDirectories: [String] { standardDirectories("providers") }

  /// The folders in which import files are looked for after the folder of the settings, first match first.
  var standardImportsDirectories: [String] { standardDirectories("imports") }

  private func standardDirectories(_ name: String) -> [String] {
    ([dataHome] + dataDirectories + [installedDataDirectory]).compactMap { $0 }
      .map { PathText.joined($0, "bitpal/" + name) }
  }

  private func baseDirectory(_ name: String, inHome path: String) -> String? {
    if let value = value(name), value.hasPrefix("/") { return PathText.normalized(value) }
    return home.map { PathText.joined($0, path) }
  }
}
