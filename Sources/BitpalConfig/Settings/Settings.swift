import BitpalFiles
public import BitpalModel

/// Everything a user can decide in `config.yaml`, with variables and flags applied.
///
/// ``SettingsLoader`` reads them; the initialiser is for programs that bring settings of their own.
public struct Settings: Equatable, Sendable {
  /// The ids of the providers to ask, in order of fallback; never empty.
  public internal(set) var provider: [String]

  /// The currency of prices, in lower case.
  public internal(set) var currency: String

  /// The ids of the providers of exchange rates, in order of fallback, for answers in a currency that ``provider``
  /// lacks; empty for none.
  public internal(set) var convert: [String]

  /// Whether ``convert`` was chosen, so that one which is not there is a mistake.
  package var isConvertChosen: Bool { root?["convert"] != nil }

  /// The time zone for times in tables and for day boundaries.
  public internal(set) var timeZone: ClockZone = .utc

  /// The absolute folders in which provider files are looked for; the first with an id wins.
  public internal(set) var providersDirs: [String]

  /// The interval at which `watch` refreshes; at least 10 seconds.
  public internal(set) var refresh: Duration

  /// Ticker in lower case → coin id.
  public internal(set) var aliases: [String: String]

  /// The settings of the cache.
  public package(set) var cache: CacheSettings

  /// The machines with which answers and budgets are shared; nil for none.
  public internal(set) var fleet: FleetSettings?

  /// The charts that are offered.
  public internal(set) var chart: ChartSettings

  /// The file they were read from; nil when there is none.
  public internal(set) var file: SettingsFile?

  /// Whether the file is trusted; settings made by a program are.
  public internal(set) var trust: Trust = .trusted

  /// The files of the folder in which they were found, where it is trusted; nil for settings that need no trust.
  package internal(set) var trustedContent: FolderContent?

  /// Warnings about the place of the settings, one sentence each.
  public internal(set) var warnings: [String] = []

  /// The settings of a file that is not trusted which concern the user's own data and are not used: `cache.path`,
  /// `fleet`.
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

  /// The absolute folders in which import files are looked for; the first with an id wins: `imports` beside the settings'
  /// file, and where programs keep what came with them.
  public var importsDirs: [String] {
    let own = file.map { PathText.joined(PathText.directory(of: $0.path), "imports") }
    let standard = standardImportsDirs.filter { $0 != own }
    return (own.map { [$0] } ?? []) + standard
  }

  /// The absolute folder in which new import files belong: never beside settings which are not trusted.
  public var importsDirForNew: String? { trust == .trusted ? importsDirs.first : standardImportsDirs.first }

  /// The European Central Bank, which tells its rates to everybody.
  public static let usualConvert = ["ecb"]

  /// The shortest time between two updates of `watch`.
  static let minimumRefresh = Duration.seconds(10)

  /// The file's content, by which the origin of a value is found when needed.
  var root: YAMLNode?

  /// The values that did not come from the file, by dotted key.
  var origins: [String: SettingOrigin] = [:]

  /// Mappings to lay over provider files, by id, in the order of the file.
  var providerOverrides: [YAMLNode.Entry] = []

  /// The ids for which a file that is not trusted has overrides, in its order.
  var withheldOverrides: [String] = []

  /// The absolute folder of provider files that the file names; nil for none, or one that is looked into anyway.
  var namedProvidersDir: String?

  /// The folders in which import files are looked for after the folder of the settings.
  var standardImportsDirs: [String] = []

  /// The user's current folder, for short file names; nil when that does not matter.
  var currentDirectory: String?

  /// The place of keys; nil for settings made by a program, which needs none.
  var keys: KeyStore?

  /// The absolute folders of the system's time zones.
  var zoneFolders: [String] = []

  /// The user's home, for paths that begin with `~`.
  var home: String?

  /// Creates settings; what is left out has its default.
  public init(
    provider: [String] = ["coingecko"], currency: String = "usd", convert: [String] = Settings.usualConvert,
    providersDirs: [String] = [],
    refresh: Duration = .seconds(30), aliases: [String: String] = [:], cache: CacheSettings = CacheSettings(),
    fleet: FleetSettings? = nil, chart: ChartSettings = ChartSettings()
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
public struct CacheSettings: Hashable, Sendable {
  /// The time for which an answer counts as fresh, where the chart range does not state it.
  public struct TimeToLive: Hashable, Sendable {
    /// For latest prices.
    public internal(set) var quotes: Duration

    /// For the market figures of a coin.
    public internal(set) var detail: Duration

    /// For the list of all coins.
    public internal(set) var coinList: Duration

    /// Creates times to live.
    public init(
      quotes: Duration = .seconds(60), detail: Duration = .seconds(300), coinList: Duration = .seconds(604_800)
    ) {
      self.quotes = quotes
      self.detail = detail
      self.coinList = coinList
    }
  }

  /// The absolute path of the cache file; nil when there is no place for one and only memory is used.
  public internal(set) var path: String?

  /// The most bytes that answers may take in memory.
  public internal(set) var memoryBytes: Int

  /// The most bytes that the file may take.
  public internal(set) var diskBytes: Int

  /// The time past its time to live for which an answer may still be served, marked stale, when the source fails; zero
  /// for never.
  public package(set) var maxStale: Duration

  /// The time past its time to live for which an answer is served, marked, while one caller renews it; nil where the settings
  /// do not say: never, and 10 s in a server.
  public package(set) var whileRenewing: Duration?

  /// The time for which answers count as fresh.
  public internal(set) var ttl: TimeToLive

  /// Creates cache settings.
  public init(
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

/// The charts that are offered.
public struct ChartSettings: Hashable, Sendable {
  /// The type drawn when none is asked for.
  public internal(set) var defaultType: ChartType

  /// The name of the range shown when none is asked for; one of ``ranges``.
  public internal(set) var defaultRange: String

  /// The ranges offered: the standard ones in their order, then those the file adds in the file's.
  public internal(set) var ranges: [ChartTimeRange] {
    get { own ?? ChartTimeRange.standard }
    set { own = newValue == ChartTimeRange.standard ? nil : newValue }
  }

  /// The ranges where something changes them: a price need not have the standard ones made.
  private var own: [ChartTimeRange]?

  /// Creates chart settings; the ranges are the standard ones when nil.
  public init(
    defaultType: ChartType = .line, defaultRange: String = "1D", ranges: [ChartTimeRange]? = nil
  ) {
    self.defaultType = defaultType
    self.defaultRange = defaultRange
    if let ranges { self.ranges = ranges }
  }
}
