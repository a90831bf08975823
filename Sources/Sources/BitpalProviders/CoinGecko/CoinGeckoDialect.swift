public import BitpalModel
public import BitpalNetwork

/// The dialect of CoinGecko's API, version 3.
///
/// It follows recorded answers. A page has at most 250 coins, and a space after a comma drops the id that follows.
/// Without `precision=full` a high price is rounded to an integer.
public struct CoinGeckoDialect: Dialect {
  /// The numbers of days that the candle endpoint accepts, each with the width of its candles.
  ///
  /// The source refuses other numbers.
  static let candleDays: [(days: Int, width: Duration)] = [
    (1, .seconds(30 * 60)), (7, .seconds(4 * 3600)), (14, .seconds(4 * 3600)), (30, .seconds(4 * 3600)),
    (90, .seconds(4 * 86_400)), (180, .seconds(4 * 86_400)), (365, .seconds(4 * 86_400)),
  ]

  /// The id of the built-in provider, whose dialect also reads a recording that names no provider.
  public static let usualID = "coingecko"

  /// The most coins of one page of `/coins/markets`; the source silently cuts longer ones.
  static let coinsPerPage = 250

  /// The most bytes of a URL: the service's edge accepts 32 KB, but old proxies refuse 4,096 bytes.
  private static let longestURL = 4000

  /// The number of days that free plans reach back.
  static let freeDays = 365

  /// The provider's names, capabilities and limits.
  public let descriptor: ProviderDescriptor
  let tier: CoinGeckoTier

  /// The page of all coins that takes the place of the largest ones; nil for those.
  var rankedPage: RankedPage?
  private let base: URLText
  private let secret: HTTPRequest.SecretHeader?

  /// Creates a dialect.
  ///
  /// - Parameters:
  ///   - id: The name by which the provider is chosen.
  ///   - name: The display name.
  ///   - tier: The plan, which determines host, header and reach.
  ///   - baseURL: The base URL; nil for the plan's own host.
  ///   - key: The key, sent only if the plan has a header for it. The caller checks that the host may get it.
  ///   - attribution: The attribution that the source requires; nil for none.
  public init(
    id: String = CoinGeckoDialect.usualID, name: String = "CoinGecko", tier: CoinGeckoTier = .public,
    baseURL: String? = nil, key: Secret? = nil, attribution: String? = "Data provided by CoinGecko"
  ) {
    var specification = ProviderSpecification(id: id, name: name, kind: CoinGeckoKind(tier))
    specification.baseURL = baseURL
    specification.attribution = attribution
    self.init(specification, tier: tier, key: key)
  }

  /// Creates a dialect.
  ///
  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - tier: The plan.
  ///   - key: The key of the plan.
  init(_ specification: ProviderSpecification, tier: CoinGeckoTier, key: Secret?) {
    self.tier = tier
    base = URLText(base: specification.baseURL ?? Self.defaultBaseURL(tier))
    secret = key.flatMap { key in Self.keyHeader(tier).map { HTTPRequest.SecretHeader($0, key) } }
    let plan = SourceReach(.plan, longest: .seconds(Self.freeDays * 86_400))
    var reach: [Capability: SourceReach] = [.candles: plan]
    if tier != .pro { reach[.line] = plan }
    var descriptor = ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kindName,
      capabilities: Set(Capability.allCases), coins: .smallLetters,
      candleWidths: [.seconds(1800), .seconds(4 * 3600), .seconds(4 * 86_400)],
      reach: reach, coinsPerRequest: Self.coinsPerPage, attribution: specification.attribution,
      maxAge: specification.maxAge ?? ProviderDescriptor.usualMaxAge, hasCurrencies: false,
      cacheIdentity: CacheIdentity.of(specification))
    descriptor.longestURL = Self.longestURL
    descriptor.quotesCarryFigures = true
    descriptor.candlesFollowWindow = true
    descriptor.ranksCoins = true
    // The source omits an unknown coin from the page without an error, so a request may be filled with others.
    let bytesAround = Self.market(of: [""], in: "abcdefgh", base).string.utf8.count
    descriptor.room = BatchRoom(coins: Self.coinsPerPage, bytes: max(0, Self.longestURL - bytesAround))
    self.descriptor = descriptor
  }

  /// Returns the base URL of a plan.
  package static func defaultBaseURL(_ tier: CoinGeckoTier) -> String {
    switch tier {
    case .public, .demo: "https://api.coingecko.com/api/v3"
    case .pro: "https://pro-api.coingecko.com/api/v3"
    }
  }

  /// The hosts of all plans; a key is sent to another host only if the user allows that.
  static let hosts = ["api.coingecko.com", "pro-api.coingecko.com"]

  /// Returns the request budgets of a plan: as the plan states them, or as measured without a key (5 per minute).
  static func budgets(_ tier: CoinGeckoTier) -> [RateLimit] {
    switch tier {
    case .public: [.perMinute(5)]
    case .demo: [.perMinute(100), .perMonth(10_000)]
    case .pro: [.perMinute(500)]
    }
  }

  /// Returns the name of the header with a plan's key; nil for the plan without a key.
  package static func keyHeader(_ tier: CoinGeckoTier) -> String? {
    switch tier {
    case .public: nil
    case .demo: "x-cg-demo-api-key"
    case .pro: "x-cg-pro-api-key"
    }
  }

  /// Returns the only request for a query.
  ///
  /// - Throws: `BitpalError.notFound` for an id that is not a path segment, `.planLimit` for a window beyond the plan.
  public func plan(_ query: ProviderQuery) throws(BitpalError) -> [HTTPRequest] {
    if query.capability != .quotes, let coin = query.coins.first, !URLText.isSegment(coin) {
      throw .notFound(coin: coin, provider: descriptor.id)
    }
    let url: URLText
    switch query {
    case .quotes(let coins, let currency):
      url = Self.market(of: coins, in: currency, base)
    case .top(let currency):
      url = Self.market(of: [], in: currency, page: rankedPage, base)
    case .coinList:
      url = base.path("coins", "list").query("include_platform", "false")
    case .detail(let coin, let currency):
      // `/coins/{id}` has rounded prices, and its changes over 24 hours are in dollars.
      url = Self.market(of: [coin], in: currency, base)
    case .line(let coin, let currency, let window):
      if window.isPast {
        // The range is in seconds and includes the second of the end.
        url = base.path("coins", coin, "market_chart", "range")
          .query("vs_currency", currency).query("from", String(window.start.milliseconds / 1000))
          .query("to", String(window.end.milliseconds / 1000))
      } else {
        url = base.path("coins", coin, "market_chart")
          .query("vs_currency", currency).query("days", try days(of: window))
      }
    case .candles(let coin, let currency, let window, _):
      url = base.path("coins", coin, "ohlc")
        .query("vs_currency", currency).query("days", String(try candleGrid(of: window).days))
        .query("precision", "full")
    }
    return [HTTPRequest(url: url.string, headers: [HTTPHeader("accept", "application/json")], secret: secret)]
  }

  /// Returns the URL of a page of `/coins/markets`, of the largest coins, or those of another page, where none is named, with
  /// figures, changes and the week, which cost no further request.
  private static func market(
    of coins: [String], in currency: String, page: RankedPage? = nil, _ base: URLText
  ) -> URLText {
    let url = base.path("coins", "markets").query("vs_currency", currency)
    return (coins.isEmpty ? url : url.query("ids", coins.joined(separator: ",")))
      .query("order", page?.isByVolume == true ? "volume_desc" : "market_cap_desc")
      .query("per_page", "\(coinsPerPage)").query("page", "\(page?.number ?? 1)")
      .query("sparkline", "true").query("price_change_percentage", "1h,24h,7d,30d,1y").query("precision", "full")
  }

  /// Returns the answer of the only response to a query.
  ///
  /// - Throws: `BitpalError`: the source's own failure, or `.unreadable` with the problem and its place.
  public func step(after exchanges: [HTTPExchange], asking query: ProviderQuery, round: Int) throws -> DialectStep {
    guard let response = exchanges.last?.response else { return .ask(try plan(query)) }
    return .answer(
      try explained(response, query) {
        switch query {
        case .quotes(let coins, _): try quotes(coins, from: response)
        case .top: try top(from: response)
        case .coinList: try coinList(from: response)
        case .detail(let coin, _): try detail(coin, from: response)
        case .line(let coin, _, _): try line(coin, from: response)
        case .candles(let coin, _, let window, _): try candles(coin, window: window, from: response)
        }
      })
  }

  /// Returns the number of whole days that cover the window; for a window without a beginning, the plan's longest.
  ///
  /// - Throws: `BitpalError.planLimit` for more than ``freeDays`` without a paid key.
  private func days(of window: TimeWindow) throws(BitpalError) -> String {
    let days = Int((window.length.milliseconds + 86_399_999) / 86_400_000)
    if window.isAll { return tier == .pro ? "max" : String(Self.freeDays) }
    guard tier == .pro || days <= Self.freeDays else { throw tooFar }
    return String(max(1, days))
  }

  /// Returns the fewest days of the candle endpoint that cover the window, and the width of their candles.
  ///
  /// - Throws: `BitpalError.planLimit` for a past window, and for one of more than 365 days.
  func candleGrid(of window: TimeWindow) throws(BitpalError) -> (days: Int, width: Duration) {
    if window.isPast {
      throw .planLimit(provider: descriptor.id, reason: "it has no candles of a time that ended in the past")
    }
    for grid in Self.candleDays where window.length <= .seconds(grid.days * 86_400) { return grid }
    if window.isAll, let longest = Self.candleDays.last { return longest }
    throw tooFar
  }

  private var tooFar: BitpalError {
    .planLimit(
      provider: descriptor.id,
      reason: "it goes back \(Self.freeDays) days" + (tier == .pro ? "" : " without a paid key"))
  }
}
