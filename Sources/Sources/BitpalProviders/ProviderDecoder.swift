package import BitpalJSON
import BitpalModel

/// A decoder of provider files, and of overrides for them, into a ``ProviderSpecification``.
package struct ProviderDecoder {
  /// The keys that every provider file may have.
  static let commonKeys =
    [
      "id", "name", "website", "attribution", "kind", "base_url", "rate_limit", "timeout", "max_age", "always_open",
      "currencies", "symbols", "key_env", "key_hosts", "extends",
    ] + SourceFacts.keys

  private let home: String?
  private let kinds: [any ProviderKind.Type]
  private let issues: IssueList

  /// Creates a decoder that adds issues to a list.
  ///
  /// - Parameters:
  ///   - home: The folder for paths that begin with `~`.
  ///   - kinds: The kinds that a file may have.
  ///   - issues: The list to which faults are added.
  package init(home: String?, kinds: [any ProviderKind.Type] = ProviderKinds.all, issues: IssueList) {
    self.home = home
    self.kinds = kinds
    self.issues = issues
  }

  /// Reads a whole file; `specification.id` is the id in its name.
  package func decode(_ root: YAMLNode, into specification: inout ProviderSpecification) {
    let before = issues.count
    reportToDos(in: root, at: [])
    guard issues.count == before else { return }
    let file = reader(root, name: "")
    guard root.entries != nil else { return }
    if let value = file["id"] {
      if let id = value.text(), id != specification.id {
        value.report("the id must be the file's name without .yaml, which is \"\(specification.id)\"")
      }
    } else {
      issues.add(root.source.issue("the key \"id\" is missing; it must be \(specification.id), as in the file's name"))
    }
    require(["name", "kind"], of: file, in: root)
    readValues(file, into: &specification)
    guard let kind = chosenKind(file) else { return }
    checkKeys(of: file, fit: kind)
    require(kind.keys.required, of: file, in: root)
    if let kind = kind.init(file) { specification.kind = kind }
  }

  /// Reports each value that a person has still to fill in; the source's own names may be any text.
  private func reportToDos(in node: YAMLNode, at keys: [String]) {
    switch node.content {
    case .scalar(Outline.toDo, isPlain: true):
      let name = keys.joined(separator: ".")
      issues.add(node.issue("\(name): the file says TODO; fill it in there, see docs/providers.md"))
    case .scalar: break
    case .sequence(let items): for item in items { reportToDos(in: item, at: keys) }
    case .mapping(let entries):
      for entry in entries where !["ids", "symbols"].contains(entry.key) {
        reportToDos(in: entry.value, at: keys + [entry.key])
      }
    }
  }

  /// Reads overrides over a specification that is complete without them.
  package func decode(override node: YAMLNode, into specification: inout ProviderSpecification) {
    let file = reader(node, name: "providers.\(specification.id)")
    readValues(file, into: &specification)
    let kind = type(of: specification.kind)
    checkKeys(of: file, fit: kind)
    if kind.keys.own.contains(where: { file[$0] != nil }), let own = kind.init(file) { specification.kind = own }
    guard let value = file["kind"], let chosen = chosenKind(file), chosen.name != kind.name else { return }
    value.report("the built-in \(specification.id) is of kind \(kind.name); another kind needs a file")
  }

  /// Checks overrides without knowing the file that they are for.
  package func check(override entry: YAMLNode.Entry, named name: String) {
    let file = reader(entry.value, name: name)
    file["id"]?.reportKey("the id of a provider cannot be overridden")
    // The kind bitpal accepts the most base URLs; the actual kind is known only when the provider is used.
    var ignored = ProviderSpecification(id: entry.key, name: entry.key, kind: RelayKind())
    readValues(file, into: &ignored)
    file["extends"]?.reportKey("a provider's base is named in its file only")
    for kind in kinds where kind.keys.areCheckedAlone { _ = kind.init(file) }
    _ = chosenKind(file)
  }

  private func reader(_ node: YAMLNode, name: String) -> ProviderFileReader {
    // Some kinds share a key, which messages name once.
    let keys = (Self.commonKeys + kinds.flatMap { $0.keys.own }).distinct
    return ProviderFileReader(
      keys: MappingDecoder(node, name: name, keys: keys, issues: issues), home: home, issues: issues)
  }

  private func require(_ keys: [String], of file: ProviderFileReader, in root: YAMLNode) {
    for key in keys where file[key] == nil {
      issues.add(root.source.issue("the key \"\(key)\" is missing"))
    }
  }

  /// Returns the kind that a file names; nil, and a fault, for an unknown one.
  private func chosenKind(_ file: ProviderFileReader) -> (any ProviderKind.Type)? {
    guard let name = file["kind"]?.choice(among: kinds.map { $0.name }) else { return nil }
    return kinds.first { $0.name == name }
  }

  /// Reads the keys that all kinds share.
  private func readValues(_ file: ProviderFileReader, into specification: inout ProviderSpecification) {
    if let name = file["name"]?.text() { specification.name = name }
    if let website = file["website"], let text = website.text() {
      if text.hasPrefix("https://") || text.hasPrefix("http://") {
        specification.website = text
      } else {
        website.report("website must begin with https:// or http://")
      }
    }
    if let attribution = file["attribution"]?.text() { specification.attribution = attribution }
    specification.facts.read(file)
    var kind: (any ProviderKind.Type)? = type(of: specification.kind)
    if case .scalar(let name, _)? = file["kind"]?.entry.value.content { kind = kinds.first { $0.name == name } }
    let mayUsePlainHTTP = kind?.mayUsePlainHTTP ?? false
    if let url = file["base_url"]?.baseURL(isRelay: mayUsePlainHTTP) { specification.baseURL = url }
    if let limits = file["rate_limit"]?.rateLimits() { specification.rateLimits = limits }
    if let timeout = file["timeout"]?.duration() { specification.timeout = timeout }
    if let age = file["max_age"]?.duration() { specification.maxAge = age }
    if let open = file["always_open"]?.items() { specification.alwaysOpen = open.compactMap { $0.text("an id") } }
    if let currencies = file["currencies"] { specification.currencies = currencies.currencies() }
    for symbol in file["symbols"]?.mapping(keys: nil).values ?? [] {
      if let text = symbol.text("a ticker") { specification.symbols[symbol.entry.key] = text }
    }
    if let name = file["key_env"]?.variableName() { specification.keyEnvironment = name }
    if let hosts = file["key_hosts"]?.items() { specification.keyHosts = hosts.compactMap { $0.host() } }
  }

  /// Reports the keys that a file of a kind cannot have.
  private func checkKeys(of file: ProviderFileReader, fit kind: any ProviderKind.Type) {
    for other in kinds where other.name != kind.name {
      for key in other.keys.own where !kind.keys.own.contains(key) {
        guard kinds.first(where: { $0.keys.own.contains(key) })?.name == other.name else { continue }
        file[key]?.reportKey("\(key) is only for kind: \(other.name)")
      }
    }
    for (key, reason) in kind.keys.useless { file[key]?.reportKey("\(key) \(reason)") }
  }
}

/// A reader of the keys of a provider file, for its kind.
package struct ProviderFileReader {
  /// The keys and values.
  package let keys: MappingDecoder

  /// The folder for paths that begin with `~`.
  package let home: String?

  /// The list to which faults are added.
  package let issues: IssueList

  /// Returns the value of a key; nil when the key is missing.
  package subscript(key: String) -> DeclaredValue? { keys[key] }

  /// The source's own currency codes when `currencies` is a mapping.
  package var currencyCodes: [String: String] {
    guard let currencies = keys["currencies"], currencies.entry.value.entries != nil else { return [:] }
    return currencies.mapping(keys: nil).values.reduce(into: [:]) { codes, value in
      if let code = value.text("the source's code"), let currency = Currency.normalized(value.entry.key) {
        codes[currency] = code
      }
    }
  }
}
