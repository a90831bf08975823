public import BitpalModel
import BitpalNetwork
public import FoundationEssentials

/// The description of a provider: names, capabilities and limits.
public struct ProviderDescriptor: Hashable, Sendable {
  /// The name by which settings and commands choose it.
  public let id: String

  /// The name people use.
  public let name: String

  /// `coingecko`, `recorded`, `http`, `file`, `plugin` or `bitpal`.
  public let kind: String

  /// The kinds of questions that it answers.
  public let capabilities: Set<Capability>

  /// The coins that it may be asked for.
  public let coins: CoinScope

  /// The currencies it answers in, lower case; empty when any may be tried.
  public let currencies: [String]

  /// The candle widths it has, narrowest first.
  public let candleWidths: [Duration]

  /// The limits on how far back it answers; an operation without one goes back as far as its source does.
  public let reach: [Capability: SourceReach]

  /// The most coins one quotes request may name.
  public let coinsPerRequest: Int

  /// The request budgets of the source; none for one that has no limit or is not on the web.
  package var budgets: [RateLimit] = []

  /// The most bytes of a URL that names several coins.
  ///
  /// The strictest proxies and sources refuse more than 2,000 bytes with HTTP 414.
  package var longestURL = 1800

  /// The room for other coins in a quotes request; nil for a source that must be asked for no more than is wanted.
  ///
  /// Only a source has room that leaves out a coin it no longer has, and never fails a request because of it.
  package var room: BatchRoom?

  /// Whether its quotes bring market figures and the prices of a week along.
  package var quotesCarryFigures = false

  /// Whether candles become wider with the window, so that a longer one than is shown costs precision.
  package var candlesFollowWindow = false

  /// The credit the source asks for.
  public let attribution: String?

  /// The remark that every output should make about the data (`recorded 2025-01-15 10:30Z · simulated market`).
  public let note: String?

  /// The instant at which its time stands; nil for a source whose time goes on.
  public let recordedAt: Date?

  /// Whether its answers come over the network; one that does without may be asked with `--offline` too.
  public let needsNetwork: Bool

  /// Whether a price stands until the next one, as in a price list, and is not one sample of many.
  public let hasStepPrices: Bool

  /// Whether it answers a window of closes with the closes of its days.
  package let hasCloses: Bool

  /// The age, by the source's own time, from which a price counts as outdated.
  public let maxAge: Duration

  /// ``maxAge`` of a source that says nothing of it: an hour.
  public static let usualMaxAge: Duration = .seconds(3600)

  /// ``maxAge`` of a source whose prices are as good as ever until it has others.
  public static let noMaxAge: Duration = .seconds(1_000_000_000_000)

  /// Whether it knows what currencies cost; nil for a source that one would have to ask.
  public let hasCurrencies: Bool?

  /// Whether it answers about each coin in that coin's own currency and in no other, as exchanges of shares do.
  public let hasOwnCurrencies: Bool

  /// The kind of the ids in its coin list; without a meaning where there is no list.
  public let listedIDs: ListedIDs

  /// Names the very source in cache keys: another host, question or recording under the same id is another source.
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
  /// That of a source of which no more is known than its file says.
  package static func unknown(
    _ specification: ProviderSpecification, capabilities: Set<Capability> = []
  ) -> ProviderDescriptor {
    ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kind.name.rawValue,
      capabilities: capabilities,
      currencies: specification.currencies ?? [], cacheIdentity: CacheIdentity.of(specification))
  }
}

/// The size of a quotes request.
package struct BatchRoom: Hashable, Sendable {
  /// The most coins that it names.
  package let coins: Int

  /// The most bytes of their ids in its URL, each counted with ``bytes(of:)``.
  package let bytes: Int

  package init(coins: Int, bytes: Int) {
    self.coins = coins
    self.bytes = bytes
  }

  /// The bytes of an id in a URL, with the comma after it.
  package static func bytes(of coin: String) -> Int { URLText.encoded(coin).utf8.count + 1 }
}

/// The kinds of ids in a source's coin list.
public enum ListedIDs: Hashable, Sendable {
  /// CoinGecko's, which bitpal uses for every source; the list has every coin that the source may be asked for.
  case shared

  /// The source's own (`btc-bitcoin`); the list has every coin that the source may be asked for.
  case own

  /// Names for people: the source is asked by ticker, and may be asked for coins that the list calls otherwise.
  case tickers
}

/// The coins that a provider may be asked for: an answer about others is ignored.
public enum CoinScope: Hashable, Sendable {
  /// Any; the source says what it has not.
  case any

  /// These and no others.
  case listed(Set<String>)

  /// Coins whose id has no small letter, as the tickers of exchanges are written (`AAPL`, `^GSPC`).
  case capitals

  /// Whether a coin is one of them.
  public func has(_ coin: String) -> Bool {
    switch self {
    case .any: true
    case .listed(let ids): ids.contains(coin)
    case .capitals: coin == coin.uppercased()
    }
  }
}
