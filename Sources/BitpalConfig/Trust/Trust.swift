import BitpalFiles
public import BitpalModel

/// Whether what a settings file says counts as the user's own word.
///
/// A `config.yaml` in the folder one merely stands in may have come with somebody else's files, so it decides little until
/// `bitpal trust` has been said there.
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
  /// What providers are told of settings that are not trusted; nil for those that are.
  var untrusted: ProviderSpecification.UntrustedSettings? {
    guard let file, case .untrusted(let folder, let hasChanged) = trust else { return nil }
    return ProviderSpecification.UntrustedSettings(folder: folder, file: file.name, hasChanged: hasChanged)
  }

  /// What the user is told when something was withheld from settings that are not trusted; nil when nothing was.
  ///
  /// - Parameter things: What was withheld, as in ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  public func refusal(of things: [String]) -> BitpalError? {
    guard let file, case .untrusted(_, let hasChanged) = trust, !things.isEmpty else { return nil }
    return .untrusted(file: file.name, hasChanged: hasChanged, withheld: things)
  }

  /// Makes sure that the settings may reach what is the user's.
  ///
  /// - Parameter thing: What they would reach: `portfolio`.
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
    // Answers would be somebody else's, and a budget would be spent or blocked from outside.
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
