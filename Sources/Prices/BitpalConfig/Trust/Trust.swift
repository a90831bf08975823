import BitpalFiles
import BitpalJSON
package import BitpalModel
import BitpalProviders

/// The trust in a settings file, which decides whether it counts as the user's own.
///
/// A `config.yaml` in the current folder may have come with another author's files, so few of its settings apply until
/// the user has called `bitpal trust` there.
package enum Trust: Hashable, Sendable {
  /// The settings were named, are the user's own, or were trusted in their present state.
  case trusted

  /// The settings were found in `folder`, whose links are resolved; `hasChanged` is true if an earlier state was
  /// trusted.
  case untrusted(folder: String, hasChanged: Bool)

  /// The folder of untrusted settings; nil for trusted ones.
  package var untrustedFolder: String? {
    switch self {
    case .trusted: nil
    case .untrusted(let folder, _): folder
    }
  }
}

extension Settings {
  /// The description of untrusted settings for providers; nil for trusted ones.
  var untrusted: ProviderSpecification.UntrustedSettings? {
    guard let file, case .untrusted(let folder, let hasChanged) = trust else { return nil }
    return ProviderSpecification.UntrustedSettings(folder: folder, file: file.name, hasChanged: hasChanged)
  }

  /// Returns the error for settings that were withheld because of missing trust; nil when none were.
  ///
  /// - Parameter things: The withheld settings, as in
  ///   ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)``.
  package func refusal(of things: [String]) -> BitpalError? {
    guard let file, case .untrusted(_, let hasChanged) = trust, !things.isEmpty else { return nil }
    return .untrusted(file: file.name, hasChanged: hasChanged, withheld: things)
  }

  /// Checks that the settings may reach the user's own data.
  ///
  /// - Parameter thing: The name of the data: `portfolio`.
  /// - Throws: ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)`` for untrusted settings.
  package func demandTrust(for thing: String) throws(BitpalError) {
    if let refusal = refusal(of: [thing]) { throw refusal }
  }
}

extension Settings {
  /// Withholds the settings that an untrusted file may not change: it may choose only shipped providers, recordings
  /// below its folder, ranges, times to live and display.
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
    // Another machine would provide the answers, and could use up or block the budgets.
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

  /// Returns whether `path` leads into `folder` when its links are resolved; a path that does not exist is compared as
  /// it is.
  static func isBelow(_ folder: String, _ path: String) -> Bool {
    (PathText.real(path) ?? path).hasPrefix(folder + "/")
  }
}
