import BitpalFiles
import BitpalModel

/// A decoder of provider files, and of overrides for them, into a ``ProviderSpecification``.
struct ProviderDecoder {
  /// The keys that are not specific to `kind: http`.
  private static let commonKeys = [
    "id", "name", "website", "attribution", "kind", "base_url", "rate_limit", "timeout", "max_age", "currencies",
    "symbols",
    "tier", "key_env", "key_hosts", "of", "recording", "file", "commodity", "currency", "command", "hosts",
  ]

  private let home: String?
  private let issues: IssueList

  /// Creates a decoder that adds issues to a list.
  ///
  /// - Parameter home: The folder for paths that begin with `~`.
  init(home: String?, issues: IssueList) {
    self.home = home
    self.issues = issues
  }

  /// Reads a whole file; `specification.id` is the id in its name.
  func decode(_ root: YAMLNode, into specification: inout ProviderSpecification) {
    let before = issues.count
    reportToDos(in: root, at: [])
    guard issues.count == before else { return }
    let decoder = mapping(root, name: "")
    guard root.entries != nil else { return }
    if let value = decoder["id"] {
      if let id = value.text(), id != specification.id {
        value.report("the id must be the file's name without .yaml, which is \"\(specification.id)\"")
      }
    } else {
      issues.add(root.source.issue("the key \"id\" is missing; it must be \(specification.id), as in the file's name"))
    }
    require(["name", "kind"], of: decoder, in: root)
    let own = readValues(decoder, into: &specification)
    guard let kind = decoder["kind"], let chosen = kind.choice(of: ProviderSpecification.Kind.Name.self) else { return }
    checkKeys(of: decoder, fit: chosen)
    switch chosen {
    case .coingecko: specification.kind = .coingecko(own.tier ?? .public)
    case .recorded:
      require(["of", "recording"], of: decoder, in: root)
      if let folder = own.recording { specification.kind = .recorded(folder: folder, of: own.recordingOf) }
    case .file:
      require(["file"], of: decoder, in: root)
      if let file = own.file {
        specification.kind = .file(
          ProviderSpecification.PriceSource(
            path: file.path, name: file.name, commodity: own.commodity, currency: decoder["currency"]?.currency()))
      }
    case .plugin:
      require(["command", "hosts"], of: decoder, in: root)
      if let command = own.command { specification.kind = .plugin(plugin(decoder, command, own.hosts)) }
    case .bitpal:
      require(["base_url"], of: decoder, in: root)
      specification.kind = .bitpal
    case .http:
      require(["base_url"], of: decoder, in: root)
      let api = APIDecoder(issues: issues).decode(decoder, currencyCodes: currencyCodes(decoder))
      if Capability.allCases.allSatisfy({ decoder[$0.rawValue] == nil }) {
        kind.report("a provider of kind http needs an operation: quotes, coin_list, detail, line or candles")
      }
      specification.kind = .declared(api)
    }
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
  func decode(override node: YAMLNode, into specification: inout ProviderSpecification) {
    let decoder = mapping(node, name: "providers.\(specification.id)")
    let own = readValues(decoder, into: &specification)
    if let tier = own.tier { specification.kind = .coingecko(tier) }
    let name = specification.kind.name
    checkKeys(of: decoder, fit: name)
    guard let kind = decoder["kind"], let chosen = kind.choice(of: ProviderSpecification.Kind.Name.self), chosen != name
    else { return }
    kind.report("the built-in \(specification.id) is of kind \(name.rawValue); another kind needs a file")
  }

  /// Checks overrides without knowing the file that they are for.
  func check(override entry: YAMLNode.Entry, named name: String) {
    let decoder = mapping(entry.value, name: name)
    decoder["id"]?.reportKey("the id of a provider cannot be overridden")
    // The kind bitpal accepts the most base URLs; the actual kind is known only when the provider is used.
    var ignored = ProviderSpecification(id: entry.key, name: entry.key, kind: .bitpal)
    _ = readValues(decoder, into: &ignored)
    _ = decoder["kind"]?.choice(of: ProviderSpecification.Kind.Name.self)
  }

  private func mapping(_ node: YAMLNode, name: String) -> MappingDecoder {
    MappingDecoder(node, name: name, keys: Self.commonKeys + APIDecoder.keys, issues: issues)
  }

  private func require(_ keys: [String], of decoder: MappingDecoder, in root: YAMLNode) {
    for key in keys where decoder[key] == nil {
      issues.add(root.source.issue("the key \"\(key)\" is missing"))
    }
  }

  /// The values of keys that are specific to one kind.
  private struct OwnValues {
    var tier: CoinGeckoTier?
    var recordingOf: String?
    var recording: String?
    var file: (path: String, name: String)?
    var commodity: String?
    var command: [String]?
    var hosts: [String] = []
  }

  /// Reads the keys that all kinds share into the specification.
  ///
  /// - Returns: The values of the other keys, which are read for every kind, so that all faults are reported.
  private func readValues(
    _ decoder: MappingDecoder, into specification: inout ProviderSpecification
  ) -> OwnValues {
    var own = OwnValues()
    if let name = decoder["name"]?.text() { specification.name = name }
    if let website = decoder["website"], let text = website.text() {
      if text.hasPrefix("https://") || text.hasPrefix("http://") {
        specification.website = text
      } else {
        website.report("website must begin with https:// or http://")
      }
    }
    if let attribution = decoder["attribution"]?.text() { specification.attribution = attribution }
    var isRelay = specification.isRelay
    if case .scalar(let kind, _)? = decoder["kind"]?.entry.value.content {
      isRelay = kind == ProviderSpecification.Kind.Name.bitpal.rawValue
    }
    if let url = decoder["base_url"]?.baseURL(isRelay: isRelay) { specification.baseURL = url }
    if let limits = decoder["rate_limit"]?.rateLimits() { specification.rateLimits = limits }
    if let timeout = decoder["timeout"]?.duration() { specification.timeout = timeout }
    if let age = decoder["max_age"]?.duration() { specification.maxAge = age }
    if let currencies = decoder["currencies"] {
      specification.currencies = currencies.currencies()
    }
    for symbol in decoder["symbols"]?.mapping(keys: nil).values ?? [] {
      if let text = symbol.text("a ticker") { specification.symbols[symbol.entry.key] = text }
    }
    if let tier = decoder["tier"]?.choice(of: CoinGeckoTier.self) { own.tier = tier }
    if let name = decoder["key_env"]?.variableName() { specification.keyEnvironment = name }
    if let hosts = decoder["key_hosts"]?.items() { specification.keyHosts = hosts.compactMap { $0.host() } }
    if let of = decoder["of"], let id = of.text() {
      if let problem = ProviderID.problem(of: id) { of.report(problem) } else { own.recordingOf = id }
    }
    if let recording = decoder["recording"], let path = recording.text() {
      own.recording = PathText.resolved(path, in: recording.entry.source.directory, home: home)
    }
    if let file = decoder["file"], let name = file.text("the path of a file of prices") {
      own.file = (PathText.resolved(name, in: file.entry.source.directory, home: home), name)
    }
    own.commodity = decoder["commodity"]?.text("what is priced")
    own.command = decoder["command"].flatMap(command)
    own.hosts = decoder["hosts"]?.items().compactMap { $0.host(mayBeBracketed: true) } ?? []
    if let hosts = decoder["hosts"], hosts.items().isEmpty { hosts.report("hosts must name at least one host") }
    return own
  }

  private static let mostWords = 32

  /// Reads a program and its arguments, which are not passed to a shell.
  private func command(_ value: DeclaredValue) -> [String]? {
    guard case .sequence(let words) = value.entry.value.content, (1...Self.mostWords).contains(words.count) else {
      return value.reject(
        "command must be a list of 1 to \(Self.mostWords) words: the program and its arguments, like [python3, mine.py]"
      )
    }
    let texts = value.items().compactMap { $0.text("a word") }
    return texts.count == words.count ? texts : nil
  }

  private func plugin(_ decoder: MappingDecoder, _ command: [String], _ hosts: [String]) -> PluginProgram {
    if let currencies = decoder["currencies"], currencies.entry.value.entries != nil {
      currencies.report("currencies of a plugin are a list: what its source calls them is the program's affair")
    }
    let examples = decoder["examples"]?.items().compactMap { ExampleDecoder(hasSeveralBodies: true).decode($0) }
    return PluginProgram(
      command: command, folder: decoder.entry("command")?.source.directory ?? "", hosts: hosts,
      examples: examples ?? [])
  }

  /// Returns the source's own currency codes when `currencies` is a mapping.
  private func currencyCodes(_ decoder: MappingDecoder) -> [String: String] {
    guard let currencies = decoder["currencies"], currencies.entry.value.entries != nil else { return [:] }
    return currencies.mapping(keys: nil).values.reduce(into: [:]) { codes, value in
      if let code = value.text("the source's code"), let currency = Currency.normalized(value.entry.key) {
        codes[currency] = code
      }
    }
  }

  private func checkKeys(of decoder: MappingDecoder, fit kind: ProviderSpecification.Kind.Name) {
    func onlyFor(_ other: ProviderSpecification.Kind.Name, _ keys: [String]) {
      for key in keys { decoder[key]?.reportKey("\(key) is only for kind: \(other.rawValue)") }
    }
    if kind != .coingecko { onlyFor(.coingecko, ["tier"]) }
    if kind != .recorded { onlyFor(.recorded, ["of", "recording"]) }
    if kind != .file { onlyFor(.file, ["file", "commodity"]) }
    for key in kind == .file ? ["base_url", "rate_limit", "timeout", "key_env", "key_hosts"] : [] {
      decoder[key]?.reportKey("\(key) has no meaning for kind: file, which sends no requests")
    }
    if kind != .plugin { onlyFor(.plugin, ["command", "hosts"]) }
    if kind == .plugin {
      decoder["base_url"]?.reportKey("base_url is of no use to kind: plugin, whose program says where to ask")
    }
    // Both kinds have `currency`: for a file the currency of prices without one, for http the path to the currency of
    // an answer.
    let shared = kind == .file ? ["currency"] : kind == .plugin ? ["examples"] : []
    if kind != .http { onlyFor(.http, APIDecoder.keys.filter { !shared.contains($0) }) }
  }
}
