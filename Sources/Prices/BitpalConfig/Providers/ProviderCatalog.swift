import BitpalFiles
import BitpalJSON
package import BitpalModel
package import BitpalProviders
import FoundationEssentials

/// A catalog of provider files, which are read separately, so that a bad one affects only its own use.
///
/// Of the files that untrusted settings bring, it uses only recordings and files of prices below their folder whose ids
/// are not those of live sources.
package struct ProviderCatalog: Sendable {
  private let settings: Settings
  private let kinds: [any ProviderKind.Type]

  /// Creates a catalog of the files in the settings' folders, which are read only when needed.
  ///
  /// - Parameters:
  ///   - settings: The settings, with their folders and overrides.
  ///   - kinds: The kinds that a file may have.
  package init(settings: Settings, kinds: [any ProviderKind.Type] = ProviderKinds.all) {
    self.settings = settings
    self.kinds = kinds
  }

  /// Returns the content of a provider's file, with the overrides of the settings applied.
  ///
  /// - Throws: As ``provider(for:)``.
  package func specification(for id: String) throws(BitpalError) -> ProviderSpecification {
    try provider(for: id).specification
  }

  /// Returns the provider with an id; only the first file with that id is read.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file, or with the existing ids
  ///   for an unknown provider; ``/BitpalModel/BitpalError/untrusted(file:hasChanged:withheld:)`` when the
  ///   settings are not trusted with it.
  package func provider(for id: String) throws(BitpalError) -> LoadedProvider {
    if let recording = ProviderSpecification(recording: id, from: settings.currentDirectory) {
      // A recording that the user named may be in any folder.
      guard settings.origins["provider"] != nil || isWithinReach(recording) else { throw refusal(of: [id]) }
      return loaded(recording)
    }
    guard ProviderID.problem(of: id) == nil else { throw .configuration([unknown(id)]) }
    var passedOver: [String] = []
    for directory in settings.providersDirs {
      if isWithheld(id, in: directory) {
        passedOver.append(shown(id, in: directory))
      } else if let specification = try load(id, from: directory) {
        return loaded(specification, withheld: passedOver)
      }
    }
    guard id == ProviderSpecification.builtInCoinGecko.id else {
      throw passedOver.isEmpty ? .configuration([unknown(id)]) : refusal(of: passedOver)
    }
    return loaded(try builtIn(), withheld: passedOver)
  }

  /// The text `provider files` when some are not used because their settings are not trusted; otherwise empty.
  package var withheld: [String] {
    guard let directory = settings.namedProvidersDir else { return [] }
    return Self.files(in: directory).contains { isWithheld($0, in: directory) } ? ["provider files"] : []
  }

  /// The plugins in the files that are not used, by id; they would be started if the settings were trusted.
  package var withheldPlugins: [ProviderListing] {
    guard let directory = settings.namedProvidersDir else { return [] }
    return Self.files(in: directory).compactMap { id in
      guard isWithheld(id, in: directory), case .success(let provider)? = outcome(of: id, in: directory),
        provider.specification.plugin != nil
      else { return nil }
      return ProviderListing(
        id: id, file: path(of: id, in: directory), isShadowed: false, outcome: .success(provider))
    }
  }

  private func loaded(_ specification: ProviderSpecification, withheld files: [String] = []) -> LoadedProvider {
    var specification = specification
    specification.untrustedSettings = settings.untrusted
    // Untrusted settings get no key, so the plan with a key does not apply.
    if specification.untrustedSettings == nil, settings.keys?.isSet(specification) == true {
      specification.kind = specification.kind.withKey()
    }
    let trustedFiles = settings.trustedContent?.files
    specification.trustedFiles = trustedFiles
    specification.kind = specification.kind.allowed(trustedFiles, mayAskPrivateHosts: !isFound(specification))
    let overrides = settings.withheldOverrides.filter { $0 == specification.id }.map { "providers.\($0)" }
    return LoadedProvider(specification: specification, withheld: files + overrides)
  }

  /// Returns whether settings that were found in the current folder name the hosts of a plugin, in a provider file or
  /// an override.
  private func isFound(_ specification: ProviderSpecification) -> Bool {
    guard settings.file?.discovery == .currentDirectory else { return false }
    return specification.file.map(PathText.directory) == settings.namedProvidersDir
      || settings.providerOverrides.contains { $0.key == specification.id && $0.value["hosts"] != nil }
  }

  /// Returns whether a file exists and must not be used: it belongs to untrusted settings, and is more than a recording
  /// or a file of prices below their folder.
  private func isWithheld(_ id: String, in directory: String) -> Bool {
    guard let folder = settings.trust.untrustedFolder, directory == settings.namedProvidersDir,
      FileStatus.exists(path(of: id, in: directory))
    else { return false }
    guard Settings.isBelow(folder, path(of: id, in: directory)), !isLive(id, elsewhereThan: directory),
      let file = try? read(id, from: directory), let root = file.root,
      file.bases.allSatisfy({ ShippedFiles.contains($0) || Settings.isBelow(folder, $0) }),
      case .scalar(let kind, _)? = root["kind"]?.content, kinds.contains(where: { $0.name == kind && $0.isLocal })
    else { return true }
    var specification = ProviderSpecification(id: id, name: id, kind: DeclaredKind())
    ProviderDecoder(home: settings.home, kinds: kinds, issues: IssueList()).decode(root, into: &specification)
    return !isWithinReach(specification)
  }

  /// Returns whether the id is that of a source on the network when the folder is ignored.
  private func isLive(_ id: String, elsewhereThan directory: String) -> Bool {
    let others = settings.providersDirs.lazy.filter { $0 != directory }
    let first = others.compactMap { try? load(id, from: $0) }.first
    return first.map { $0.needsNetwork } ?? (id == ProviderSpecification.builtInCoinGecko.id)
  }

  /// Returns whether the settings may use a recording or a file of prices: untrusted settings only one below their
  /// folder.
  private func isWithinReach(_ specification: ProviderSpecification) -> Bool {
    guard let folder = settings.trust.untrustedFolder else { return true }
    return specification.kind.localPath.map { Settings.isBelow(folder, $0) } ?? false
  }

  private func refusal(of files: [String]) -> BitpalError {
    settings.refusal(of: files) ?? .configuration([unknown(files.first ?? "")])
  }

  /// Returns all providers, sorted by id; of several with one id, the one in use comes first.
  ///
  /// A bad file is listed with its faults.
  package func list() -> [ProviderListing] {
    var listings: [ProviderListing] = []
    var seen: Set<String> = []
    for directory in settings.providersDirs {
      for id in Self.files(in: directory) {
        guard !isWithheld(id, in: directory), let outcome = outcome(of: id, in: directory) else { continue }
        let isFirst = seen.insert(id).inserted
        // A file inside the program stands in for an installed one, and is not another provider beside it.
        if !isFirst, ShippedFiles.contains(directory) { continue }
        listings.append(
          ProviderListing(id: id, file: path(of: id, in: directory), isShadowed: !isFirst, outcome: outcome))
      }
    }
    let builtIn = Result { () throws(BitpalError) in loaded(try self.builtIn()) }
    let id = ProviderSpecification.builtInCoinGecko.id
    listings.append(ProviderListing(id: id, file: nil, isShadowed: seen.contains(id), outcome: builtIn))
    // Sorting is stable, so the order of the folders stays within an id.
    return listings.sorted { $0.id < $1.id }
  }

  /// Returns all ids, sorted.
  package func ids() -> [String] {
    let found = settings.providersDirs.flatMap { directory in
      Self.files(in: directory).filter { ProviderID.problem(of: $0) == nil && !isWithheld($0, in: directory) }
    }
    return Set(found + [ProviderSpecification.builtInCoinGecko.id]).sorted()
  }

  /// Returns an issue for each override under `providers:` without a provider.
  package func unknownOverrides() -> [ConfigurationIssue] {
    guard !settings.providerOverrides.isEmpty else { return [] }
    let known = ids()
    return settings.providerOverrides.filter { !known.contains($0.key) }
      .map { $0.issue(unknownMessage($0.key, known: known)) }
  }

  private func outcome(of id: String, in directory: String) -> Result<LoadedProvider, BitpalError>? {
    if let problem = ProviderID.problem(of: id) {
      return .failure(.configuration([ConfigurationIssue(file: shown(id, in: directory), message: problem)]))
    }
    do {
      return try load(id, from: directory).map { .success(loaded($0)) }
    } catch {
      return .failure(error)
    }
  }

  /// Returns the provider in a folder's file; nil when the file does not exist.
  private func load(_ id: String, from directory: String) throws(BitpalError) -> ProviderSpecification? {
    guard let file = try read(id, from: directory) else { return nil }
    let issues = IssueList()
    issues.add(file.issues)
    var specification = ProviderSpecification(id: id, name: id, kind: DeclaredKind())
    if let root = file.root {
      ProviderDecoder(home: settings.home, kinds: kinds, issues: issues).decode(root, into: &specification)
    }
    try issues.check()
    specification.file = path(of: id, in: directory)
    return specification
  }

  /// Returns a provider file over its bases and below the overrides of the settings, not yet decoded; nil when the file
  /// does not exist.
  private func read(_ id: String, from directory: String) throws(BitpalError) -> ExtendedFile? {
    let name = shown(id, in: directory)
    let bytes: [UInt8]
    do {
      bytes = try YAMLDocument.bytes(of: path(of: id, in: directory))
    } catch {
      if error == .missing { return nil }
      throw .configuration([ConfigurationIssue(file: name, message: "cannot be read: \(error.reason)")])
    }
    let trusted = settings.trustedContent?.files
    try trusted?.check(bytes, of: path(of: id, in: directory))
    var file = try ExtendedFile(
      YAMLDocument(YAMLSource(file: name, directory: directory, bytes: bytes)), at: path(of: id, in: directory),
      shownFrom: settings.currentDirectory
    ) { bytes, path throws(BitpalError) in try trusted?.check(bytes, of: path) }
    if let override = settings.providerOverrides.first(where: { $0.key == id }) { file.override(by: override.value) }
    return file
  }

  /// Returns all values in force of a provider with their origins, in the order of its file and without examples.
  ///
  /// The usual request budget of a file without one is the last; a plugin's program may name others.
  ///
  /// - Throws: As ``provider(for:)``.
  package func entries(for id: String) throws(BitpalError) -> [SettingEntry] {
    let specification = try provider(for: id).specification
    let written = try writtenEntries(of: specification, id)
    guard specification.needsNetwork, specification.rateLimits.isEmpty else { return written }
    let budgets = specification.budgets.map { "\($0)" }.joined(separator: ", ")
    let value = specification.plugin == nil ? budgets : "\(budgets), unless its program names others"
    return written + [SettingEntry(key: "rate_limit", value: value, origin: .default)]
  }

  private func writtenEntries(
    of specification: ProviderSpecification, _ id: String
  ) throws(BitpalError) -> [SettingEntry] {
    for directory in settings.providersDirs where !isWithheld(id, in: directory) {
      if let root = try read(id, from: directory)?.root { return Self.entries(of: root, below: []) }
    }
    let override = settings.providerOverrides.first { $0.key == id }
    // Only the built-in provider has no file, and its kind is coingecko.
    guard specification.file == nil else { return [] }
    let builtIn = [
      ("id", specification.id), ("name", specification.name), ("kind", specification.kindName),
      ("website", specification.website), ("attribution", specification.attribution),
      ("tier", specification.kind.plan), ("key_env", specification.keyEnvironment),
    ]
    let known = override?.value.entries?.map(\.key) ?? []
    return builtIn.compactMap { key, value in
      known.contains(key) ? nil : value.map { SettingEntry(key: key, value: $0, origin: .default) }
    } + (override.map { Self.entries(of: $0.value, below: []) } ?? [])
  }

  private static func entries(of node: YAMLNode, below path: [String]) -> [SettingEntry] {
    (node.entries ?? []).flatMap { entry -> [SettingEntry] in
      if path.isEmpty, entry.key == "examples" { return [] }
      let path = path + [entry.key.printable(limit: 60)]
      // Operations and fields are more readable key by key, other mappings on one line.
      let isOpen = path.count == 1 && Capability(rawValue: entry.key) != nil || entry.key == "fields"
      if isOpen, entry.value.entries?.isEmpty == false { return entries(of: entry.value, below: path) }
      let origin = SettingOrigin.file(entry.source.file, line: entry.keyMark.line)
      return [SettingEntry(key: path.joined(separator: "."), value: shown(entry.value), origin: origin)]
    }
  }

  /// Returns a value on one line.
  private static func shown(_ node: YAMLNode) -> String {
    guard case .scalar(let text, _) = node.content else { return node.flowText }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ").printable(limit: 2000)
  }

  private func builtIn() throws(BitpalError) -> ProviderSpecification {
    var specification = ProviderSpecification.builtInCoinGecko
    if let override = settings.providerOverrides.first(where: { $0.key == specification.id }) {
      let issues = IssueList()
      ProviderDecoder(home: settings.home, kinds: kinds, issues: issues).decode(
        override: override.value, into: &specification)
      try issues.check()
    }
    return specification
  }

  private func path(of id: String, in directory: String) -> String {
    PathText.joined(directory, id + ".yaml")
  }

  private func shown(_ id: String, in directory: String) -> String {
    PathText.shown(path(of: id, in: directory), from: settings.currentDirectory)
  }

  /// Returns the names of the files that end in `.yaml`, without that ending and sorted; empty for a missing folder.
  static func files(in directory: String) -> [String] {
    let names =
      ShippedFiles.names(in: directory) ?? (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns an issue at the place that selects the id: the line of the file, the variable or the option.
  private func unknown(_ id: String) -> ConfigurationIssue {
    let message = unknownMessage(id, known: ids())
    if let origin = settings.origins["provider"], settings.provider.contains(id) {
      return ConfigurationIssue(file: origin.description, message: message)
    }
    if let node = settings.root?["provider"]?.node(withText: id) { return node.issue(message) }
    return ConfigurationIssue(file: "provider", message: message)
  }

  private func unknownMessage(_ id: String, known: [String]) -> String {
    // A file of one's own is often put beside config.yaml.
    let directory = ProviderID.problem(of: id) == nil ? settings.providersDirForNew : nil
    let place = directory.map { ", \(shown(id, in: $0)) does not exist" } ?? ""
    let guess = NearestName.match(id, among: known).map { " (did you mean \"\($0)\"?)" } ?? place
    let others = known.count > 12 ? "see \"bitpal providers list\"" : "known: \(known.joined(separator: ", "))"
    return "unknown provider \"\(id.printable(limit: 60))\"\(guess); \(others)"
  }
}

extension YAMLNode {
  /// Returns the scalar with a text: this node or an item of this list.
  fileprivate func node(withText text: String) -> YAMLNode? {
    switch content {
    case .scalar(let own, _): own == text ? self : nil
    case .sequence(let items): items.first { $0.node(withText: text) != nil }
    case .mapping(let entries): entries.lazy.compactMap { $0.value.node(withText: text) }.first
    }
  }
}
