import BitpalModel

/// Everything a user can decide in `config.yaml`, with variables and flags applied.
///
/// ``SettingsLoader`` reads them; the initialiser is for programs that bring settings of their own.
public struct Settings: Equatable, Sendable {
  /// The ids of the providers to ask, in order of fallback; never empty.
  public internal(set) var provider: [String]

  /// The currency of prices, in lower case.
  public internal(set) var currency: String

  /// The absolute folders in which provider files are looked for; the first with an id wins.
  public internal(set) var providersDirs: [String]

  /// How often `watch` asks anew; at least 10 seconds.
  public internal(set) var refresh: Duration

  /// Ticker in lower case → coin id.
  public internal(set) var aliases: [String: String]

  /// How answers are kept.
  public internal(set) var cache: CacheSettings

  /// Which charts are offered.
  public internal(set) var chart: ChartSettings

  /// The file they were read from; nil when there is none.
  public internal(set) var file: SettingsFile?

  /// Whether the file is trusted; settings made by a program are.
  public internal(set) var trust: Trust = .trusted

  /// What is odd about where the settings come from, one sentence each.
  public internal(set) var warnings: [String] = []

  /// What a file that is not trusted says of the user's own things, and does not get: `cache.path`.
  public internal(set) var withheld: [String] = []

  /// The aliases of a file that is not trusted: ticker in lower case → coin id.
  public internal(set) var withheldAliases: [String: String] = [:]

  /// Every key of a file that is not trusted which has no effect: ``withheld``, and `aliases` and `providers`.
  public var withheldKeys: [String] {
    withheld + (withheldAliases.isEmpty ? [] : ["aliases"]) + (withheldOverrides.isEmpty ? [] : ["providers"])
  }

  /// The absolute folder in which new provider files belong: never one that settings which are not trusted name.
  public var providersDirForNew: String? {
    providersDirs.first { trust == .trusted || $0 != namedProvidersDir }
  }

  /// The shortest time between two updates of `watch`.
  public static let minimumRefresh = Duration.seconds(10)

  /// The file's content, by which the origin of a value is found when somebody asks.
  var root: YAMLNode?

  /// What did not come from the file, by dotted key.
  var origins: [String: SettingOrigin] = [:]

  /// Mappings to lay over provider files, by id, in the order of the file.
  var providerOverrides: [YAMLNode.Entry] = []

  /// The ids for which a file that is not trusted has overrides, in its order.
  var withheldOverrides: [String] = []

  /// The absolute folder of provider files that the file names; nil for none, or one that is looked into anyway.
  var namedProvidersDir: String?

  /// Where the user stands, for short file names; nil when that does not matter.
  var currentDirectory: String?

  /// The user's home, for paths that begin with `~`.
  var home: String?

  /// Creates settings; what is left out has its default.
  public init(
    provider: [String] = ["coingecko"], currency: String = "usd", providersDirs: [String] = [],
    refresh: Duration = .seconds(30), aliases: [String: String] = [:], cache: CacheSettings = CacheSettings(),
    chart: ChartSettings = ChartSettings()
  ) {
    self.provider = provider
    self.currency = currency
    self.providersDirs = providersDirs
    self.refresh = refresh
    self.aliases = aliases
    self.cache = cache
    self.chart = chart
  }
}
