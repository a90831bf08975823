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

  /// What was left out of the file for the user's safety, one sentence each.
  public internal(set) var warnings: [String] = []

  /// The shortest time between two updates of `watch`.
  public static let minimumRefresh = Duration.seconds(10)

  /// The file's content, by which the origin of a value is found when somebody asks.
  var root: YAMLNode?

  /// What did not come from the file, by dotted key.
  var origins: [String: SettingOrigin] = [:]

  /// Mappings to lay over provider files, by id, in the order of the file.
  var providerOverrides: [YAMLNode.Entry] = []

  /// The folder of provider files that came with a `config.yaml` found in the current folder.
  var untrustedProvidersDir: String?

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
