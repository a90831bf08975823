import BitpalFiles
public import BitpalModel

/// Finds and reads the settings: flags win over variables, variables over the file, the file over the defaults.
public struct SettingsLoader: Sendable {
  private let environment: Environment
  private let overrides: SettingsOverrides

  /// Creates a loader; nothing is read before it is asked.
  public init(environment: Environment, overrides: SettingsOverrides = SettingsOverrides()) {
    self.environment = environment
    self.overrides = overrides
  }

  /// The settings in force.
  ///
  /// No file at all is not an error: the defaults ask CoinGecko.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for a bad flag,
  ///   ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file and of the variables.
  public func load() throws(BitpalError) -> Settings {
    let found = try SettingsFinder(environment: environment, overrides: overrides).find()
    var settings = Settings(
      providersDirs: unique(environment.standardProvidersDirectories),
      cache: CacheSettings(path: environment.defaultCacheFile))
    settings.currentDirectory = environment.currentDirectory
    settings.home = environment.home
    settings.file = found?.file
    let issues = IssueList()
    if let document = found?.document {
      issues.add(document.issues)
      if let root = document.root { SettingsDecoder(issues: issues).decode(root, into: &settings) }
    }
    applyVariables(to: &settings, issues: issues)
    try applyFlags(to: &settings)
    try issues.check()
    return settings
  }

  /// The settings file in use; nil when there is none.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when a file was named and cannot be read.
  public func file() throws(BitpalError) -> SettingsFile? {
    try SettingsFinder(environment: environment, overrides: overrides).find()?.file
  }

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
    if let text = overrides.refresh {
      guard let refresh = Duration(unitText: text), refresh >= Settings.minimumRefresh else {
        throw .usage("--every: the time must be at least 10s, like 30s or 5m, not \"\(text.printable(limit: 60))\"")
      }
      settings.refresh = refresh
      settings.origins["refresh"] = .flag("--every")
    }
  }

  private func unique(_ paths: [String]) -> [String] {
    var seen: Set<String> = []
    return paths.filter { seen.insert($0).inserted }
  }
}
