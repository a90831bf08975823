/// A search of a coin list: what matches, and what comes first.
///
/// Exact symbols and ids go before what begins with the text, that before what contains it; among equals the name decides.
/// Case and diacritics do not matter; see ``Swift/String/searchKey``.
package struct CoinSearch: Hashable, Sendable {
  /// How well a coin matches.
  package enum Rank: Int, Comparable, Sendable {
    /// The text is its id or symbol.
    case exact

    /// Its id, symbol or name begins with the text.
    case prefix

    /// Its id, symbol or name contains the text.
    case substring

    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The text as it is compared.
  package let key: String

  /// Nil when nothing is left to search for.
  package init?(_ text: String) {
    key = text.searchKey
    if key.isEmpty { return nil }
  }

  /// What a coin is found by: id, symbol and name, each after a line feed, which no text to search for contains; so "after
  /// a line feed" is a prefix, and "between two" an exact id or symbol.
  package static func keys(of item: CoinListItem) -> String {
    "\n\(item.id.searchKey)\n\(item.symbol.searchKey)\n\(item.name.searchKey)"
  }

  /// How well a coin with these keys matches; nil when it does not.
  package func rank(keys: String) -> Rank? {
    guard keys.contains(key) else { return nil }
    if keys.contains("\n\(key)\n") { return .exact }
    return keys.contains("\n\(key)") ? .prefix : .substring
  }

  /// The best matches.
  package func matches(in items: [CoinListItem], limit: Int) -> [CoinListItem] {
    let ranked = items.compactMap { item in
      rank(keys: Self.keys(of: item)).map { (rank: $0, name: item.name.searchKey, item: item) }
    }
    return ranked.sorted { ($0.rank, $0.name, $0.item.id) < ($1.rank, $1.name, $1.item.id) }.prefix(max(0, limit))
      .map(\.item)
  }
}
