import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalProviders

/// Finds the ticker of a coin for sources that ask by it: the aliases of the settings read the other way, else the coin
/// list of the source, else CoinGecko's, as far as they are cached.
struct TickerTable: Sendable {
  private let aliases: [String: String]
  private let cache: @Sendable () -> PriceCache

  /// - Parameter cache: Opened only for a coin without an alias.
  init(settings: Settings, cache: @escaping @Sendable () -> PriceCache) {
    // Of several aliases the shortest is the ticker: btc, not bit.
    let tickers = settings.aliases.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { ($0.value, $0.key) }
    aliases = Dictionary(tickers) { first, _ in first }
    self.cache = cache
  }

  /// The ticker, in lower case; nil when nobody knows it.
  func ticker(of coin: String, for specification: ProviderSpecification) -> String? {
    if let alias = aliases[coin] { return alias }
    let cache = cache()
    for source in [specification, .builtInCoinGecko] {
      if let item = cache.coins(named: coin, provider: CacheIdentity.of(source)).first(where: { $0.id == coin }) { return item.symbol }
    }
    return nil
  }
}
