/// What the command line says about the settings, as it was typed; nil where it says nothing.
public struct SettingsOverrides: Hashable, Sendable {
  /// The file of `--config FILE`.
  public var configPath: String?

  /// The name of `--provider NAME`, or several with commas.
  public var provider: String?

  /// The code of `--currency CODE`.
  public var currency: String?

  /// The time of `watch --every DURATION`.
  public var refresh: String?

  /// Creates overrides.
  public init(
    configPath: String? = nil, provider: String? = nil, currency: String? = nil, refresh: String? = nil
  ) {
    self.configPath = configPath
    self.provider = provider
    self.currency = currency
    self.refresh = refresh
  }
}
