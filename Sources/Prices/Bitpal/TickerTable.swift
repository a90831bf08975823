import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalProviders

/// A table of tickers for sources that ask by ticker.
///
/// The ticker of a coin is its alias in the settings, otherwise the well-known one, otherwise that of the cached coin
/// list of the source, otherwise that of CoinGecko's cached list. A ticker that is another coin's, by the source's list or
/// because it is well known as that, names neither of the others: its price would be that coin's.
struct TickerTable: Sendable {
  private let aliases: [String: String]
  private let openCache: @Sendable () -> PriceCache
  private let opened = Locked<PriceCache?>(nil)
  private let identities = Locked<[String: String]>([:])

  /// Creates a ticker table.
  ///
  /// - Parameter cache: Opens the cache, once, for the first coin without an alias.
  init(settings: Settings, cache: @escaping @Sendable () -> PriceCache) {
    // The shortest of several aliases is the ticker: btc, not bit.
    let tickers = settings.aliases.sorted { ($0.key.count, $0.key) < ($1.key.count, $1.key) }.map { ($0.value, $0.key) }
    aliases = Dictionary(tickers) { first, _ in first }
    openCache = cache
  }

  /// Returns the ticker in lower case; nil when no list has the coin.
  func ticker(of coin: String, for specification: ProviderSpecification) -> String? {
    if let alias = aliases[coin] { return alias }
    if let known = WellKnownCoins.coin(ofID: coin) { return known.symbol }
    let cache = opened.withLock { opened in
      let cache = opened ?? openCache()
      opened = cache
      return cache
    }
    for source in [specification, .builtInCoinGecko] {
      let provider = identity(of: source)
      guard let item = cache.coins(named: coin, provider: provider).first(where: { $0.id == coin }) else { continue }
      if source.id == specification.id { return cache.sharesTicker(item, provider: provider) ? nil : item.symbol }
      return (WellKnownCoins.coin(ticker: item.symbol)?.id ?? coin) == coin ? item.symbol : nil
    }
    return nil
  }

  /// Returns the source's name in the cache, computed once because the table is consulted for every coin of an answer.
  private func identity(of source: ProviderSpecification) -> String {
    let key = "\(source.id) \(source.file ?? "")"
    return identities.withLock { known in
      if let identity = known[key] { return identity }
      let identity = CacheIdentity.of(source)
      known[key] = identity
      return identity
    }
  }
}
