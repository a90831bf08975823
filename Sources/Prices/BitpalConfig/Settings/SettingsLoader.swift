import BitpalFiles
import BitpalJSON
package import BitpalModel
import BitpalProviders

/// A loader of the settings: options take precedence over variables, variables over the file, the file over the
/// defaults.
package struct SettingsLoader: Sendable {
  private let environment: Environment
  private let overrides: SettingsOverrides

  /// Creates a loader, which reads files only when needed.
  package init(environment: Environment, overrides: SettingsOverrides = SettingsOverrides()) {
    self.environment = environment
    self.overrides = overrides
  }

  /// Returns the settings in force.
  ///
  /// A missing file is not an error: the defaults use CoinGecko.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for a bad option,
  ///   ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file and of the variables.
  package func load() throws(BitpalError) -> Settings {
    var warnings: [String] = []
    let files = try files(&warnings) { finder, warnings throws(BitpalError) in try finder.find(warnings: &warnings) }
    let standard = defaults
    var settings = standard
    settings.warnings = warnings
    let issues = IssueList()
    try decode(files, over: standard, into: &settings, issues: issues)
    applyVariables(to: &settings, issues: issues)
    try applyFlags(to: &settings)
    try issues.check()
    return settings
  }

  /// Returns the settings file in use; nil when there is none.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when the file cannot be read, or one in the current
  ///   folder is refused.
  package func file() throws(BitpalError) -> SettingsFile? {
    var warnings: [String] = []
    return try SettingsFinder(environment: environment, overrides: overrides).find(warnings: &warnings)?.file
  }

  /// Checks preferences before they are written, together with the settings over which they are layered.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with the faults that they would have.
  package func check(preferences bytes: [UInt8]) throws(BitpalError) {
    var warnings: [String] = []
    let files = try files(&warnings) { finder, warnings throws(BitpalError) in try finder.find(warnings: &warnings) }
    let name = files.place?.name ?? "preferences.yaml"
    let directory = files.place.map { PathText.directory(of: $0.path) } ?? "/"
    let document = YAMLDocument(YAMLSource(file: name, directory: directory, bytes: bytes))
    let issues = IssueList()
    issues.add(document.issues)
    var settings = defaults
    let roots = [files.found?.document.root, document.root].compactMap(\.self)
    SettingsDecoder(issues: issues).decode(roots, into: &settings)
    try issues.check()
  }

  /// Returns the content that `bitpal trust` would trust in the current folder; nil without settings of bitpal's.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the settings.
  package func content() throws(BitpalError) -> FolderContent? {
    var warnings: [String] = []
    let files = try files(&warnings) { finder, warnings throws(BitpalError) in
      try finder.inCurrentDirectory(warnings: &warnings)
    }
    guard files.found != nil else { return nil }
    var settings = defaults
    let issues = IssueList()
    read(files, into: &settings, issues: issues)
    try issues.check()
    return content(of: files, settings, hasSources: true)
  }

  /// The settings file and the preferences that are layered over it.
  private struct Files {
    let found: SettingsFinder.Found?

    /// The place of the preferences; nil without a home.
    let place: SettingsFile?
    let preferences: SettingsFinder.Found?
  }

  private func files(
    _ warnings: inout [String],
    _ find: (SettingsFinder, inout [String]) throws(BitpalError) -> SettingsFinder.Found?
  ) throws(BitpalError) -> Files {
    let finder = SettingsFinder(environment: environment, overrides: overrides)
    let found = try find(finder, &warnings)
    guard let place = finder.preferencesFile(beside: found?.file) else {
      return Files(found: found, place: nil, preferences: nil)
    }
    return Files(found: found, place: place, preferences: try finder.preferences(place, warnings: &warnings))
  }

  private var defaults: Settings {
    var settings = Settings(
      providersDirs: environment.standardProvidersDirectories.distinct,
      cache: CacheSettings(path: environment.defaultCacheFile))
    settings.standardImportsDirs = environment.standardImportsDirectories.distinct
    settings.currentDirectory = environment.currentDirectory
    settings.home = environment.home
    settings.keys = KeyStore(environment: environment)
    settings.zoneFolders = environment.zoneFolders
    return settings
  }

  /// Reads the files, and withholds the settings that they may not change unless they are trusted.
  private func decode(
    _ files: Files, over standard: Settings, into settings: inout Settings, issues: IssueList
  ) throws(BitpalError) {
    read(files, into: &settings, issues: issues)
    guard files.found?.content != nil else { return }
    let folder = realDirectory
    let remembered = try TrustedFolders(environment: environment).all().first { $0.path == folder }
    // The content of a folder that was never trusted need not be read.
    if let remembered, let content = content(of: files, settings), remembered.digest == content.digest {
      settings.trustedContent = content
      return
    }
    settings.trust = .untrusted(folder: folder, hasChanged: remembered != nil)
    settings.withhold(from: folder, standard: standard)
  }

  private func read(_ files: Files, into settings: inout Settings, issues: IssueList) {
    settings.file = files.found?.file
    settings.preferences = files.place
    let documents = [files.found, files.preferences].compactMap { $0?.document }
    for document in documents { issues.add(document.issues) }
    SettingsDecoder(issues: issues).decode(documents.compactMap(\.root), into: &settings)
  }

  private func content(of files: Files, _ settings: Settings, hasSources: Bool = false) -> FolderContent? {
    files.found?.content.map { file in
      FolderContent(
        folder: realDirectory, file: file, preferences: files.preferences?.content, settings: settings,
        hasSources: hasSources)
    }
  }

  private var realDirectory: String { PathText.real(environment.currentDirectory) ?? environment.currentDirectory }

  private func applyVariables(to settings: inout Settings, issues: IssueList) {
    if overrides.provider == nil, let text = environment.value("BITPAL_PROVIDER") {
      switch ProviderID.list(text) {
      case .success(let ids):
        settings.provider = ids
        settings.origins["provider"] = .environment("BITPAL_PROVIDER")
      case .failure(let problem):
        issues.add(ConfigurationIssue(file: "BITPAL_PROVIDER", message: problem.message))
      }
    }
    if overrides.currency == nil, let text = environment.value("BITPAL_CURRENCY") {
      if let currency = Currency.normalized(text) {
        settings.currency = currency
        settings.origins["currency"] = .environment("BITPAL_CURRENCY")
      } else {
        issues.add(ConfigurationIssue(file: "BITPAL_CURRENCY", message: Currency.problem(of: text)))
      }
    }
    if let path = environment.value("BITPAL_CACHE") {
      settings.cache.path =
        path == "default" ? environment.defaultCacheFile : PathText.joined(environment.currentDirectory, path)
      settings.origins["cache.path"] = .environment("BITPAL_CACHE")
    }
  }

  private func applyFlags(to settings: inout Settings) throws(BitpalError) {
    if let text = overrides.provider {
      switch ProviderID.list(text) {
      case .success(let ids): settings.provider = ids
      case .failure(let problem): throw .usage("--provider: \(problem.message)")
      }
      settings.origins["provider"] = .flag("--provider")
    }
    if let text = overrides.currency {
      guard let currency = Currency.normalized(text) else {
        throw .usage("--currency: \(Currency.problem(of: text))")
      }
      settings.currency = currency
      settings.origins["currency"] = .flag("--currency")
    }
    if let name = overrides.timeZone {
      do {
        settings.timeZone = try ZoneFiles(folders: settings.zoneFolders).zone(name)
      } catch {
        throw .usage("--tz: \(error.message)", hint: error.hint)
      }
      settings.origins["timezone"] = .flag("--tz")
    }
    if let text = overrides.refresh {
      guard let refresh = Duration(unitText: text), refresh >= Settings.minimumRefresh else {
        throw .usage("--every: the time must be at least 10s, like 30s or 5m, not \"\(text.printable(limit: 60))\"")
      }
      settings.refresh = refresh
      settings.origins["refresh"] = .flag("--every")
    }
  }

  /// Creates the settings file that `--config` or `BITPAL_CONFIG` names, or the user's own.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file exists or cannot be created.
  package func beginFile(with text: String) throws(BitpalError) -> SettingsFile {
    let named = (overrides.configPath ?? environment.value("BITPAL_CONFIG")).map {
      PathText.resolved($0, in: environment.currentDirectory, home: environment.value("HOME"))
    }
    guard let path = named ?? environment.userConfigFile else {
      throw .dataFile(path: "config.yaml", reason: "HOME is not set, so its folder is unknown")
    }
    try FileReplacement.create(path, with: Array(text.utf8), access: .user)
    return SettingsFile(
      path: path, name: PathText.shown(path, from: environment.currentDirectory), discovery: .userDirectory)
  }
}

/// The settings on the command line, as they were typed; nil for missing options.
package struct SettingsOverrides: Hashable, Sendable {
  /// The path in `--config FILE`.
  package var configPath: String?

  /// The id in `--provider NAME`, or several, separated by commas.
  package var provider: String?

  /// The code in `--currency CODE`.
  package var currency: String?

  /// The name in `--tz NAME`.
  package var timeZone: String?

  /// The duration in `watch --every DURATION`.
  package var refresh: String?

  /// Creates overrides.
  package init(
    configPath: String? = nil, provider: String? = nil, currency: String? = nil, timeZone: String? = nil,
    refresh: String? = nil
  ) {
    self.configPath = configPath
    self.provider = provider
    self.currency = currency
    self.timeZone = timeZone
    self.refresh = refresh
  }
}
