package import BitpalModel

/// The contents of a provider file, with the overrides of the settings already applied.
///
/// ``ProviderDecoder`` reads it; its ``kind`` makes a provider of it.
package struct ProviderSpecification: Sendable {
  /// The name by which settings and commands choose the provider.
  package var id: String

  /// The usual name.
  package var name: String

  /// The kind of provider, with its own properties.
  package var kind: any ProviderKind

  /// The source's site.
  package var website: String?

  /// The attribution that the source requires.
  package var attribution: String?

  /// The facts about the source that change none of its answers.
  package var facts = SourceFacts()

  /// The base URL of requests, without a trailing slash; nil for the kind's own default.
  package var baseURL: String?

  /// The request budgets, all of which apply; empty for the kind's own default.
  package var rateLimits: [RateLimit] = []

  /// The time limit of one request; nil for the default.
  package var timeout: Duration?

  /// The age, by the source's own time, from which a price counts as outdated; nil for the default.
  package var maxAge: Duration?

  /// The ids, with one `*` for any text, of what is traded day and night at a source whose market is closed at times.
  package var alwaysOpen: [String] = []

  /// The currencies of the source, lower case; nil where the kind knows them or any may be requested.
  package var currencies: [String]?

  /// The source's own tickers by coin id.
  package var symbols: [String: String]

  /// The environment variable that holds the key; the same name with `_FILE` appended names one that holds a path.
  package var keyEnvironment: String?

  /// The hosts in addition to the kind's own to which a key may be sent; used only from the user's own file.
  package var keyHosts: [String]

  /// The file of the specification; nil for a built-in one.
  package var file: String?

  /// The files of the folder that was trusted; nil for settings that need no trust.
  package var trustedFiles: TrustedFiles?

  /// The settings in force where they are not trusted; nil when they are.
  package var untrustedSettings: UntrustedSettings?

  /// Creates a specification with only a name and a kind.
  package init(id: String, name: String, kind: any ProviderKind) {
    self.id = id
    self.name = name
    self.kind = kind
    symbols = [:]
    keyHosts = []
  }
}

extension ProviderSpecification {
  /// Settings that were found in the working folder and are not trusted in their present state.
  package struct UntrustedSettings: Hashable, Sendable {
    /// Their folder, with its links resolved.
    package let folder: String

    /// The file's name in messages.
    package let file: String

    /// Whether an earlier state of the file was trusted.
    package let hasChanged: Bool

    /// Creates the description of settings.
    package init(folder: String, file: String, hasChanged: Bool) {
      self.folder = folder
      self.file = file
      self.hasChanged = hasChanged
    }
  }

  /// The folder of settings that are in force without being trusted; nil when those in force are.
  ///
  /// Its answers are kept separately in the cache.
  package var untrustedFolder: String? { untrustedSettings?.folder }

  /// Whether the plugin may be started; true for a provider without one.
  package var mayRun: Bool { plugin == nil || untrustedSettings == nil }

  /// Checks that the plugin may be started: settings that are not trusted start none, not even the user's own.
  ///
  /// - Throws: ``BitpalError/untrusted(file:hasChanged:withheld:)``.
  package func demandTrustToRun() throws(BitpalError) {
    guard !mayRun, let settings = untrustedSettings else { return }
    throw .untrusted(file: settings.file, hasChanged: settings.hasChanged, withheld: ["plugin \(id)"])
  }
}

extension ProviderSpecification {
  /// The name of the kind in provider files.
  package var kindName: String { type(of: kind).name }

  /// The folder or HAR file of the recording that answers; nil for any other provider.
  package var recordingFolder: String? { (kind as? RecordedKind)?.folder }

  /// The declarations of the file; nil for a provider of another kind.
  package var declared: DeclaredAPI? { (kind as? DeclaredKind)?.api }

  /// The plugin that plans and reads the requests; nil for other kinds.
  package var plugin: PluginProgram? { (kind as? PluginKind)?.program }

  /// Whether the provider needs the network.
  package var needsNetwork: Bool { kind.localPath == nil }

  /// The base URL of its requests, without a trailing slash; nil for a provider whose file does not say it.
  package var requestURL: String? { baseURL ?? kind.usualBaseURL }

  /// The base URLs of all its requests: the file's, and those of its operations.
  package var baseURLs: [String] {
    [baseURL].compactMap(\.self) + Capability.allCases.compactMap { declared?.operations[$0]?.baseURL }
  }

  /// The URLs that show whether its source can be reached; none where nothing shows it.
  package var probeURLs: [String] {
    let own = kind.probePath.flatMap { path in requestURL.map { $0 + path } }
    return ([own].compactMap(\.self) + (own == nil ? [] : baseURLs.dropFirst())).distinct
  }

  /// The request budgets that apply: those of the file, otherwise the known ones of the kind.
  package var budgets: [RateLimit] { rateLimits.isEmpty ? kind.usualBudgets : rateLimits }
}

extension ProviderSpecification: Equatable {
  package static func == (left: ProviderSpecification, right: ProviderSpecification) -> Bool {
    left.kind.isEqual(to: right.kind) && left.id == right.id && left.name == right.name
      && left.website == right.website && left.attribution == right.attribution && left.facts == right.facts
      && left.baseURL == right.baseURL
      && left.rateLimits == right.rateLimits && left.timeout == right.timeout && left.maxAge == right.maxAge
      && left.alwaysOpen == right.alwaysOpen
      && left.currencies == right.currencies && left.symbols == right.symbols
      && left.keyEnvironment == right.keyEnvironment && left.keyHosts == right.keyHosts && left.file == right.file
      && left.trustedFiles == right.trustedFiles && left.untrustedSettings == right.untrustedSettings
  }
}
