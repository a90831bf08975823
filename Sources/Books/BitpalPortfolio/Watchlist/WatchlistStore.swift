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

  /// Adds coins at the end.
  ///
  /// - Returns: The added items.
  /// - Throws: ``WatchlistError/coinAlreadyExists(_:)`` for a coin in the watchlist or named twice,
  ///   ``WatchlistError/invalidCoinId`` for an empty id.
  @discardableResult
  public func add(_ coins: [String], now: Date) throws -> [WatchlistItem] {
    try file.write { connection in
      let present = try Self.items(connection)
      var seen = Set(present.map(\.coinId))
      for coin in coins {
        guard !coin.isEmpty else { throw WatchlistError.invalidCoinId }
        guard seen.insert(coin).inserted else { throw WatchlistError.coinAlreadyExists(coin) }
      }
      // 0 marks a list without an order of the user's.
      let last = present.map(\.sortOrder).max() ?? 0
      let added = coins.enumerated().map { offset, coin in
        WatchlistItem(
          coinId: coin, dateAdded: Date(milliseconds: now.milliseconds), sortOrder: last == 0 ? 0 : last + 1 + offset)
      }
      for item in added { try Self.insert(item, connection) }
      return added
    }
  }

  /// Removes coins.
  ///
  /// - Returns: The removed items.
  /// - Throws: ``WatchlistError/coinNotFound(_:suggestion:)`` for a coin that is not in the watchlist or named twice.
  @discardableResult
  public func remove(_ coins: [String]) throws -> [WatchlistItem] {
    try change { connection in
      let present = try Self.items(connection)
      var removed: [WatchlistItem] = []
      for coin in coins {
        guard let item = present.first(where: { $0.coinId == coin }), !removed.contains(item) else {
          throw Self.missing(coin, present)
        }
        removed.append(item)
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
      let ordered = items.enumerated().map { offset, item in
        WatchlistItem(coinId: item.coinId, dateAdded: item.dateAdded, sortOrder: offset + 1)
      }
      let update = try connection.cached("UPDATE watchlist SET sort_order = ?2 WHERE coin = ?1")
      for item in ordered {
        try update.bind(1, item.coinId)
        try update.bind(2, Int64(item.sortOrder))
        try update.run()
      }
      return ordered
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
      "SELECT coin, date_added, sort_order FROM watchlist ORDER BY sort_order, date_added, rowid")
    defer { statement.reset() }
    var items: [WatchlistItem] = []
    while try statement.step() {
      items.append(
        WatchlistItem(
          coinId: statement.text(0) ?? "", dateAdded: Date(milliseconds: statement.integer(1)),
          sortOrder: Int(clamping: statement.integer(2))))
    }
    return items
  }

  private static func insert(_ item: WatchlistItem, _ connection: SQLiteConnection) throws {
    let statement = try connection.cached("INSERT INTO watchlist (coin, date_added, sort_order) VALUES (?1, ?2, ?3)")
    try statement.bind(1, item.coinId)
    try statement.bind(2, item.dateAdded.milliseconds)
    try statement.bind(3, Int64(item.sortOrder))
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
  public let sortOrder: Int

  /// The coin's id.
  public var id: String { coinId }

  /// Creates an item.
  public init(coinId: String, dateAdded: Date, sortOrder: Int = 0) {
    self.coinId = coinId
    self.dateAdded = dateAdded
    self.sortOrder = sortOrder
  }
}

/// A rule of the watchlist that a request breaks; nothing is stored when one is thrown.
public enum WatchlistError: Error, Hashable, Sendable {
  /// The coin's id is empty.
  case invalidCoinId

  /// The coin is in the watchlist already, or the request names it twice.
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
