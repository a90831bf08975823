public import BitpalModel
import BitpalSQLite
public import FoundationEssentials

/// The two tiers: memory in front, one SQLite file shared by all processes behind.
///
/// It keeps what it is given until it needs the room; what is fresh is for `BitpalService` to say.
public struct PriceCache: Sendable {
  /// A tier, for traces.
  public enum Tier: String, Sendable {
    /// In this process.
    case memory

    /// In the file.
    case sqlite
  }

  /// What the file holds.
  public struct Statistics: Hashable, Sendable {
    /// The file's path; nil when there is none.
    public let path: String?

    /// How many entries of each operation the file has, and their bytes.
    public let operations: [OperationUsage]

    /// How many coins the cached lists have.
    public let coins: Int

    /// When the oldest entry was fetched.
    public let oldest: Date?

    /// When the newest entry was fetched.
    public let newest: Date?

    /// The bytes of the cache's files, what SQLite keeps beside them included.
    public let diskBytes: Int

    /// The most bytes that the files may have together; less than 512 KiB counts as that.
    public let diskLimit: Int

    /// The most bytes the memory tier may hold.
    public let memoryLimit: Int
  }

  /// The entries of one operation.
  public struct OperationUsage: Hashable, Sendable {
    /// The operation.
    public let operation: String

    /// How many entries.
    public let entries: Int

    /// Their payloads' bytes.
    public let bytes: Int
  }

  private let memory: MemoryTier
  let disk: DiskTier?
  /// The file of the lower tier; nil when there is none.
  public let path: String?
  /// The failures of sources, where there is no lower tier.
  let sourceRecords = Locked<[String: SourceRecord]>([:])
  private let diskLimit: Int
  private let memoryLimit: Int
  private let warn: @Sendable (String) -> Void

  /// - Parameters:
  ///   - path: The file; made, with its folders, when first used. Nil for no lower tier.
  ///   - memoryLimit: Bytes the memory tier may hold.
  ///   - diskLimit: Bytes that all files of the lower tier may have together, coin lists included; less than 512 KiB
  ///     counts as that.
  ///   - isOwnPlace: Whether nobody else keeps files at `path`, so that whatever cannot be used there is set aside;
  ///     anywhere else that is done with caches alone.
  ///   - warn: Told, once, what is wrong with the file, and whom other processes wait for in vain.
  public init(
    path: String?, memoryLimit: Int, diskLimit: Int, isOwnPlace: Bool = false,
    warn: @escaping @Sendable (String) -> Void
  ) {
    memory = MemoryTier(byteLimit: memoryLimit)
    disk = path.map { DiskTier(path: $0, byteLimit: diskLimit, isOwnPlace: isOwnPlace, warn: warn) }
    self.path = path
    self.diskLimit = diskLimit
    self.memoryLimit = memoryLimit
    self.warn = warn
  }

  /// Whether there is a file that other processes find what is stored in.
  public var isShared: Bool { disk?.read { _ in true } ?? false }

  /// The locks between processes that share the file; nil when there is none.
  public func locks(time: any TimeSource) -> StripeLocks? {
    path.map { StripeLocks(cachePath: $0, time: time, warn: warn) }
  }

  /// The cached answer and the tier that had it.
  public func entry(for key: CacheKey) -> (entry: CacheEntry, tier: Tier)? {
    if let entry = memory.entry(for: key) { return (entry, .memory) }
    guard let entry = disk?.read({ try EntryCodec.read(key, $0) }) else { return nil }
    memory.store(entry, for: key)
    return (entry, .sqlite)
  }

  /// What the file holds now, past the memory tier: another process may have fetched in the meantime.
  public func storedEntry(for key: CacheKey) -> CacheEntry? {
    guard let entry = disk?.read({ try EntryCodec.read(key, $0) }) else { return nil }
    memory.store(entry, for: key)
    return entry
  }

  /// Keeps answers, in both tiers, in one transaction.
  public func store(_ entries: [(key: CacheKey, entry: CacheEntry)]) {
    guard !entries.isEmpty else { return }
    for (key, entry) in entries { memory.store(entry, for: key) }
    disk?.write { connection in
      for (key, entry) in entries {
        let payload = try EntryCodec.payload(of: entry.value, connection)
        let statement = try connection.cached("INSERT OR REPLACE INTO entry VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")
        try statement.bind(1, key.provider)
        try statement.bind(2, key.operation.rawValue)
        try statement.bind(3, key.coin)
        try statement.bind(4, key.currency)
        try statement.bind(5, key.range)
        try statement.bind(6, entry.fetchedAt.milliseconds)
        try statement.bind(7, entry.source)
        try statement.bind(8, Int64(payload.utf8.count))
        try statement.bind(9, payload)
        try statement.run()
      }
    }
  }

  /// What the file holds; zeros when there is none or it cannot be used.
  public func statistics() -> Statistics {
    let usage = disk?.read { connection in
      var operations: [OperationUsage] = []
      let rows = try connection.prepare("SELECT operation, count(*), sum(bytes) FROM entry GROUP BY 1 ORDER BY 1")
      while try rows.step() {
        operations.append(
          OperationUsage(
            operation: rows.text(0) ?? "", entries: Int(rows.integer(1)), bytes: Int(rows.integer(2))))
      }
      let oldest = try connection.integer("SELECT fetched_at FROM entry ORDER BY fetched_at LIMIT 1")
      let newest = try connection.integer("SELECT fetched_at FROM entry ORDER BY fetched_at DESC LIMIT 1")
      let coins = try connection.integer("SELECT count(*) FROM coin") ?? 0
      return (operations, oldest, newest, Int(coins))
    }
    return Statistics(
      path: path, operations: usage?.0 ?? [], coins: usage?.3 ?? 0,
      oldest: usage?.1.map { Date(milliseconds: $0) }, newest: usage?.2.map { Date(milliseconds: $0) },
      diskBytes: disk?.size ?? 0, diskLimit: diskLimit, memoryLimit: memoryLimit)
  }

  /// Forgets everything.
  ///
  /// What was set aside because it could not be used goes too.
  ///
  /// - Returns: How many entries and coin lists were removed from the file.
  public func removeAll() -> Int {
    memory.removeAll()
    disk?.removeSetAside()
    sourceRecords.withLock { $0 = [:] }
    return disk?.read { connection in
      let entries = try connection.integer("SELECT count(*) FROM entry") ?? 0
      let lists = try connection.integer("SELECT count(*) FROM coin_list") ?? 0
      try connection.execute(
        """
        DELETE FROM entry; DELETE FROM coin_list; DELETE FROM coin; DELETE FROM source_failure;
        VACUUM; PRAGMA wal_checkpoint(TRUNCATE)
        """)
      return Int(entries + lists)
    } ?? 0
  }

  // MARK: Coin list

  /// When and from whom the provider's coin list was fetched; nil when there is none.
  public func coinListStamp(provider: String) -> (fetchedAt: Date, source: String)? {
    disk?.read { connection in
      let row = try connection.cached("SELECT fetched_at, source FROM coin_list WHERE provider = ?1")
      defer { row.reset() }
      try row.bind(1, provider)
      return try row.step() ? (Date(milliseconds: row.integer(0)), row.text(1) ?? "") : nil
    }
  }

  /// The coins of the cached list whose id is `name`, then those whose symbol it is in lower case.
  public func coins(named name: String, provider: String) -> [CoinListItem] {
    disk?.read { connection in
      let rows = try connection.cached(
        """
        SELECT id, symbol, name FROM coin WHERE provider = ?1 AND id = ?2
        UNION ALL
        SELECT id, symbol, name FROM coin WHERE provider = ?1 AND symbol = lower(?2) AND id <> ?2
        """)
      return try Self.items(rows, provider, name)
    } ?? []
  }

  /// The whole cached list, by id; nil when there is none.
  public func coinList(provider: String) -> [CoinListItem]? {
    disk?.read { connection in
      let rows = try connection.cached("SELECT id, symbol, name FROM coin WHERE provider = ?1 ORDER BY id")
      let items = try Self.items(rows, provider)
      return items.isEmpty ? nil : items
    }
  }

  /// Replaces the provider's coin list, in one transaction.
  public func storeCoinList(_ items: [CoinListItem], provider: String, source: String, fetchedAt: Date) {
    let texts = items.map { (item: $0, keys: CoinSearch.keys(of: $0), nameKey: $0.name.searchKey) }
    let bytes = texts.reduce(0) { $0 + $1.item.id.utf8.count + $1.keys.utf8.count + $1.nameKey.utf8.count }
    disk?.write("the coin list", bytes: bytes) { connection in
      for sql in ["DELETE FROM coin WHERE provider = ?1", "DELETE FROM coin_list WHERE provider = ?1"] {
        let delete = try connection.cached(sql)
        try delete.bind(1, provider)
        try delete.run()
      }
      let insert = try connection.cached("INSERT OR REPLACE INTO coin VALUES (?1,?2,?3,?4,?5,?6)")
      for (item, keys, nameKey) in texts {
        try insert.bind(1, provider)
        try insert.bind(2, item.id)
        try insert.bind(3, item.symbol)
        try insert.bind(4, item.name)
        try insert.bind(5, keys)
        try insert.bind(6, nameKey)
        try insert.run()
      }
      let stamp = try connection.cached("INSERT INTO coin_list VALUES (?1,?2,?3)")
      try stamp.bind(1, provider)
      try stamp.bind(2, fetchedAt.milliseconds)
      try stamp.bind(3, source)
      try stamp.run()
    }
  }

  /// The coins of a statement that selects id, symbol and name.
  static func items(_ rows: SQLiteStatement, _ parameters: String...) throws -> [CoinListItem] {
    defer { rows.reset() }
    for (index, parameter) in parameters.enumerated() { try rows.bind(index + 1, parameter) }
    var items: [CoinListItem] = []
    while try rows.step() {
      let item = try? CoinListItem(
        validating: rows.text(0) ?? "", symbol: rows.text(1) ?? "", name: rows.text(2) ?? "")
      if let item { items.append(item) }
    }
    return items
  }
}
