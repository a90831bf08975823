import BitpalFiles
import Glibc

/// Where files belong by the XDG base directory specification; relative values are ignored, as it demands.
extension Environment {
  /// `$XDG_CONFIG_HOME`, else `~/.config`; nil without a home.
  public var configHome: String? { baseDirectory("XDG_CONFIG_HOME", inHome: ".config") }

  /// `$XDG_DATA_HOME`, else `~/.local/share`; nil without a home.
  public var dataHome: String? { baseDirectory("XDG_DATA_HOME", inHome: ".local/share") }

  /// `$XDG_CACHE_HOME`, else `~/.cache`; nil without a home.
  public var cacheHome: String? { baseDirectory("XDG_CACHE_HOME", inHome: ".cache") }

  /// `$XDG_STATE_HOME`, else `~/.local/state`; nil without a home.
  public var stateHome: String? { baseDirectory("XDG_STATE_HOME", inHome: ".local/state") }

  /// The folders of `$XDG_DATA_DIRS`, else `/usr/local/share` and `/usr/share`.
  public var dataDirectories: [String] {
    let listed = (value("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share").split(separator: ":")
    return listed.filter { $0.hasPrefix("/") }.map { PathText.normalized(String($0)) }
  }

  /// The user's own settings file, whether it exists or not: `$XDG_CONFIG_HOME/bitpal/config.yaml`.
  public var userConfigFile: String? { configHome.map { $0 + "/bitpal/config.yaml" } }

  /// The file with the folders that the user has trusted, whether it exists or not; nil without a home.
  var trustedFoldersFile: String? { stateHome.map { $0 + "/bitpal/trusted-folders" } }

  /// The cache file that `path: default` means; nil without a home, when only the memory tier is left.
  public var defaultCacheFile: String? { cacheHome.map { $0 + "/bitpal/cache.db" } }

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

  /// Where provider files are looked for besides the settings' own folder, first match first.
  var standardProvidersDirectories: [String] {
    ([dataHome] + dataDirectories + [installedDataDirectory]).compactMap { $0 }
      .map { PathText.joined($0, "bitpal/providers") }
  }

  private func baseDirectory(_ name: String, inHome path: String) -> String? {
    if let value = value(name), value.hasPrefix("/") { return PathText.normalized(value) }
    return home.map { PathText.joined($0, path) }
  }
}
