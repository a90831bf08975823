import BitpalFiles
import BitpalJSON
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// A decoder of a settings file into ``Settings``.
struct SettingsDecoder {
  /// The version of the format that this program reads.
  static let version = 1

  private let issues: IssueList

  /// Creates a decoder that adds issues to a list.
  init(issues: IssueList) {
    self.issues = issues
  }

  /// Reads files into settings with the default values; a later file takes precedence.
  func decode(_ roots: [YAMLNode], into settings: inout Settings) {
    // Every file is checked, so that the faults of all of them are reported.
    guard !roots.map(checkVersion).contains(false), let first = roots.first else { return }
    let root = roots.dropFirst().reduce(first) { $0.merged(with: $1) }
    settings.roots = roots
    let file = MappingDecoder(
      root, name: "",
      keys: [
        "bitpal", "provider", "currency", "convert", "timezone", "providers_dir", "refresh", "aliases", "cache",
        "fleet", "chart", "providers",
      ],
      issues: issues)
    settings.root = root
    if let value = file["provider"] {
      if value.entry.value.entries != nil {
        decodeAgreement(value, into: &settings)
      } else if let ids = providerIDs(value) {
        settings.provider = ids
      }
    }
    if let value = file["currency"], let currency = value.currency() { settings.currency = currency }
    if let value = file["convert"], let ids = convertingIDs(value) { settings.convert = ids }
    if let value = file["timezone"],
      let zone = value.zone("a time zone like Europe/Berlin", of: ZoneFiles(folders: settings.zoneFolders))
    {
      settings.timeZone = zone
    }
    if let value = file["providers_dir"], let path = path(value) {
      let directory = PathText.resolved(path, in: root.source.directory, home: settings.home)
      if !settings.providersDirs.contains(directory) { settings.namedProvidersDir = directory }
      settings.providersDirs = [directory] + settings.providersDirs.filter { $0 != directory }
    }
    if let refresh = file["refresh"]?.duration(atLeast: Settings.minimumRefresh) { settings.refresh = refresh }
    if let aliases = file["aliases"] { settings.aliases = self.aliases(aliases) }
    if let cache = file["cache"] { decodeCache(cache, into: &settings) }
    if let fleet = file["fleet"] { settings.fleet = FleetDecoder(home: settings.home).decode(fleet) }
    if let chart = file["chart"] { ChartDecoder().decode(chart, into: &settings.chart) }
    if let providers = file["providers"] { decodeProviders(providers, into: &settings) }
  }

  /// Checks the version; a file of a newer one is not read further, so that its new keys are not reported as mistakes.
  private func checkVersion(_ root: YAMLNode) -> Bool {
    guard root.entries != nil else {
      issues.add(root.issue("the file must hold keys and values (key: value), not \(root.kindText)"))
      return false
    }
    guard let entry = root.entry("bitpal") else {
      issues.add(root.source.issue("the key \"bitpal\" is missing; the file must begin with  bitpal: \(Self.version)"))
      return true
    }
    guard case .scalar(let text, _) = entry.value.content, let version = Int(text), version > 0 else {
      issues.add(
        entry.value.issue("bitpal is the version of this format and must be 1, not \(entry.value.kindText)"))
      return true
    }
    guard version > Self.version else { return true }
    issues.add(
      entry.value.issue(
        "this file is written in version \(version) of the format, and this bitpal reads version \(Self.version); "
          + "a newer bitpal is needed"))
    return false
  }

  private func providerIDs(_ value: DeclaredValue) -> [String]? {
    guard let ids = ids(value, problem: ProviderID.problem(ofChoice:)) else { return nil }
    return ids.isEmpty ? value.reject("provider names no provider") : ids
  }

  /// Reads providers that have to agree: `{ agree: [coingecko, kraken, coinbase], at_least: 2, within: 1%, else: error }`.
  private func decodeAgreement(_ value: DeclaredValue, into settings: inout Settings) {
    let rule = value.mapping(keys: ["agree", "at_least", "within", "else"])
    guard let members = rule["agree"] else {
      return value.reject("provider lacks agree, the list of providers that have to agree") ?? ()
    }
    guard let ids = providerIDs(members) else { return }
    guard ids.count >= 2 else { return members.reject("\(members.name) needs two providers or more") ?? () }
    settings.provider = ids
    let atLeast = rule["at_least"].map { $0.integer(in: 2...ids.count) } ?? AgreementRule.majority(of: ids.count)
    let within = rule["within"].map { percentage($0) } ?? AgreementRule.usualDistance
    let otherwise = rule["else"].map { $0.choice(of: AgreementRule.Otherwise.self) } ?? .error
    guard let atLeast, let within, let otherwise else { return }
    settings.agreement = AgreementRule(atLeast: atLeast, within: within, otherwise: otherwise)
  }

  private func percentage(_ value: DeclaredValue) -> Decimal? {
    guard let text = value.text("a percentage like 1%") else { return nil }
    let digits = text.hasSuffix("%") ? text.dropLast().filter { $0 != " " } : ""
    guard let number = try? Decimal(strict: digits), number > 0, number <= 50 else {
      return value.reject("\(value.name) must be a percentage above 0% and up to 50%, like 1%")
    }
    return number
  }

  /// Reads the ids of the providers of exchange rates: a list, which may be empty, or `none`.
  private func convertingIDs(_ value: DeclaredValue) -> [String]? {
    guard let ids = ids(value, problem: ProviderID.problem(of:)) else { return nil }
    if ids.count > 1, ids.contains("none") {
      return value.reject("none stands alone; name only providers, or only none")
    }
    return ids == ["none"] ? [] : ids
  }

  private func ids(_ value: DeclaredValue, problem: (String) -> String?) -> [String]? {
    var ids: [String] = []
    for item in value.items() {
      guard let id = item.text() else { return nil }
      if let problem = problem(id) { return item.reject(problem) }
      if ids.contains(id) { return item.reject("\(id) is listed twice") }
      ids.append(id)
    }
    return ids
  }

  private func aliases(_ value: DeclaredValue) -> [String: String] {
    var aliases: [String: String] = [:]
    var files: [String: YAMLSource] = [:]
    for alias in value.mapping(keys: nil).values {
      let ticker = alias.entry.key.lowercased()
      let file = alias.entry.source
      defer { files[ticker] = file }
      if ticker.isEmpty {
        alias.reportKey("an alias needs a name")
      } else if files[ticker] == file {
        alias.reportKey("the alias \"\(alias.entry.key.printable(limit: 60))\" is there already, in other letters")
      } else if let id = alias.text("a coin id") {
        aliases[ticker] = id
      }
    }
    return aliases
  }

  /// Returns the path of a setting; a variable in it, which is not replaced, is a fault.
  private func path(_ value: DeclaredValue) -> String? {
    guard let path = value.text() else { return nil }
    if !path.hasPrefix("$") { return path }
    return value.reject("a path has no variables; write ~ for the home folder")
  }

  private func decodeCache(_ value: DeclaredValue, into settings: inout Settings) {
    let cache = value.mapping(keys: ["path", "memory", "disk", "max_stale", "while_renewing", "ttl"])
    if let entry = cache["path"], let path = path(entry), path != "default" {
      settings.cache.path = PathText.resolved(path, in: entry.entry.source.directory, home: settings.home)
    }
    if let bytes = cache["memory"]?.bytes() { settings.cache.memoryBytes = bytes }
    if let bytes = cache["disk"]?.bytes() { settings.cache.diskBytes = bytes }
    if let age = cache["max_stale"]?.duration(atLeast: .zero) { settings.cache.maxStale = age }
    settings.cache.whileRenewing = cache["while_renewing"]?.duration(atLeast: .zero)
    guard let ttl = cache["ttl"]?.mapping(keys: ["quotes", "detail", "coin_list"]) else { return }
    if let duration = ttl["quotes"]?.duration() { settings.cache.ttl.quotes = duration }
    if let duration = ttl["detail"]?.duration() { settings.cache.ttl.detail = duration }
    if let duration = ttl["coin_list"]?.duration() { settings.cache.ttl.coinList = duration }
  }

  /// Reads and checks overrides, so that a mistake is found before their provider is used.
  private func decodeProviders(_ value: DeclaredValue, into settings: inout Settings) {
    for provider in value.mapping(keys: nil).values {
      let entry = provider.entry
      if let problem = ProviderID.problem(of: entry.key) {
        provider.reportKey(problem)
        continue
      }
      ProviderDecoder(home: settings.home, issues: issues).check(override: entry, named: provider.name)
      settings.providerOverrides.append(entry)
    }
  }
}
