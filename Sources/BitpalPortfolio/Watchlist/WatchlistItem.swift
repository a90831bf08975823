public import FoundationEssentials

/// A coin that the user follows.
public struct WatchlistItem: Identifiable, Hashable, Sendable {
  /// The coin's id.
  public let coinId: String

  /// When it was added.
  public let dateAdded: Date

  /// Its place; 0 for all as long as none was moved.
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
