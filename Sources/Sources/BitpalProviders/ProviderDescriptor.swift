public import BitpalModel
import BitpalNetwork
public import FoundationEssentials

/// The description of a provider: names, capabilities and limits.
public struct ProviderDescriptor: Hashable, Sendable {
  /// The id by which settings and commands choose the provider.
  public let id: String

  /// The display name.
  public let name: String

  /// The kind of the provider: `coingecko`, `recorded`, `http`, `file`, `plugin` or `bitpal`.
  public let kind: String

  /// The kinds of questions that it answers.
  public let capabilities: Set<Capability>

  /// The coins that it may be asked for.
  public let coins: CoinScope

  /// The codes of the currencies it answers in, in lower case; empty when any may be tried.
  public let currencies: [String]

  /// The candle widths it has, narrowest first.
  public let candleWidths: [Duration]

  /// The limits on how far back it answers; an operation without one goes back as far as its source does.
  public let reach: [Capability: SourceReach]

  /// The most coins in one request for quotes.
  public let coinsPerRequest: Int

  /// The request budgets of the source; empty for a source without a limit or not on the web.
  package var budgets: [RateLimit] = []

  /// The most bytes of a URL that names several coins.
  ///
  /// The strictest proxies and sources refuse more than 2,000 bytes with HTTP 414.
  package var longestURL = 1800

  /// The size up to which a request for quotes may be filled with other coins; nil to request only the wanted ones.
  ///
  /// Only a source that omits an unknown coin, and does not fail the request because of it, has room.
  package var room: BatchRoom?

  /// Whether its quotes come with market figures and the prices of a week.
  package var quotesCarryFigures = false

  /// The length of the line whose last point is its quote; nil for a source with quotes of its own, or without a line.
  package var quotesLine: Duration?

  /// Whether it lists the largest coins by market value.
  package var ranksCoins = false

  /// Whether it lists its coins by market value and by volume, page by page, which a recording does not.
  package var listsRanked: Bool { ranksCoins && needsNetwork }

  /// The tickers, in lower case, of the coins that stand for a currency at the source: `usd` is `usdt` where only Tether is
  /// traded.
  package var standIns: [String: String] = [:]

  /// Whether its days are those of its markets or of a zone of its own, and not those of UTC.
  package var hasOwnDays = false

  /// The ids, with one `*` for any text, of what is traded day and night, such as `*-USD` for coins beside shares.
  package var alwaysOpen: [String] = []

  /// Whether exchange rates come from another source, by which the prices of a recording were converted.
  package var hasRatesOfOthers = false

  /// The source whose prices this one republishes; nil for prices of its own.
  package var republishes: String?

  /// Whether candles become wider with the window, so that a longer window than the shown one costs precision.
  package var candlesFollowWindow = false

  /// The attribution that the source requires; nil where it requires none.
  public let attribution: String?

  /// The remark on the data that every output shows (`recorded 2025-01-15 10:30Z · simulated market`); nil for none.
  public let note: String?

  /// The instant at which the source's clock is stopped, that of the recording; nil for a source in the present.
  public let recordedAt: Date?

  /// Whether its answers come over the network; otherwise it also answers with `--offline`.
  public let needsNetwork: Bool

  /// Whether a price holds until the next one, as in a price list, and is not a sample of a market.
  package let hasStepPrices: Bool

  /// Whether it answers a query for a window of closes with the daily closes themselves.
  package let hasCloses: Bool

  /// The age, by the source's own time, from which a price counts as outdated.
  public let maxAge: Duration

  /// The default of ``maxAge``: an hour.
  public static let usualMaxAge: Duration = .seconds(3600)

  /// The ``maxAge`` of a source whose prices never count as outdated: about 32,000 years.
  package static let noMaxAge: Duration = .seconds(1_000_000_000_000)

  /// Whether it has prices of currencies; nil when only a request would show that.
  package let hasCurrencies: Bool?

  /// Whether it answers about each coin only in that coin's own currency, as stock exchanges do.
  package let hasOwnCurrencies: Bool

  /// The kind of the ids in its coin list; without a meaning for a provider without a list.
  public let listedIDs: ListedIDs

  /// The identity of the source in cache keys, which differs for another host, request or recording under the same id.
  public let cacheIdentity: String

  /// Creates a descriptor; one with `recordedAt` needs no network unless `needsNetwork` says so.
  public init(
    id: String, name: String, kind: String, capabilities: Set<Capability>, coins: CoinScope = .any,
    currencies: [String] = [],
    candleWidths: [Duration] = [], reach: [Capability: SourceReach] = [:], coinsPerRequest: Int = 100,
    attribution: String? = nil, note: String? = nil,
    recordedAt: Date? = nil, needsNetwork: Bool? = nil, hasStepPrices: Bool = false, maxAge: Duration = usualMaxAge,
    hasCurrencies: Bool? = nil, hasOwnCurrencies: Bool = false, listedIDs: ListedIDs = .shared, cacheIdentity: String,
    hasCloses: Bool = false
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.capabilities = capabilities
    self.coins = coins
    self.currencies = currencies
    self.candleWidths = candleWidths
    self.reach = reach
    self.coinsPerRequest = coinsPerRequest
    self.attribution = attribution
    self.note = note
    self.recordedAt = recordedAt
    self.needsNetwork = needsNetwork ?? (recordedAt == nil)
    self.hasStepPrices = hasStepPrices
    self.hasCloses = hasCloses
    self.maxAge = maxAge
    self.hasCurrencies = hasCurrencies
    self.hasOwnCurrencies = hasOwnCurrencies
    self.listedIDs = listedIDs
    self.cacheIdentity = cacheIdentity
  }
}

extension ProviderDescriptor {
  /// Whether its market is closed at times, as those of shares and banks are, so that no price has to follow a close.
  package var hasPauses: Bool { maxAge >= .seconds(86_400) && maxAge < .seconds(30 * 86_400) }

  /// Returns whether the market of a coin is closed at times: where ``hasPauses``, but for what is ``alwaysOpen``.
  package func hasPauses(of coin: String) -> Bool { hasPauses && !isAlwaysOpen(coin) }

  /// Returns the age from which a price of a coin counts as outdated: ``maxAge``, but the default of what is ``alwaysOpen``.
  package func maxAge(of coin: String) -> Duration {
    if hasRatesOfOthers, CurrencyCoin.isRate(coin) { return max(maxAge, ExchangeRates.usualMaxAge) }
    return isAlwaysOpen(coin) ? min(maxAge, Self.usualMaxAge) : maxAge
  }

  private func isAlwaysOpen(_ coin: String) -> Bool {
    alwaysOpen.contains { pattern in
      let parts = pattern.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 1 ? coin == pattern : coin.hasPrefix(parts[0]) && coin.hasSuffix(parts[1])
    }
  }

  /// The longest time for which an exchange is closed: six days, as in Frankfurt from 23 to 29 December.
  package static let longestPause = Duration.seconds(6 * 86_400)

  /// The longest time between two prices while its market is closed; zero for one that never is.
  package var pause: Duration { hasPauses ? maxAge : .zero }

  /// The length of the line whose last point is a quote: ten days, or ``maxAge`` where that is longer, up to a year.
  package var reachOfQuotes: Duration { min(max(.seconds(864_000), maxAge), .seconds(31_536_000)) }

  /// Whether it has pairs, of which some currencies lack many, and not a list of coins that it has in every currency.
  package var hasPairs: Bool {
    currencies.count > 1 && !hasOwnCurrencies && !capabilities.contains(.detail) && needsNetwork
  }

  /// Returns whether it may be asked in a currency; in one that was replaced, only where it declares it.
  package func mayAnswer(in currency: String) -> Bool {
    currencies.isEmpty ? !CurrencyCoin.isReplaced(currency) : currencies.contains(currency)
  }

  /// Returns the descriptor of a source of which only the provider file is known.
  package static func unknown(
    _ specification: ProviderSpecification, capabilities: Set<Capability> = []
  ) -> ProviderDescriptor {
    ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kindName,
      capabilities: capabilities,
      currencies: specification.currencies ?? [], cacheIdentity: CacheIdentity.of(specification))
  }
}

/// The size up to which a request for quotes is filled.
package struct BatchRoom: Hashable, Sendable {
  /// The most coins in the request.
  package let coins: Int

  /// The most bytes of their ids in its URL, each counted with ``bytes(of:)``.
  package let bytes: Int

  package init(coins: Int, bytes: Int) {
    self.coins = coins
    self.bytes = bytes
  }

  /// Returns the number of bytes of a percent-encoded id in a URL, including the comma after it.
  package static func bytes(of coin: String) -> Int { URLText.encoded(coin).utf8.count + 1 }
}

extension ProviderDescriptor {
  /// The capability that answers for a line: candles where the source has no line, whose closes make one.
  package var capabilityOfLines: Capability {
    capabilities.contains(.line) || !capabilities.contains(.candles) ? .line : .candles
  }
}

/// The kinds of ids in a source's coin list.
public enum ListedIDs: Hashable, Sendable {
  /// CoinGecko's ids, which bitpal uses for every source; the list has every coin that the source may be asked for.
  case shared

  /// The source's own ids (`btc-bitcoin`); the list has every coin that the source may be asked for.
  case own

  /// Ids only for display: the source is asked by ticker, also for coins that have another id in the list.
  case tickers
}

/// The coins that a provider may be asked for; answers about other coins are ignored.
public enum CoinScope: Hashable, Sendable {
  /// All coins; the source itself reports an unknown one.
  case any

  /// Only the coins with these ids.
  case listed(Set<String>)

  /// Coins whose id has no small letter, as the tickers of exchanges are written (`AAPL`, `^GSPC`).
  case capitals

  /// Coins whose id has no capital, as CoinGecko's ids are.
  case smallLetters

  /// The coins of another scope but for these ids.
  indirect case excluding(Set<String>, of: CoinScope)

  /// Returns whether the coin with this id is in the scope.
  public func has(_ coin: String) -> Bool {
    switch self {
    case .any: true
    case .listed(let ids): ids.contains(coin)
    case .capitals: coin == coin.uppercased()
    case .smallLetters: coin == coin.lowercased()
    case .excluding(let ids, let scope): !ids.contains(coin) && scope.has(coin)
    }
  }
}
