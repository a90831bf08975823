import BitpalModel

/// A rule of the watchlist that a request breaks; nothing has been stored when one is thrown.
public enum WatchlistError: Error, Hashable, Sendable {
  /// The coin's id is empty.
  case invalidCoinId

  /// The coin is in the watchlist already, or named twice.
  case coinAlreadyExists(String)

  /// The coin is not in the watchlist; the nearest one that is.
  case coinNotFound(String, suggestion: String?)
}

extension WatchlistError: CustomStringConvertible {
  /// What was refused, in one sentence.
  public var description: String {
    switch self {
    case .invalidCoinId: "the coin is missing"
    case .coinAlreadyExists(let coin): "\(coin.printable(limit: 80)) is in the watchlist already"
    case .coinNotFound(let coin, let suggestion):
      "\(coin.printable(limit: 80)) is not in the watchlist"
        + (suggestion.map { "; did you mean \"\($0.printable(limit: 80))\"?" } ?? "")
    }
  }
}
