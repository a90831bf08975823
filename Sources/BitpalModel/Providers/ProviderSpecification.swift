/// What a provider file says, with the overrides of the settings already applied.
///
/// `BitpalConfig` reads it, `BitpalProviders` builds a provider from it.
public struct ProviderSpecification: Equatable, Sendable {
  /// The kinds of provider a file can describe.
  public enum Kind: String, CaseIterable, Sendable {
    /// Declared by the file alone: URLs and SELECTs.
    case http

    /// The built-in CoinGecko dialect.
    case coingecko

    /// A recording, answered through another provider's dialect.
    case recorded
  }

  /// CoinGecko's plans.
  ///
  /// A key does not tell which plan it is of, so the plan has to be configured.
  public enum Tier: String, CaseIterable, Sendable {
    /// No key.
    case `public`

    /// A free key.
    case demo

    /// A paid key, on a host of its own.
    case pro
  }

  /// The name by which settings and commands choose the provider.
  public var id: String

  /// The name people use.
  public var name: String

  /// The kind of provider.
  public var kind: Kind

  /// The source's site.
  public var website: String?

  /// The credit the source asks for.
  public var attribution: String?

  /// Where requests go, without a trailing slash; nil for the kind's own default.
  public var baseURL: String?

  /// The request budget; nil for the kind's own default.
  public var rateLimit: RateLimit?

  /// The longest one request may take; nil for the default.
  public var timeout: Duration?

  /// The currencies the source answers in, lower case; nil when the kind knows better or any may be tried.
  public var currencies: [String]?

  /// Coin id → the source's own ticker.
  public var symbols: [String: String]

  /// The plan; CoinGecko only.
  public var tier: Tier?

  /// The environment variable that holds the key; the same name with `_FILE` appended names one that holds a path.
  public var keyEnvironment: String?

  /// The hosts a key may be sent to besides the kind's own; only honoured from the user's own file.
  public var keyHosts: [String]

  /// Whose dialect reads the recording; recorded only.
  public var recordingOf: String?

  /// The recording's folder, absolute; recorded only.
  public var recording: String?

  /// The operations, error words and examples; HTTP only.
  public var declared: DeclaredAPI?

  /// The file all this was read from; nil when it is built in.
  public var file: String?

  /// The folder whose settings are in force without being trusted; nil when those in force are.
  ///
  /// What is answered there is kept apart in the cache.
  public var untrustedFolder: String?

  /// Creates a specification with nothing but its name and kind.
  public init(id: String, name: String, kind: Kind) {
    self.id = id
    self.name = name
    self.kind = kind
    symbols = [:]
    keyHosts = []
  }
}
