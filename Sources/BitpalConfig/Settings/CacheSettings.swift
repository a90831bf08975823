/// How answers are kept.
public struct CacheSettings: Hashable, Sendable {
  /// How long an answer counts as fresh, where the chart range does not say it.
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

  /// How long past its time to live an answer may still be served, marked stale, when the source fails; zero for never.
  public internal(set) var maxStale: Duration

  /// How long answers count as fresh.
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
