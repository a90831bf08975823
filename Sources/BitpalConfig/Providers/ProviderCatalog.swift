import BitpalFiles
public import BitpalModel
import FoundationEssentials

/// A catalog of provider files, which are read one by one, so that a bad one affects only its own use.
///
/// Of the files that came with settings which are not trusted only recordings and files of prices are taken, those
/// below the folder and without the name of a live source.
public struct ProviderCatalog: Sendable {
  private let settings: Settings

  /// Creates a catalogue of what the settings' folders hold; nothing is read before it is asked.
  public init(settings: Settings) {
    self.settings = settings
  }

  /// Returns the content of a provider's file, with the overrides of the settings applied; see ``provider(for:)``.
  public func specification(for id: String) throws(BitpalError) -> ProviderSpecification {
    try provider(for: id).specification
  }

  /// The provider of an id; only the first file with that id is read.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` with every fault of the file, or with the ids there are.
  public func provider(for id: String) throws(BitpalError) -> LoadedProvider {
    if let recording = ProviderSpecification(recording: id, from: settings.currentDirectory) {
      // One that the user named may be anywhere.
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

  /// `provider files` when there are some that are passed over, because the settings they came with are not trusted.
  public var withheld: [String] {
    guard let directory = settings.namedProvidersDir else { return [] }
    return Self.files(in: directory).contains { isWithheld($0, in: directory) } ? ["provider files"] : []
  }

  /// The plugins among the files that are passed over, by id: they would be started if the settings were trusted.
  public var withheldPlugins: [ProviderListing] {
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
    // Settings that are not trusted are given no key, so that of their plan none is set.
    if specification.untrustedSettings == nil, settings.keys?.isSet(specification) == true { specification.useKey() }
    let trustedFiles = settings.trustedContent?.files
    specification.trustedFiles = trustedFiles
    if case .plugin(var program) = specification.kind {
      program.trustedFiles = trustedFiles
      program.mayAskPrivateHosts = !isFound(specification)
      specification.kind = .plugin(program)
    }
    let overrides = settings.withheldOverrides.filter { $0 == specification.id }.map { "providers.\($0)" }
    return LoadedProvider(specification: specification, withheld: files + overrides)
  }

  /// Whether settings that were merely found say which hosts a plugin asks, in a provider file or an override.
  private func isFound(_ specification: ProviderSpecification) -> Bool {
    guard settings.file?.discovery == .currentDirectory else { return false }
    return specification.file.map(PathText.directory) == settings.namedProvidersDir
      || settings.providerOverrides.contains { $0.key == specification.id && $0.value["hosts"] != nil }
  }

  /// Whether a file is there and not to be used: it came with settings that are not trusted, and is more than a recording
  /// below their folder.
  private func isWithheld(_ id: String, in directory: String) -> Bool {
    guard let folder = settings.trust.untrustedFolder, directory == settings.namedProvidersDir,
      FileStatus.exists(path(of: id, in: directory))
    else { return false }
    guard Settings.isBelow(folder, path(of: id, in: directory)), !isLive(id, elsewhereThan: directory),
      let root = try? read(id, from: directory)?.root,
      case .scalar(let kind, _)? = root["kind"]?.content, Self.localKinds.contains(kind)
    else { return true }
    var specification = ProviderSpecification(id: id, name: id, kind: .declared(DeclaredAPI()))
    ProviderDecoder(home: settings.home, issues: IssueList()).decode(root, into: &specification)
    return !isWithinReach(specification)
  }

  /// The kinds that answer from what lies on this machine.
  private static let localKinds = [ProviderSpecification.Kind.Name.recorded, .file].map(\.rawValue)

  /// Whether the id is that of a live source for programs that run elsewhere.
  private func isLive(_ id: String, elsewhereThan directory: String) -> Bool {
    let others = settings.providersDirs.lazy.filter { $0 != directory }
    let first = others.compactMap { try? load(id, from: $0) }.first
    return first.map { $0.needsNetwork } ?? (id == ProviderSpecification.builtInCoinGecko.id)
  }

  /// Whether the settings may have a recording replayed, or a file of prices read: those that are not trusted only one below
  /// their folder.
  private func isWithinReach(_ specification: ProviderSpecification) -> Bool {
    guard let folder = settings.trust.untrustedFolder else { return true }
    return specification.localPath.map { Settings.isBelow(folder, $0) } ?? false
  }

  private func refusal(of files: [String]) -> BitpalError {
    settings.refusal(of: files) ?? .configuration([unknown(files.first ?? "")])
  }

  /// Every provider there is, by id, and of one id first the one that is used.
  ///
  /// A file that is wrong is listed with its faults.
  public func list() -> [ProviderListing] {
    var listings: [ProviderListing] = []
    var seen: Set<String> = []
    for directory in settings.providersDirs {
      for id in Self.files(in: directory) {
        guard !isWithheld(id, in: directory), let outcome = outcome(of: id, in: directory) else { continue }
        let isFirst = seen.insert(id).inserted
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

  /// Every id there is, sorted.
  public func ids() -> [String] {
    let found = settings.providersDirs.flatMap { directory in
      Self.files(in: directory).filter { ProviderID.problem(of: $0) == nil && !isWithheld($0, in: directory) }
    }
    return Set(found + [ProviderSpecification.builtInCoinGecko.id]).sorted()
  }

  /// The overrides under `providers:` of the settings that are for no provider there is.
  public func unknownOverrides() -> [ConfigurationIssue] {
    guard !settings.providerOverrides.isEmpty else { return [] }
    let known = ids()
    return settings.providerOverrides.filter { !known.contains($0.key) }
      .map { $0.issue(Self.unknownMessage($0.key, known: known)) }
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

  /// The provider of a folder's file; nil when there is no such file.
  private func load(_ id: String, from directory: String) throws(BitpalError) -> ProviderSpecification? {
    guard let file = try read(id, from: directory) else { return nil }
    let issues = IssueList()
    issues.add(file.issues)
    var specification = ProviderSpecification(id: id, name: id, kind: .declared(DeclaredAPI()))
    if let root = file.root {
      ProviderDecoder(home: settings.home, issues: issues).decode(root, into: &specification)
    }
    try issues.check()
    specification.file = path(of: id, in: directory)
    return specification
  }

  /// A provider file with the overrides of the settings laid over it, before anything of it is understood.
  private struct ProviderFile {
    var root: YAMLNode?
    var issues: [ConfigurationIssue]
  }

  private func read(_ id: String, from directory: String) throws(BitpalError) -> ProviderFile? {
    let name = shown(id, in: directory)
    let bytes: [UInt8]
    do {
      bytes = try YAMLDocument.bytes(of: path(of: id, in: directory))
    } catch {
      if error == .missing { return nil }
      throw .configuration([ConfigurationIssue(file: name, message: "cannot be read: \(error.reason)")])
    }
    try settings.trustedContent?.files.check(bytes, of: path(of: id, in: directory))
    let document = YAMLDocument(YAMLSource(file: name, directory: directory, bytes: bytes))
    var file = ProviderFile(root: document.root, issues: document.issues)
    guard var root = document.root else { return file }
    let override = settings.providerOverrides.first { $0.key == id }
    if root.entries != nil, let override { root = root.merged(with: override.value) }
    file.root = root
    return file
  }

  /// Every value in force of a provider and who set it, in the order of its file; examples are left out.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/configuration(_:)`` when there is no such provider or its file is wrong.
  public func entries(for id: String) throws(BitpalError) -> [SettingEntry] {
    let specification = try provider(for: id).specification
    for directory in settings.providersDirs where !isWithheld(id, in: directory) {
      if let root = try read(id, from: directory)?.root { return Self.entries(of: root, below: []) }
    }
    let override = settings.providerOverrides.first { $0.key == id }
    // Only what is built in has no file, and of that there is one kind.
    guard case .coingecko(let tier) = specification.kind else { return [] }
    let builtIn = [
      ("id", specification.id), ("name", specification.name), ("kind", specification.kind.name.rawValue),
      ("website", specification.website), ("attribution", specification.attribution),
      ("tier", tier.rawValue), ("key_env", specification.keyEnvironment),
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
      // Operations and headers read better key by key, lists of names on one line.
      let isOpen = path.count == 1 && Capability(rawValue: entry.key) != nil || entry.key == "fields"
      if isOpen, entry.value.entries?.isEmpty == false { return entries(of: entry.value, below: path) }
      let origin = SettingOrigin.file(entry.source.file, line: entry.keyMark.line)
      return [SettingEntry(key: path.joined(separator: "."), value: shown(entry.value), origin: origin)]
    }
  }

  /// A value on one line, however many the file takes for it.
  private static func shown(_ node: YAMLNode) -> String {
    guard case .scalar(let text, _) = node.content else { return node.flowText }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ").printable(limit: 2000)
  }

  private func builtIn() throws(BitpalError) -> ProviderSpecification {
    var specification = ProviderSpecification.builtInCoinGecko
    if let override = settings.providerOverrides.first(where: { $0.key == specification.id }) {
      let issues = IssueList()
      ProviderDecoder(home: settings.home, issues: issues).decode(override: override.value, into: &specification)
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

  /// The names of the files that end in `.yaml`, without it, sorted; none for a folder that is not there.
  static func files(in directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }.map { String($0.dropLast(5)) }.sorted()
  }

  /// Returns an issue at the place that chose the id: the line of the file, the variable or the flag.
  private func unknown(_ id: String) -> ConfigurationIssue {
    let message = Self.unknownMessage(id, known: ids())
    if let origin = settings.origins["provider"], settings.provider.contains(id) {
      return ConfigurationIssue(file: origin.description, message: message)
    }
    if let node = settings.root?["provider"]?.node(withText: id) { return node.issue(message) }
    return ConfigurationIssue(file: "provider", message: message)
  }

  private static func unknownMessage(_ id: String, known: [String]) -> String {
    let guess = NearestName.match(id, among: known).map { " (did you mean \"\($0)\"?)" } ?? ""
    return "there is no provider \"\(id.printable(limit: 60))\"\(guess); known: \(known.joined(separator: ", "))"
  }
}

extension YAMLNode {
  /// The scalar with that text: this node or an item of this list.
  fileprivate func node(withText text: String) -> YAMLNode? {
    switch content {
    case .scalar(let own, _): own == text ? self : nil
    case .sequence(let items): items.first { $0.node(withText: text) != nil }
    case .mapping: nil
    }
  }
}
