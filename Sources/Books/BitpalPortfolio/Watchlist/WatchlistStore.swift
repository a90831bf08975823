import BitpalFiles
package import BitpalModel
public import FoundationEssentials

/// The coins the user follows, kept in the user's data file.
///
/// Several coins are added or removed all together or, when one cannot be, not at all. Every function throws
/// ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
///
/// The functions block the calling thread while they read and write, for up to 15 s where another process writes.
public struct WatchlistStore: Sendable {
  private let file: UserDataFile

  /// Creates a watchlist store.
  ///
  /// - Parameter file: The user's data file.
  public init(file: UserDataFile) {
    self.file = file
  }

  /// Returns the coins in the user's order, or in the order of their addition when none was moved.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/dataFile(path:reason:)`` when the file cannot be used.
  public func items() throws -> [WatchlistItem] {
    try file.read(Self.items) ?? []
  }

  /// Adds coins at the end, or gives those that are in the watchlist another group or note.
  ///
  /// - Parameters:
  ///   - coins: The ids of the coins.
  ///   - group: The group of all of them; nil for none or, of a coin that is in the watchlist, the one that it has. An empty
  ///     text takes a coin out of its group.
  ///   - note: The note, by the same rules.
  ///   - now: The time of the addition.
  /// - Returns: The added and changed items.
  /// - Throws: ``WatchlistError/coinAlreadyExists(_:)`` for a coin that is in the watchlist and gets neither a group nor a
  ///   note; ``WatchlistError/invalidCoinId`` for an empty id.
  @discardableResult
  public func add(
    _ coins: [String], group: String? = nil, note: String? = nil, now: Date
  ) throws -> [WatchlistItem] {
    try file.write { connection in
      let present = try Self.items(connection)
      let isMarked = group != nil || note != nil
      let known = isMarked ? [] : Set(present.map(\.coinId))
      let coins = coins.distinct
      for coin in coins {
        guard !coin.isEmpty else { throw WatchlistError.invalidCoinId }
        guard !known.contains(coin) else { throw WatchlistError.coinAlreadyExists(coin) }
      }
      func marked(_ item: WatchlistItem) -> WatchlistItem {
        var item = item
        if let group { item.group = group.isEmpty ? nil : group }
        if let note { item.note = note.isEmpty ? nil : note }
        return item
      }
      let changed = present.filter { coins.contains($0.coinId) }.map(marked)
      for item in changed { try Self.update(item, connection) }
      let others = coins.filter { coin in !changed.contains { $0.coinId == coin } }
      // 0 marks a list without an order of the user's.
      let last = present.map(\.sortOrder).max() ?? 0
      let added = others.enumerated().map { offset, coin in
        marked(
          WatchlistItem(
            coinId: coin, dateAdded: Date(milliseconds: now.milliseconds), sortOrder: last == 0 ? 0 : last + 1 + offset)
        )
      }
      for item in added { try Self.insert(item, connection) }
      return changed + added
    }
  }

  /// Removes coins.
  ///
  /// - Returns: The removed items.
  /// - Throws: ``WatchlistError/coinNotFound(_:suggestion:)`` for a coin that is not in the watchlist.
  @discardableResult
  public func remove(_ coins: [String]) throws -> [WatchlistItem] {
    try change { connection in
      let present = try Self.items(connection)
      var removed: [WatchlistItem] = []
      for coin in coins {
        guard let item = present.first(where: { $0.coinId == coin }) else { throw Self.missing(coin, present) }
        if !removed.contains(item) { removed.append(item) }
      }
      for item in removed { try Self.delete(item, connection) }
      return removed
    } orWithoutFile: {
      guard let coin = coins.first else { return [] }
      throw Self.missing(coin, [])
    }
  }

  /// Moves a coin to a place, counted from 1; a place beyond the end is the end.
  ///
  /// - Returns: All items in the new order.
  /// - Throws: ``WatchlistError/coinNotFound(_:suggestion:)`` for a coin that is not in the watchlist.
  @discardableResult
  public func move(_ coin: String, to place: Int) throws -> [WatchlistItem] {
    try change { connection in
      var items = try Self.items(connection)
      guard let from = items.firstIndex(where: { $0.coinId == coin }) else { throw Self.missing(coin, items) }
      let item = items.remove(at: from)
      items.insert(item, at: min(max(place - 1, 0), items.count))
      for index in items.indices { items[index].sortOrder = index + 1 }
      for item in items { try Self.update(item, connection) }
      return items
    } orWithoutFile: {
      throw Self.missing(coin, [])
    }
  }

  /// Runs a change of the existing watchlist, or `orWithoutFile` without a file, so that none is created.
  private func change(
    _ body: (SQLiteConnection) throws -> [WatchlistItem], orWithoutFile: () throws -> [WatchlistItem]
  ) throws -> [WatchlistItem] {
    file.exists ? try file.write(body) : try orWithoutFile()
  }

  private static func items(_ connection: SQLiteConnection) throws -> [WatchlistItem] {
    let statement = try connection.cached(
      "SELECT coin, date_added, sort_order, group_name, note FROM watchlist ORDER BY sort_order, date_added, rowid")
    defer { statement.reset() }
    var items: [WatchlistItem] = []
    while try statement.step() {
      items.append(
        WatchlistItem(
          coinId: statement.text(0) ?? "", dateAdded: Date(milliseconds: statement.integer(1)),
          sortOrder: Int(clamping: statement.integer(2)), group: statement.text(3), note: statement.text(4)))
    }
    return items
  }

  private static func insert(_ item: WatchlistItem, _ connection: SQLiteConnection) throws {
    let statement = try connection.cached(
      "INSERT INTO watchlist (coin, date_added, sort_order, group_name, note) VALUES (?1, ?2, ?3, ?4, ?5)")
    try statement.bind(1, item.coinId)
    try statement.bind(2, item.dateAdded.milliseconds)
    try statement.bind(3, Int64(item.sortOrder))
    try statement.bind(4, item.group)
    try statement.bind(5, item.note)
    try statement.run()
  }

  private static func update(_ item: WatchlistItem, _ connection: SQLiteConnection) throws {
    let statement = try connection.cached(
      "UPDATE watchlist SET sort_order = ?2, group_name = ?3, note = ?4 WHERE coin = ?1")
    try statement.bind(1, item.coinId)
    try statement.bind(2, Int64(item.sortOrder))
    try statement.bind(3, item.group)
    try statement.bind(4, item.note)
    try statement.run()
  }

  private static func delete(_ item: WatchlistItem, _ connection: SQLiteConnection) throws {
    let statement = try connection.cached("DELETE FROM watchlist WHERE coin = ?1")
    try statement.bind(1, item.coinId)
    try statement.run()
  }

  private static func missing(_ coin: String, _ items: [WatchlistItem]) -> WatchlistError {
    .coinNotFound(coin, suggestion: NearestName.match(coin, among: items.map(\.coinId)))
  }
}

/// A coin that the user follows.
public struct WatchlistItem: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// The time at which it was added.
  public let dateAdded: Date

  /// The place, counted from 1; 0 for all items while none was moved.
  public internal(set) var sortOrder: Int

  /// The group to which the user assigned it; nil for none.
  public internal(set) var group: String?

  /// The user's note; nil for none.
  public internal(set) var note: String?

  /// The coin's id.
  public var id: String { coinId }

  /// Creates an item.
  public init(coinId: String, dateAdded: Date, sortOrder: Int = 0, group: String? = nil, note: String? = nil) {
    self.coinId = coinId
    self.dateAdded = dateAdded
    self.sortOrder = sortOrder
    self.group = group
    self.note = note
  }
}

extension [WatchlistItem] {
  /// Returns the coins of a group, whose name is compared without case; all coins for nil.
  ///
  /// - Throws: ``/BitpalModel/BitpalError/usage(_:hint:)`` for a group without a coin.
  package func inGroup(_ group: String?) throws(BitpalError) -> [WatchlistItem] {
    guard let group else { return self }
    let found = filter { $0.group?.lowercased() == group.lowercased() }
    guard found.isEmpty else { return found }
    let groups = Set(compactMap(\.group)).sorted().map { $0.printable(limit: 40) }
    throw .usage(
      "no coin of the watchlist is in the group \"\(group.printable(limit: 40))\"",
      hint: groups.isEmpty
        ? "\"bitpal watchlist add COIN --group NAME\" begins one" : "there are \(groups.joined(separator: ", "))")
  }
}

/// A rule of the watchlist that a request breaks; nothing is stored when one is thrown.
public enum WatchlistError: Error, Hashable, Sendable {
  /// The coin's id is empty.
  case invalidCoinId

  /// The coin is in the watchlist already.
  case coinAlreadyExists(String)

  /// The coin is not in the watchlist; `suggestion` is the most similar id that is, or nil.
  case coinNotFound(String, suggestion: String?)
}

extension WatchlistError: CustomStringConvertible {
  /// The refused request, in one sentence.
  public var message: String {
    switch self {
    case .invalidCoinId: "the coin is missing"
    case .coinAlreadyExists(let coin): "\(coin.printable(limit: 80)) is in the watchlist already"
    case .coinNotFound(let coin, _): "\(coin.printable(limit: 80)) is not in the watchlist"
    }
  }

  /// The advice for the next step; nil when there is none.
  public var hint: String? {
    switch self {
    case .coinNotFound(_, let suggestion?): "did you mean \"\(suggestion.printable(limit: 80))\"?"
    case .invalidCoinId, .coinAlreadyExists, .coinNotFound: nil
    }
  }

  /// The refusal as an error of usage, with its hint.
  package var failure: BitpalError { .usage(message, hint: hint) }

  /// The message and, after a semicolon, the hint.
  public var description: String {
    message + (hint.map { "; \($0)" } ?? "")
  }
}
