import BitpalFiles

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
    if let directory = namedProvidersDir, !Self.isBelow(folder, directory) {
      withhold(\.providersDirs, "providers_dir", standard)
      namedProvidersDir = nil
    }
  }

  private mutating func withhold<Value: Equatable>(
    _ value: WritableKeyPath<Settings, Value>, _ key: String, _ standard: Settings
  ) {
    guard self[keyPath: value] != standard[keyPath: value] else { return }
    self[keyPath: value] = standard[keyPath: value]
    origins[key] = .default
    withheld.append(key)
  }

  /// Whether `path` leads to something within `folder`, its links followed; what is not there yet leads where it says.
  static func isBelow(_ folder: String, _ path: String) -> Bool {
    (PathText.real(path) ?? path).hasPrefix(folder + "/")
  }
}
