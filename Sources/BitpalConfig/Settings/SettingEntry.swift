/// One value in force, for people.
public struct SettingEntry: Hashable, Sendable {
  /// The dotted key, as in `cache.ttl.quotes`.
  public let key: String

  /// The value as a settings file would write it, on one line.
  public let value: String

  /// Who set it.
  public let origin: SettingOrigin
}

extension SettingEntry: CustomStringConvertible {
  /// The three in one line: `cache.ttl.quotes: 1m (config.yaml:12)`.
  public var description: String { "\(key): \(value) (\(origin))" }
}
