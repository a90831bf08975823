package import BitpalFiles
public import BitpalModel
package import FoundationEssentials

/// A cache of tiers: memory in front, behind it one SQLite file that all processes share, and optionally a tier that
/// machines share.
///
/// It keeps answers until it needs the room; `Bitpal` decides which of them are fresh.
public struct PriceCache: Sendable {
  /// The contents of the file in figures.
  package struct Statistics: Hashable, Sendable {
    /// The file's path; nil when there is none.
    package let path: String?

    /// The number of entries of each operation, and their bytes.
    package let operations: [OperationUsage]

    /// The number of coins in the cached lists.
    package let coins: Int

    /// The time at which the oldest entry was fetched; nil when there is none.
    package let oldest: Date?

    /// The time at which the newest entry was fetched; nil when there is none.
    package let newest: Date?

    /// The size of the cache's files in bytes, including those that SQLite keeps beside them.
    package let diskBytes: Int

    /// The largest size of the files together, in bytes; less than 512 KiB counts as that.
    package let diskLimit: Int

    /// The largest size of the memory tier, in bytes.
    package let memoryLimit: Int
  }

  /// The entries of one operation.
  package struct OperationUsage: Hashable, Sendable {
    /// The operation: `quote`, `detail`, `line` and so on.
    package let operation: String

    /// The number of entries.
    package let entries: Int

    /// The size of their payloads in bytes.
    package let bytes: Int
  }

  /// The path of the lower tier's file; nil when there is none.
  public let path: String?

  private let memory: MemoryTier
  private let disk: SQLiteTier?

  /// The tier that machines share; consulted only before a source would be asked.
  private let remote: (any CacheTier)?
  private let diskLimit: Int
  private let memoryLimit: Int
  private let warn: @Sendable (String) -> Void

  /// Creates a cache; its file is opened when first used.
  ///
  /// - Parameters:
  ///   - path: The file; created, with its folders, when first used. Nil for no lower tier.
  ///   - memoryLimit: The largest size of the memory tier, in bytes.
  ///   - diskLimit: The largest size of all files of the lower tier together, in bytes, coin lists included; less than
  ///     512 KiB counts as that.
  ///   - isOwnPlace: Whether no other program keeps files at `path`, so that any file that cannot be used there is set
  ///     aside; elsewhere only caches are.
  ///   - warn: Receives, once, the failure of the file, and the process that other processes wait for without result.
  public init(
    path: String?, memoryLimit: Int, diskLimit: Int, isOwnPlace: Bool = false,
    warn: @escaping @Sendable (String) -> Void
  ) {
    self.init(
      path: path, memoryLimit: memoryLimit, diskLimit: diskLimit, isOwnPlace: isOwnPlace, remote: nil, warn: warn)
  }

  /// Creates a cache with a tier that other machines share.
  ///
  /// - Parameter patience: The longest time for which an answer that is stored waits for another program that writes;
  ///   after it the answer is in memory alone.
  package init(
    path: String?, memoryLimit: Int, diskLimit: Int, isOwnPlace: Bool, remote: (any CacheTier)?,
    patience: Duration = DisposableDatabase.busyTimeout, warn: @escaping @Sendable (String) -> Void
  ) {
    disk = path.map {
      SQLiteTier(
        file: DiskTier(path: $0, byteLimit: diskLimit, isOwnPlace: isOwnPlace, patience: patience, warn: warn))
    }
    memory = MemoryTier(byteLimit: memoryLimit)
    self.remote = remote
    self.path = path
    self.diskLimit = diskLimit
    self.memoryLimit = memoryLimit
    self.warn = warn
  }

  /// Whether other processes or machines can find what is stored.
  package var isShared: Bool { remote != nil || disk?.file.isUsable ?? false }

  /// Returns the locks between processes that share the file; nil when there is none.
  package func locks(time: any TimeSource) -> (any FlightLock)? {
    path.map { StripeLocks(cachePath: $0, time: time, warn: warn) }
  }

  /// The tiers of this machine, the faster first.
  private var tiers: [any CacheTier] { disk.map { [memory, $0] } ?? [memory] }

  /// Returns the cached answer and the name of the tier that had it; nil when no tier of this machine has it.
  public func answer(for key: AnswerKey) -> (answer: Sourced<Answer>, tier: String)? {
    if let answer = memory.answer(for: key) { return (answer, memory.name) }
    guard let disk, let answer = disk.answer(for: key) else { return nil }
    keep([answer], from: disk)
    return (answer, disk.name)
  }

  /// Whether other machines share a tier.
  package var hasRemoteTier: Bool { remote != nil }

  /// Returns the present answers of the shared tiers: another process, or machine, may have fetched in the meantime.
  ///
  /// - Parameters:
  ///   - limit: The time of a fetch that is new enough: for such an answer the remote tier is not asked.
  ///   - brought: The answers of the remote tier, where it was asked already.
  package func answersLeftByOthers(
    for keys: [AnswerKey], newEnoughFrom limit: Date, brought: [AnswerKey: Sourced<Answer>]? = nil
  ) -> [AnswerKey: (answer: Sourced<Answer>, tier: String)] {
    var found: [AnswerKey: (answer: Sourced<Answer>, tier: String)] = [:]
    func take(_ answers: [AnswerKey: Sourced<Answer>], from tier: any CacheTier) {
      let answers = answers.filter { key, answer in
        (found[key]?.answer ?? memory.answer(for: key)).map { !answer.isOlder(than: $0) } ?? true
      }
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

  /// Stores the answers of a tier in the faster tiers, all in one call.
  private func keep(_ answers: [Sourced<Answer>], from tier: any CacheTier) {
    for quicker in tiers.prefix(while: { $0.name != tier.name }) {
      // A coin list is large and rarely read as a whole; where there is a file, names are looked up in it.
      let isPassedOver = quicker.name == memory.name && disk != nil
      let kept = answers.filter { !isPassedOver || $0.about.kind != .coinList }
      if !kept.isEmpty { quicker.store(kept) }
    }
  }

  /// Returns the provenance of a cached answer without its content; nil when there is none.
  public func stamp(of key: AnswerKey) -> Sourced<Void>? {
    newest(of: key)?.stamp
  }

  /// Stores answers in all tiers, without the warnings that belong to the run which received them.
  public func store(_ answers: [Sourced<Answer>]) {
    for tier in tiers { tier.store(answers) }
    remote?.storeSoon(answers)
  }

  /// Returns the coins of the cached list whose id is `name`, then those whose symbol it is in lower case.
  public func coins(named name: String, provider: String) -> [CoinListItem] {
    tierWithList(of: provider)?.coins(named: name, provider: provider) ?? []
  }

  /// Returns whether the cached list has the ticker of one of its coins for another one too; an id that is the ticker is what the
  /// source means by it.
  package func sharesTicker(_ item: CoinListItem, provider: String) -> Bool {
    let ticker = item.symbol.lowercased()
    return item.id.lowercased() != ticker
      && coins(named: ticker, provider: provider).contains { $0.id != item.id && $0.symbol.lowercased() == ticker }
  }

  /// Returns the best matches of the cached coin list, in the order of ``CoinSearch``.
  package func search(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    tierWithList(of: provider)?.matches(search, limit: limit, provider: provider) ?? []
  }

  /// Returns the tier with the newest list, the last of several: a file has an index of its list, memory has to search
  /// every coin.
  private func tierWithList(of provider: String) -> (any CacheTier)? { newest(of: Self.list(of: provider))?.tier }

  private static func list(of provider: String) -> AnswerKey { AnswerKey(provider: provider, kind: .coinList) }

  /// Returns the tier with the newest answer: a file that had no room for it has an older one.
  private func newest(of key: AnswerKey) -> (tier: any CacheTier, stamp: Sourced<Void>)? {
    tiers.reduce(nil) { best, tier in
      guard let stamp = tier.stamp(of: key) else { return best }
      if let best, best.stamp.fetchedAt.milliseconds > stamp.fetchedAt.milliseconds { return best }
      return (tier, stamp)
    }
  }

  /// Returns figures about the file; zeros when there is none or it cannot be used.
  package func statistics() -> Statistics {
    let usage = disk?.usage
    return Statistics(
      path: path, operations: usage?.operations ?? [], coins: usage?.coins ?? 0, oldest: usage?.oldest,
      newest: usage?.newest, diskBytes: disk?.file.size ?? 0, diskLimit: diskLimit, memoryLimit: memoryLimit)
  }

  /// Removes everything that this machine keeps, including a file that was set aside.
  ///
  /// - Returns: The number of answers and coin lists that were removed from the file; 0 without one.
  public func removeAll() -> Int {
    memory.removeAll()
    return disk?.removeAll() ?? 0
  }

  /// Returns the result of a check of a cache file, which the check does not change.
  package static func health(of path: String) -> DatabaseHealth {
    DatabaseHealth(path: path, schema: CacheSchema.current)
  }
}
