public import BitpalModel
package import BitpalSQLite
public import FoundationEssentials

/// The two tiers: memory in front, one SQLite file shared by all processes behind; and, for several machines, what they
/// share.
///
/// It keeps what it is given until it needs the room; what is fresh is for `BitpalService` to say.
public struct PriceCache: Sendable {
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

  /// The file of the lower tier; nil when there is none.
  public let path: String?

  private let memory: MemoryTier
  private let disk: SQLiteTier?

  /// What other machines see too; looked into only before a source would be asked.
  private let remote: (any CacheTier)?
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
    self.init(
      path: path, memoryLimit: memoryLimit, diskLimit: diskLimit, isOwnPlace: isOwnPlace, remote: nil, warn: warn)
  }

  /// A cache with a tier that other machines share.
  package init(
    path: String?, memoryLimit: Int, diskLimit: Int, isOwnPlace: Bool, remote: (any CacheTier)?,
    warn: @escaping @Sendable (String) -> Void
  ) {
    disk = path.map {
      SQLiteTier(file: DiskTier(path: $0, byteLimit: diskLimit, isOwnPlace: isOwnPlace, warn: warn))
    }
    memory = MemoryTier(byteLimit: memoryLimit)
    self.remote = remote
    self.path = path
    self.diskLimit = diskLimit
    self.memoryLimit = memoryLimit
    self.warn = warn
  }

  /// Whether there is a file that other processes find what is stored in, or a place for other machines.
  public var isShared: Bool { remote != nil || disk?.file.isUsable ?? false }

  /// The locks between processes that share the file; nil when there is none.
  package func locks(time: any TimeSource) -> (any FlightLock)? {
    path.map { StripeLocks(cachePath: $0, time: time, warn: warn) }
  }

  /// The tiers of this machine, the quicker first.
  private var tiers: [any CacheTier] { disk.map { [memory, $0] } ?? [memory] }

  /// The cached answer and the name of the tier that had it.
  public func answer(for key: AnswerKey) -> (answer: Sourced<AnswerContent>, tier: String)? {
    if let answer = memory.answer(for: key) { return (answer, memory.name) }
    guard let disk, let answer = disk.answer(for: key) else { return nil }
    keep([answer], from: disk)
    return (answer, disk.name)
  }

  /// Whether other machines share a tier.
  package var hasRemoteTier: Bool { remote != nil }

  /// Returns what the shared tiers hold now: another process, or machine, may have fetched in the meantime.
  ///
  /// - Parameters:
  ///   - limit: What was fetched then or later is new enough: nothing newer is looked for further away.
  ///   - brought: What the remote tier holds, where it was asked already.
  package func answersLeftByOthers(
    for keys: [AnswerKey], newEnoughFrom limit: Date, brought: [AnswerKey: Sourced<AnswerContent>]? = nil
  ) -> [AnswerKey: (answer: Sourced<AnswerContent>, tier: String)] {
    var found: [AnswerKey: (answer: Sourced<AnswerContent>, tier: String)] = [:]
    func take(_ answers: [AnswerKey: Sourced<AnswerContent>], from tier: any CacheTier) {
      keep(Array(answers.values), from: tier)
      for (key, answer) in answers { found[key] = (answer, tier.name) }
    }
    if let disk { take(disk.answers(for: keys), from: disk) }
    let wanted = keys.filter { key in found[key].map { $0.answer.fetchedAt < limit } ?? true }
    guard let remote, !wanted.isEmpty else { return found }
    let newer = (brought ?? remote.answers(for: wanted)).filter { key, answer in
      found[key].map { $0.answer.fetchedAt < answer.fetchedAt } ?? true
    }
    take(newer, from: remote)
    return found
  }

  /// Keeps what a tier had in those that are quicker, all of it at once.
  private func keep(_ answers: [Sourced<AnswerContent>], from tier: any CacheTier) {
    for quicker in tiers.prefix(while: { $0.name != tier.name }) {
      // A coin list is rarely read whole, and large: names are looked up in the file where there is one.
      let isPassedOver = quicker.name == memory.name && disk != nil
      let kept = answers.filter { !isPassedOver || $0.about.kind != .coinList }
      if !kept.isEmpty { quicker.store(kept) }
    }
  }

  /// Where the cached answer comes from and how old it is.
  public func stamp(of key: AnswerKey) -> Sourced<Void>? {
    newest(of: key)?.stamp
  }

  /// Keeps answers, in all tiers, without their warnings: those belong to the run that was told them.
  public func store(_ answers: [Sourced<AnswerContent>]) {
    for tier in tiers { tier.store(answers) }
    remote?.storeSoon(answers)
  }

  /// The coins of the cached list whose id is `name`, then those whose symbol it is in lower case.
  public func coins(named name: String, provider: String) -> [CoinListItem] {
    tierWithList(of: provider)?.coins(named: name, provider: provider) ?? []
  }

  /// The best matches of the cached coin list, in the order of ``CoinSearch``.
  package func search(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    tierWithList(of: provider)?.matches(search, limit: limit, provider: provider) ?? []
  }

  /// The one with the newest, of those the last: a file has an index of its list, memory has to look at every coin.
  private func tierWithList(of provider: String) -> (any CacheTier)? { newest(of: Self.list(of: provider))?.tier }

  private static func list(of provider: String) -> AnswerKey { AnswerKey(provider: provider, kind: .coinList) }

  /// The tier with the newest answer: a file that had no room for it has an older one.
  private func newest(of key: AnswerKey) -> (tier: any CacheTier, stamp: Sourced<Void>)? {
    tiers.reduce(nil) { best, tier in
      guard let stamp = tier.stamp(of: key) else { return best }
      if let best, best.stamp.fetchedAt.milliseconds > stamp.fetchedAt.milliseconds { return best }
      return (tier, stamp)
    }
  }

  /// What the file holds; zeros when there is none or it cannot be used.
  public func statistics() -> Statistics {
    let usage = disk?.usage
    return Statistics(
      path: path, operations: usage?.operations ?? [], coins: usage?.coins ?? 0, oldest: usage?.oldest,
      newest: usage?.newest, diskBytes: disk?.file.size ?? 0, diskLimit: diskLimit, memoryLimit: memoryLimit)
  }

  /// Forgets everything that this machine keeps.
  ///
  /// What was set aside because it could not be used goes too.
  ///
  /// - Returns: How many answers and coin lists were removed from what outlasts the process.
  public func removeAll() -> Int {
    memory.removeAll()
    return disk?.removeAll() ?? 0
  }

  /// What an examination says of a cache file; nothing is changed by it.
  package static func health(of path: String) -> DatabaseHealth {
    DatabaseHealth(path: path, migrations: CacheSchema.migrations)
  }
}
