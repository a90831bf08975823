/// The file that settings were read from.
public struct SettingsFile: Hashable, Sendable {
  /// By which rule the file was found.
  public enum Discovery: Hashable, Sendable {
    /// Named by `--config FILE`.
    case flag

    /// Named by the variable `BITPAL_CONFIG`.
    case environment

    /// Found as `config.yaml` in the current folder.
    ///
    /// It may have come with somebody else's files, so little is taken from it until it is trusted: see ``Trust``.
    case currentDirectory

    /// Found as `$XDG_CONFIG_HOME/bitpal/config.yaml`.
    case userDirectory
  }

  /// The absolute path.
  public let path: String

  /// The name in messages: as it was written, and relative to the current folder when it is below that.
  public let name: String

  /// By which rule it was found.
  public let discovery: Discovery
}
