import BitpalFiles
public import BitpalModel

/// Whether the content of a settings file counts as the user's own.
///
/// A `config.yaml` in the current folder may have come with files of others, so it decides little until the user has
/// called `bitpal trust` there.
public enum Trust: Hashable, Sendable {
  /// The settings were named, are the user's own, or were trusted as they are.
  case trusted

  /// They were found in `folder`, whose links are resolved; `hasChanged` since they were trusted.
  case untrusted(folder: String, hasChanged: Bool)

  /// The folder of settings that are not trusted; nil for those that are.
  public var untrustedFolder: String? {
    switch self {
    case .trusted: nil
    case .untrusted(let folder, _): folder
    }
  }
}

extension Settings {
  /// The description, for providers, of settings that are not trusted; nil for those that are.
  var untrusted: ProviderSpecification.UntrustedSettings? {
    guard let file, case .untrusted(let folder, let hasChanged) = trust else { return nil }
    return ProviderSpecification.UntrustedSettings(folder: folder, file: file.name, hasChanged: hasChanged)
  }

  /// Returns the error for settings that were withheld because they are not trusted; nil when none were.
  ///
  /// - Parameter things: The withheld settings, as in
  ///   ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  public func refusal(of things: [String]) -> BitpalError? {
    guard let file, case .untrusted(_, let hasChanged) = trust, !things.isEmpty else { return nil }
    return .untrusted(file: file.name, hasChanged: hasChanged, withheld: things)
  }

  /// Checks that the settings may reach the user's own data.
  ///
  /// - Parameter thing: The data that they would reach: `portfolio`.
  /// - Throws: ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  public func demandTrust(for thing: String) throws(BitpalError) {
    if let refusal = refusal(of: [thing]) { throw refusal }
  }
}

extension Settings {
  /// Takes back what a file that is not trusted may not decide: it chooses among shipped providers, recordings below its
  /// folder, ranges, times to live and display, and nothing more.
  ///
  /// - Parameters:
  ///   - folder: The file's folder, with its links resolved.
  ///   - standard: The settings without the file.
  mutating func withhold(from folder: String, standard: Settings) {
    withheldAliases = aliases
    aliases = standard.aliases
    withheldOverrides = providerOverrides.map(\.key)
    providerOverrides = []
    withhold(\.cache.path, "cache.path", standard)
    withhold(\.cache.memoryBytes, "cache.memory", standard)
    withhold(\.cache.diskBytes, "cache.disk", standard)
    // Answers would come from others, who could also use up or block the budget.
    withhold(\.fleet, "fleet", standard, shownAs: "fleet.redis")
    if let directory = namedProvidersDir, !Self.isBelow(folder, directory) {
      withhold(\.providersDirs, "providers_dir", standard)
      namedProvidersDir = nil
    }
  }

  private mutating func withhold<Value: Equatable>(
    _ value: WritableKeyPath<Settings, Value>, _ key: String, _ standard: Settings, shownAs entry: String? = nil
  ) {
    guard self[keyPath: value] != standard[keyPath: value] else { return }
    self[keyPath: value] = standard[keyPath: value]
    origins[entry ?? key] = .default
    withheld.append(key)
  }

  /// Whether `path` leads to something within `folder`, its links followed; what is not there yet leads where it says.
  static func isBelow(_ folder: String, _ path: String) -> Bool {
    (PathText.real(path) ?? path).hasPrefix(folder + "/")
  }
}
