import BitpalFiles
import BitpalModel
import FoundationEssentials

/// The lower tier: answers in one SQLite file that every process of the user shares.
///
/// This type knows the tables; ``DiskTier`` handles the failures of the file as a whole.
struct SQLiteTier: CacheTier {
  let name = "sqlite"
  let file: DiskTier

  func answer(for key: AnswerKey) -> Sourced<Answer>? {
    if key.kind == .coinList {
      guard let stamp = stamp(of: key), let items = list(of: key.provider) else { return nil }
      return stamp.map { .coinList(items) }
    }
    return file.read { try EntryCodec.read(key, $0) }
  }

  func stamp(of key: AnswerKey) -> Sourced<Void>? {
    guard key.kind == .coinList else { return answer(for: key)?.map { _ in () } }
    return file.read { connection in
      let row = try connection.cached("SELECT fetched_at, source FROM coin_list WHERE provider = ?1")
      defer { row.reset() }
      try row.bind(1, key.provider)
      guard try row.step() else { return nil }
      return Sourced((), about: key, source: row.text(1) ?? "", fetchedAt: Date(milliseconds: row.integer(0)))
    }
  }

  func store(_ answers: [Sourced<Answer>]) {
    var entries: [Sourced<Answer>] = []
    for answer in answers {
      if case .coinList(let items) = answer.value { store(items, answer) } else { entries.append(answer) }
    }
    guard !entries.isEmpty else { return }
    file.write { connection in
      for entry in entries {
        let payload = try EntryCodec.payload(of: entry.value, connection)
        try EntryCodec.write(
          entry.about, entry.fetchedAt, source: KeptSource.text(of: entry), payload: payload, connection)
      }
    }
  }

  /// Removes everything, including a file that was set aside.
  ///
  /// - Returns: The number of entries and coin lists that were removed.
  func removeAll() -> Int {
    file.removeSetAside()
    return file.read { connection in
      let entries = try connection.integer("SELECT count(*) FROM entry") ?? 0
      let lists = try connection.integer("SELECT count(*) FROM coin_list") ?? 0
      try connection.execute(
        """
        DELETE FROM entry; DELETE FROM coin_list; DELETE FROM coin;
        VACUUM; PRAGMA wal_checkpoint(TRUNCATE)
        """)
      return Int(clamping: entries + lists)
    } ?? 0
  }

  // MARK: Coin lists

  /// The condition for a row with a correct checksum.
  private static let isSound = "checksum = bitpal_checksum(provider, id, symbol, name)"

  func coins(named name: String, provider: String) -> [CoinListItem] {
    // Without the name of the index SQLite reads every coin of the provider, by the primary key.
    file.read { connection in
      let rows = try connection.cached(
        """
        SELECT id, symbol, name FROM coin WHERE provider = ?1 AND id = ?2 AND \(Self.isSound)
        UNION ALL
        SELECT id, symbol, name FROM coin INDEXED BY coin_by_symbol
        WHERE provider = ?1 AND symbol = lower(?2) AND id <> ?2 AND \(Self.isSound)
        """)
      return try Self.items(rows, provider, name)
    } ?? []
  }

  func matches(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    file.read { connection in
      let list = try connection.cached("SELECT first, keys FROM coin_list WHERE provider = ?1")
      // Until then the coins are those of the list, even if another process stores a newer one.
      defer { list.reset() }
      try list.bind(1, provider)
      guard try list.step() else { return [] }
      let first = list.integer(0)
      let coin = try connection.cached(
        "SELECT id, symbol, name FROM coin WHERE place = ?2 AND provider = ?1 AND \(Self.isSound)")
      return try list.withUTF8(1) { keys in
        var items: [CoinListItem] = []
        for match in keys.map(search.matches(amongKeys:)) ?? [] where items.count < limit {
          try coin.bind(2, first + Int64(match.position))
          items += try Self.items(coin, provider)
        }
        return items
      }
    } ?? []
  }

  private func list(of provider: String) -> [CoinListItem]? {
    file.read { connection in
      let rows = try connection.cached(
        "SELECT id, symbol, name FROM coin WHERE provider = ?1 AND \(Self.isSound) ORDER BY id")
      let items = try Self.items(rows, provider)
      return items.isEmpty ? nil : items
    }
  }

  private func store(_ items: [CoinListItem], _ answer: Sourced<Answer>) {
    let provider = answer.about.provider
    let items = CoinSearch.sorted(items)
    let keys = CoinSearch.keys(of: items)
    let bytes = items.reduce(keys.utf8.count) { $0 + $1.id.utf8.count + $1.symbol.utf8.count + $1.name.utf8.count }
    file.write("the coin list", bytes: bytes) { connection in
      for sql in ["DELETE FROM coin WHERE provider = ?1", "DELETE FROM coin_list WHERE provider = ?1"] {
        let delete = try connection.cached(sql)
        try delete.bind(1, provider)
        try delete.run()
      }
      let first = try connection.integer("SELECT max(place) + 1 FROM coin") ?? 0
      let insert = try connection.cached(
        "INSERT OR REPLACE INTO coin VALUES (?5,?1,?2,?3,?4, bitpal_checksum(?1,?2,?3,?4))")
      for (index, item) in items.enumerated() {
        try insert.bind(1, provider)
        try insert.bind(2, item.id)
        try insert.bind(3, item.symbol)
        try insert.bind(4, item.name)
        try insert.bind(5, first + Int64(index))
        try insert.run()
      }
      let stamp = try connection.cached("INSERT INTO coin_list VALUES (?1,?2,?3,?4,?5)")
      try stamp.bind(1, provider)
      try stamp.bind(2, answer.fetchedAt.milliseconds)
      try stamp.bind(3, answer.source)
      try stamp.bind(4, first)
      try stamp.bind(5, keys)
      try stamp.run()
    }
  }

  /// Returns the valid coins of a statement that selects id, symbol and name.
  ///
  /// - Throws: The error of SQLite.
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

extension SQLiteTier {
  /// The present contents of the file in figures; nil when it cannot be used.
  var usage: (operations: [PriceCache.OperationUsage], oldest: Date?, newest: Date?, coins: Int)? {
    file.read { connection in
      var operations: [PriceCache.OperationUsage] = []
      let rows = try connection.prepare("SELECT operation, count(*), sum(bytes) FROM entry GROUP BY 1 ORDER BY 1")
      while try rows.step() {
        operations.append(
          PriceCache.OperationUsage(
            operation: rows.text(0) ?? "", entries: Int(rows.integer(1)), bytes: Int(rows.integer(2))))
      }
      func time(_ order: String) throws -> Date? {
        try connection.integer("SELECT fetched_at FROM entry ORDER BY fetched_at \(order) LIMIT 1")
          .map { Date(milliseconds: $0) }
      }
      let coins = try connection.integer("SELECT count(*) FROM coin") ?? 0
      return (operations, try time("ASC"), try time("DESC"), Int(clamping: coins))
    }
  }
}
