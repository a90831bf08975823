import BitpalFiles
import BitpalJSON
package import BitpalModel

/// The settings of `config.yaml`, with variables and options applied.
///
/// ``SettingsLoader`` reads them; the initializer is for programs with settings of their own.
package struct Settings: Equatable, Sendable {
  /// The ids of the providers, in order of fallback; never empty.
  package internal(set) var provider: [String] { didSet { agreement = nil } }

  /// The rule by which all of ``provider`` agree on a price; nil where the first one that answers decides.
  package var agreement: AgreementRule?

  /// The currency of prices, in lower case.
  package internal(set) var currency: String

  /// Returns the settings with other providers.
  package func asking(_ ids: [String]) -> Settings {
    var settings = self
    settings.provider = ids
    return settings
  }

  /// Returns the settings with another currency, in lower case.
  package func showing(currency: String) -> Settings {
    var settings = self
    settings.currency = currency
    return settings
  }

  /// The ids of the providers of exchange rates, in order of fallback, for answers in a currency that ``provider``
  /// lacks; empty for none.
  package internal(set) var convert: [String]

  /// Whether the settings file has ``convert``, so that a missing provider in it is a mistake.
  package var isConvertChosen: Bool { root?["convert"] != nil }

  /// The time zone for times in tables and for day boundaries.
  package internal(set) var timeZone: ClockZone = .utc

  /// The absolute folders that are searched for provider files; the first with an id takes precedence.
  package internal(set) var providersDirs: [String]

  /// The interval at which `watch` refreshes; at least 10 seconds.
  package internal(set) var refresh: Duration

  /// The coin ids of aliases, by ticker in lower case.
  package internal(set) var aliases: [String: String]

  /// The settings of the cache.
  package var cache: CacheSettings

  /// The machines with which answers and budgets are shared; nil for none.
  package internal(set) var fleet: FleetSettings?

  /// The settings of charts.
  package internal(set) var chart: ChartSettings

  /// The settings file; nil without one.
  package internal(set) var file: SettingsFile?

  /// The place of the preferences, which need not exist; nil without a home.
  package internal(set) var preferences: SettingsFile?

  /// The trust in the file; settings made by a program are trusted.
  package internal(set) var trust: Trust = .trusted

  /// The trusted files of the folder in which the settings were found; nil for settings that need no trust.
  package internal(set) var trustedContent: FolderContent?

  /// Warnings about the place of the settings, one sentence each.
  package internal(set) var warnings: [String] = []

  /// The keys of an untrusted file that concern the user's own data and are not used: `cache.path`, `fleet`.
  package internal(set) var withheld: [String] = []

  /// The aliases of an untrusted file, which are not used: coin ids by ticker in lower case.
  package internal(set) var withheldAliases: [String: String] = [:]

  /// The keys of an untrusted file that have no effect: ``withheld``, and `aliases` and `providers`.
  package var withheldKeys: [String] {
    withheld + (withheldAliases.isEmpty ? [] : ["aliases"]) + (withheldOverrides.isEmpty ? [] : ["providers"])
  }

  /// The absolute folder for new provider files, which is never one that untrusted settings name; nil without any.
  package var providersDirForNew: String? {
    providersDirs.first { trust == .trusted || $0 != namedProvidersDir }
  }

  /// The absolute folders that are searched for import files: `imports` beside the settings file, then the standard
  /// ones; the first with an id takes precedence.
  package var importsDirs: [String] {
    let own = file.map { PathText.joined(PathText.directory(of: $0.path), "imports") }
    let standard = standardImportsDirs.filter { $0 != own }
    return (own.map { [$0] } ?? []) + standard
  }

  /// The absolute folder for new import files, which is never beside untrusted settings; nil without any.
  package var importsDirForNew: String? { trust == .trusted ? importsDirs.first : standardImportsDirs.first }

  /// The default provider of exchange rates, the European Central Bank, which needs no key.
  package static let usualConvert = ["ecb"]

  /// The shortest interval between two updates of `watch`: 10 s.
  static let minimumRefresh = Duration.seconds(10)

  /// The content of all files, which leads to the origin of each value.
  var root: YAMLNode?

  /// The content of each file; a later one takes precedence.
  var roots: [YAMLNode] = []

  /// The origins of values that are not from the file, by dotted key.
  var origins: [String: SettingOrigin] = [:]

  /// The overrides of provider files, by id, in the order of the settings file.
  var providerOverrides: [YAMLNode.Entry] = []

  /// The ids of the overrides in an untrusted file, in its order.
  var withheldOverrides: [String] = []

  /// The absolute folder of provider files that the file names; nil for none, or for one that is searched anyway.
  var namedProvidersDir: String?

  /// The folders that are searched for import files after the one beside the settings.
  var standardImportsDirs: [String] = []

  /// The user's current folder, for short file names; nil for absolute names.
  var currentDirectory: String?

  /// The store of keys; nil for settings made by a program.
  var keys: KeyStore?

  /// The absolute folders of the system's time zones.
  package var zoneFolders: [String] = []

  /// The user's home, for paths that begin with `~`.
  var home: String?

  /// Creates settings; omitted values have their defaults.
  package init(
    provider: [String] = ["coingecko"], currency: String = "usd", convert: [String] = Settings.usualConvert,
    providersDirs: [String] = [], refresh: Duration = .seconds(30), aliases: [String: String] = [:],
    cache: CacheSettings = CacheSettings(), fleet: FleetSettings? = nil, chart: ChartSettings = ChartSettings()
  ) {
    self.provider = provider
    self.currency = currency
    self.convert = convert
    self.providersDirs = providersDirs
    self.refresh = refresh
    self.aliases = aliases
    self.cache = cache
    self.fleet = fleet
    self.chart = chart
  }
}

/// The settings of the cache.
package struct CacheSettings: Hashable, Sendable {
  /// The times for which answers are fresh; charts use the time to live of their range.
  package struct TimeToLive: Hashable, Sendable {
    /// The time to live of latest prices.
    package var quotes: Duration

    /// The time to live of a coin's market figures.
    package internal(set) var detail: Duration

    /// The time to live of the list of all coins.
    package internal(set) var coinList: Duration

    /// Creates times to live; the defaults are 60 s, 5 min and 7 d.
    package init(
      quotes: Duration = .seconds(60), detail: Duration = .seconds(300), coinList: Duration = .seconds(604_800)
    ) {
      self.quotes = quotes
      self.detail = detail
      self.coinList = coinList
    }
  }

  /// The absolute path of the cache file; nil without a place for it, which leaves only the memory tier.
  package internal(set) var path: String?

  /// The largest size of the memory tier, in bytes.
  package internal(set) var memoryBytes: Int

  /// The largest size of the cache file, in bytes.
  package internal(set) var diskBytes: Int

  /// The time past expiry for which an answer may still be served, marked stale, when its source fails
  /// (stale-if-error); zero for never.
  package var maxStale: Duration

  /// The time past expiry for which an answer is served, marked, while one caller renews it (stale-while-revalidate);
  /// nil for the default, which is never, and 10 s in a server.
  package var whileRenewing: Duration?

  /// The longest time for which an answer waits to be written while another program writes: 2 s, and less in a server,
  /// where the answer is in memory already.
  package var storePatience = Duration.seconds(2)

  /// The times for which answers are fresh.
  package var ttl: TimeToLive

  /// Creates cache settings.
  package init(
    path: String? = nil, memoryBytes: Int = 16 << 20, diskBytes: Int = 64 << 20,
    maxStale: Duration = .seconds(604_800), ttl: TimeToLive = TimeToLive()
  ) {
    self.path = path
    self.memoryBytes = memoryBytes
    self.diskBytes = diskBytes
    self.maxStale = maxStale
    self.ttl = ttl
  }
}

/// The settings of charts.
package struct ChartSettings: Hashable, Sendable {
  /// The default type.
  package internal(set) var defaultType: ChartType

  /// The type that was chosen last at a terminal, which is the default there; nil for none.
  package internal(set) var lastType: ChartType?

  /// The name of the default range, which is one of ``ranges``.
  package internal(set) var defaultRange: String

  /// The ranges: the standard ones in their order, then those that the file adds, in its order.
  package internal(set) var ranges: [ChartTimeRange] {
    get { own ?? ChartTimeRange.standard }
    set { own = newValue == ChartTimeRange.standard ? nil : newValue }
  }

  /// The ranges, if they differ from the standard ones; nil avoids creating those for commands without charts.
  private var own: [ChartTimeRange]?

  /// The longest time to live of a range.
  package var longestTimeToLive: Duration {
    own.map { $0.map(\.timeToLive).max() ?? .zero } ?? ChartTimeRange.longestStandardTimeToLive
  }

  /// Creates chart settings; nil ranges stand for the standard ones.
  package init(
    defaultType: ChartType = .line, defaultRange: String = "1D", ranges: [ChartTimeRange]? = nil
  ) {
    self.defaultType = defaultType
    self.defaultRange = defaultRange
    if let ranges { self.ranges = ranges }
  }
}
