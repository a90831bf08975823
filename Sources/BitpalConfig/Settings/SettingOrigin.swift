/// Who set a value.
public enum SettingOrigin: Hashable, Sendable {
  /// An option of the command line, with its dashes.
  case flag(String)

  /// An environment variable.
  case environment(String)

  /// A line of a settings file.
  case file(String, line: Int)

  /// Nobody.
  case `default`
}

extension SettingOrigin: CustomStringConvertible {
  /// `--provider`, `BITPAL_PROVIDER`, `config.yaml:12` or `default`.
  public var description: String {
    switch self {
    case .flag(let name), .environment(let name): name
    case .file(let name, let line): "\(name):\(line)"
    case .default: "default"
    }
  }
}
