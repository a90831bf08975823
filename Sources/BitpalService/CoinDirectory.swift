import BitpalCache
import BitpalModel

/// The coin lists at hand: those this process has fetched, and those in the cache.
///
/// The first are kept because the cache may be unusable.
final class CoinDirectory: Sendable {
  private let fetched = Locked<[String: [CoinListItem]]>([:])
  private let cache: PriceCache

  init(cache: PriceCache) {
    self.cache = cache
  }

  /// Keeps a list in this process.
  func keep(_ items: [CoinListItem], provider: String) {
    fetched.withLock { $0[provider] = items }
  }

  /// The whole list; nil when there is none.
  func all(provider: String) -> [CoinListItem]? {
    fetched.withLock { $0[provider] } ?? cache.coinList(provider: provider)
  }

  /// The coins that match best.
  func search(_ search: CoinSearch, limit: Int, provider: String) -> [CoinListItem] {
    fetched.withLock { $0[provider] }.map { search.matches(in: $0, limit: limit) }
      ?? cache.search(search, limit: limit, provider: provider)
  }

  /// The coins whose id is `name`, or whose symbol it is in lower case, by id.
  func coins(named name: String, provider: String) -> [CoinListItem] {
    let symbol = name.lowercased()
    let matches =
      fetched.withLock { $0[provider]?.filter { $0.id == name || $0.symbol == symbol } }
      ?? cache.coins(named: name, provider: provider)
    return matches.sorted { $0.id < $1.id }
  }
}
