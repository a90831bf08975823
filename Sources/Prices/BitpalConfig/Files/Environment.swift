import BitpalFiles
import Glibc
// `environ` is a mutable global variable of C, which is read once, before the process could change it.
@preconcurrency import Glibc

/// The environment of a process: its variables, its folder and its user's home.
///
/// It is a value, so that a test or a program can load settings as if it ran in another folder.
package struct Environment: Equatable, Sendable {
  /// The variables, by name.
  package let variables: [String: String]

  /// The absolute path of the folder to which relative paths on the command line refer.
  package let currentDirectory: String

  /// The user's home folder; nil when it is not known.
  package let home: String?

  /// The absolute path of the running program; nil when it is not known or does not matter.
  package let executable: String?

  /// The folder of the files inside the program; nil to know nothing but the files of the file system.
  package var shippedFolder: String?

  /// Creates an environment.
  ///
  /// - Parameters:
  ///   - variables: The environment variables.
  ///   - currentDirectory: The base of relative paths, and the folder in which `config.yaml` is looked for.
  ///   - home: The home folder; nil for the value of `HOME`, if that is absolute.
  ///   - executable: The path of the running program, which leads to the files of its installation.
  package init(
    variables: [String: String], currentDirectory: String, home: String? = nil, executable: String? = nil
  ) {
    self.variables = variables
    self.currentDirectory = currentDirectory
    self.executable = executable
    self.home = home ?? variables["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
  }

  /// Returns the environment of this process; to be called at the start, before anything changes the variables.
  ///
  /// It does not use Foundation, whose `ProcessInfo` takes longer than loading the settings.
  package static func process() -> Environment {
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
    var environment = Environment(
      variables: variables, currentDirectory: directory.map { String(cString: $0) } ?? "/",
      executable: PathText.linked("/proc/self/exe"))
    environment.shippedFolder = ShippedFiles.folder
    return environment
  }

  /// Returns the environment with another current folder.
  ///
  /// - Parameter directory: An absolute path.
  package func standing(in directory: String) -> Environment {
    var other = Environment(variables: variables, currentDirectory: directory, home: home, executable: executable)
    other.shippedFolder = shippedFolder
    return other
  }

  /// Returns the value of a variable; nil when it is not set or empty.
  package func value(_ name: String) -> String? {
    variables[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}

extension Environment: CustomStringConvertible {
  /// The number of variables and the folder; never their values, which may be secrets.
  package var description: String {
    "\(variables.count) variables in \(currentDirectory)"
  }
}

/// The folders of the XDG base directory specification, which ignores relative values.
extension Environment {
  /// The folder of settings: `$XDG_CONFIG_HOME`, otherwise `~/.config`; nil without a home.
  var configHome: String? { baseDirectory("XDG_CONFIG_HOME", inHome: ".config") }

  /// The folder of user data: `$XDG_DATA_HOME`, otherwise `~/.local/share`; nil without a home.
  package var dataHome: String? { baseDirectory("XDG_DATA_HOME", inHome: ".local/share") }

  /// The folder of caches: `$XDG_CACHE_HOME`, otherwise `~/.cache`; nil without a home.
  var cacheHome: String? { baseDirectory("XDG_CACHE_HOME", inHome: ".cache") }

  /// The folder of state: `$XDG_STATE_HOME`, otherwise `~/.local/state`; nil without a home.
  var stateHome: String? { baseDirectory("XDG_STATE_HOME", inHome: ".local/state") }

  /// The system's data folders: `$XDG_DATA_DIRS`, otherwise `/usr/local/share` and `/usr/share`.
  var dataDirectories: [String] {
    let listed = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    return listed.filter { $0.hasPrefix("/") }.map { PathText.normalized(String($0)) }
  }

  /// The path of the user's own settings file, which may not exist: `$XDG_CONFIG_HOME/bitpal/config.yaml`; nil without
  /// a home.
  package var userConfigFile: String? { configHome.map { $0 + "/bitpal/config.yaml" } }

  /// The path of the file with the trusted folders, which may not exist; nil without a home.
  var trustedFoldersFile: String? { stateHome.map { $0 + "/bitpal/trusted-folders" } }

  /// The folder of what running servers share with `bitpal serve link`; nil without a home.
  package var serveFolder: String? { stateHome.map { $0 + "/bitpal/serve" } }

  /// The path of the cache file for `path: default`; nil without a home, which leaves only the memory tier.
  package var defaultCacheFile: String? { cacheHome.map { $0 + "/bitpal/cache.db" } }

  /// The folder in which the manifests of plugins are kept; nil without a home.
  package var pluginMemoryFolder: String? { cacheHome.map { $0 + "/bitpal/plugins" } }

  /// The path of the file with the request budgets, which all processes of the user share, even with different caches.
  ///
  /// Without a home it is in a folder of the user's below the one for temporary files, so that budgets are still
  /// shared.
  package var budgetFile: String {
    if let stateHome { return stateHome + "/bitpal/budgets.db" }
    let temporary = value("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    return PathText.joined(temporary, "bitpal-\(geteuid())/budgets.db")
  }

  /// The `share` folder beside the `bin` folder of the program; nil when the program is not in a `bin` folder.
  ///
  /// With it, a tool finds its files under any installation prefix, whatever `XDG_DATA_DIRS` is.
  var installedDataDirectory: String? {
    guard let executable, let slash = executable.lastIndex(of: "/") else { return nil }
    let folder = executable[..<slash]
    return folder.hasSuffix("/bin") ? folder.dropLast(4) + "/share" : nil
  }

  /// The folders that are searched for provider files after the one in the settings, in order of precedence.
  var standardProvidersDirectories: [String] { standardDirectories("providers") }

  /// The folders that are searched for import files after the one beside the settings, in order of precedence.
  var standardImportsDirectories: [String] { standardDirectories("imports") }

  private func standardDirectories(_ name: String) -> [String] {
    ([dataHome] + dataDirectories + [installedDataDirectory]).compactMap { $0 }
      .map { PathText.joined($0, "bitpal/" + name) }
      + (shippedFolder.map { [PathText.joined($0, name)] } ?? [])
  }

  private func baseDirectory(_ name: String, inHome path: String) -> String? {
    if let value = value(name), value.hasPrefix("/") { return PathText.normalized(value) }
    return home.map { PathText.joined($0, path) }
  }
}

extension Environment {
  /// The folders of the system's time zones.
  var zoneFolders: [String] { ZoneFiles.folders(tzdir: value("TZDIR")) }
}
