/// The contents of a provider file, with the overrides of the settings already applied.
///
/// `BitpalConfig` reads it, `BitpalProviders` builds a provider from it.
package struct ProviderSpecification: Equatable, Sendable {
  /// The kinds of provider that a file can describe, each with its own properties.
  ///
  /// Only the code that decodes kinds, and the code that builds providers of them, looks at the kind; other code uses
  /// the properties of the specification.
  package enum Kind: Equatable, Sendable {
    /// A source that the file alone declares: URLs and SELECTs.
    case declared(DeclaredAPI)

    /// The built-in CoinGecko dialect, on one of its plans.
    case coingecko(CoinGeckoTier)

    /// The recording in a folder (absolute) or in a HAR file, read by another provider's dialect: the one that the
    /// recording names if `of` is nil.
    case recorded(folder: String, of: String?)

    /// The user's own prices in a file.
    case file(PriceSource)

    /// A program that plans requests and reads their answers.
    case plugin(PluginProgram)

    /// Another `bitpal serve`; its answers keep their provenance.
    case bitpal

    /// The names of the kinds in provider files.
    package enum Name: String, CaseIterable, Sendable {
      /// ``Kind/declared(_:)``.
      case http

      /// ``Kind/coingecko(_:)``.
      case coingecko

      /// ``Kind/recorded(folder:of:)``.
      case recorded

      /// ``Kind/file(_:)``.
      case file

      /// ``Kind/plugin(_:)``.
      case plugin

      /// ``Kind/bitpal``.
      case bitpal
    }

    /// The kind's name in provider files.
    package var name: Name {
      switch self {
      case .declared: .http
      case .coingecko: .coingecko
      case .recorded: .recorded
      case .file: .file
      case .plugin: .plugin
      case .bitpal: .bitpal
      }
    }
  }

  /// A file of prices.
  package struct PriceSource: Hashable, Sendable {
    /// The absolute path.
    package let path: String

    /// The path in messages, as the provider file writes it.
    package let name: String

    /// The commodity of the prices; used where the file has no column for it.
    package let commodity: String?

    /// The currency of the prices; used where the file has no column for it.
    package let currency: String?

    /// Creates the description of a file, which is not read.
    package init(path: String, name: String, commodity: String? = nil, currency: String? = nil) {
      self.path = path
      self.name = name
      self.commodity = commodity
      self.currency = currency
    }
  }

  /// The name by which settings and commands choose the provider.
  package var id: String

  /// The usual name.
  package var name: String

  /// The kind of provider.
  package var kind: Kind

  /// The source's site.
  package var website: String?

  /// The attribution that the source requires.
  package var attribution: String?

  /// The base URL of requests, without a trailing slash; nil for the kind's own default.
  package var baseURL: String?

  /// The request budgets, all of which apply; empty for the kind's own default.
  package var rateLimits: [RateLimit] = []

  /// The time limit of one request; nil for the default.
  package var timeout: Duration?

  /// The age, by the source's own time, from which a price counts as outdated; nil for the default.
  package var maxAge: Duration?

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
  package init(id: String, name: String, kind: Kind) {
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
  /// The folder of the recording that answers; nil for a provider that asks a source.
  package var recordingFolder: String? {
    if case .recorded(let folder, _) = kind { folder } else { nil }
  }

  /// Returns the HAR file of a recording that is named by its folder or by the file itself.
  package static func recordingFile(_ path: String) -> String {
    path.hasSuffix(".har") ? path : path + "/recording.har"
  }

  /// The recording or file of prices on this machine that answers; nil for a provider that asks a source.
  package var localPath: String? {
    switch kind {
    case .recorded(let folder, _): folder
    case .file(let source): source.path
    case .coingecko, .declared, .plugin, .bitpal: nil
    }
  }

  /// Whether the provider needs the network.
  package var needsNetwork: Bool { localPath == nil }

  /// Whether the source answers only with a key.
  package var needsKey: Bool {
    switch kind {
    case .coingecko(let tier): tier != .public
    // The file does not state whether the source needs a key.
    case .declared, .recorded, .file, .plugin, .bitpal: false
    }
  }

  /// Whether the source is another server of bitpal, whose refusals concern single questions.
  package var isRelay: Bool { kind == .bitpal }

  /// The plan of the source, where it has several.
  package var plan: String? {
    if case .coingecko(let tier) = kind { tier.rawValue } else { nil }
  }

  /// Changes the plan without a key to the free plan with a key; any other plan stays.
  ///
  /// A key that is set is used, and a paid plan is declared in `tier`.
  package mutating func useKey() {
    if kind == .coingecko(.public) { kind = .coingecko(.demo) }
  }

  /// The declarations of the file; nil for a provider that is built in or recorded.
  package var declared: DeclaredAPI? {
    if case .declared(let api) = kind { api } else { nil }
  }

  /// The plugin that plans and reads the requests; nil for other kinds.
  package var plugin: PluginProgram? {
    if case .plugin(let program) = kind { program } else { nil }
  }

  /// The examples of the provider's file; nil for a kind without examples.
  package var examples: [DeclaredExample]? { declared?.examples ?? plugin?.examples }
}

/// CoinGecko's plans.
///
/// A key does not show its plan: it counts as a free one unless the plan is configured.
public enum CoinGeckoTier: String, CaseIterable, Sendable {
  /// No key.
  case `public`

  /// A free key.
  case demo

  /// A paid key, on a host of its own.
  case pro
}
