public import BitpalModel
public import BitpalNetwork

/// CoinGecko's API, version 3, as it really answers.
///
/// Facts behind the numbers here were counted over recorded answers: ids are paged, and a page has at most 250; a space
/// after a comma drops the id that follows; without `precision=full` a big price comes rounded to an integer.
public struct CoinGeckoDialect: Dialect {
  /// The days for which the candle endpoint answers, with the width of what comes back.
  ///
  /// Other numbers are refused.
  static let candleDays: [(days: Int, width: Duration)] = [
    (1, .seconds(30 * 60)), (7, .seconds(4 * 3600)), (14, .seconds(4 * 3600)), (30, .seconds(4 * 3600)),
    (90, .seconds(4 * 86_400)), (180, .seconds(4 * 86_400)), (365, .seconds(4 * 86_400)),
  ]

  /// The id under which it is built in, and whose dialect reads a recording that does not say whose it is.
  public static let usualID = "coingecko"

  /// The most coins of one page of `/coins/markets`; more are silently cut.
  static let coinsPerPage = 250

  /// The most bytes of a URL: the edge in front of the service takes 32 KB, and old proxies refuse 4,096.
  private static let longestURL = 4000

  /// The number of days for which free plans reach back.
  static let freeDays = 365

  /// The provider's names, capabilities and limits.
  public let descriptor: ProviderDescriptor
  let tier: ProviderSpecification.Tier
  private let base: URLText
  private let secret: HTTPRequest.SecretHeader?

  /// - Parameters:
  ///   - id: The name by which the provider is chosen.
  ///   - name: The name people use.
  ///   - tier: The plan, which decides host, header and reach.
  ///   - baseURL: nil for the plan's own host.
  ///   - key: Sent only when the plan has a header for it. The caller checks that the host may have it.
  ///   - attribution: The credit the source asks for.
  public init(
    id: String = CoinGeckoDialect.usualID, name: String = "CoinGecko", tier: ProviderSpecification.Tier = .public,
    baseURL: String? = nil, key: Secret? = nil, attribution: String? = "Data provided by CoinGecko"
  ) {
    var specification = ProviderSpecification(id: id, name: name, kind: .coingecko(tier))
    specification.baseURL = baseURL
    specification.attribution = attribution
    self.init(specification, tier: tier, key: key)
  }

  /// - Parameters:
  ///   - specification: The provider's file.
  ///   - tier: The plan.
  ///   - key: The key of the plan.
  init(_ specification: ProviderSpecification, tier: ProviderSpecification.Tier, key: Secret?) {
    self.tier = tier
    base = URLText(base: specification.baseURL ?? Self.defaultBaseURL(tier))
    secret = key.flatMap { key in Self.keyHeader(tier).map { HTTPRequest.SecretHeader($0, key) } }
    let plan = SourceReach(.plan, longest: .seconds(Self.freeDays * 86_400))
    var reach: [Capability: SourceReach] = [.candles: plan]
    if tier != .pro { reach[.line] = plan }
    var descriptor = ProviderDescriptor(
      id: specification.id, name: specification.name, kind: specification.kind.name.rawValue,
      capabilities: Set(Capability.allCases), candleWidths: [.seconds(1800), .seconds(4 * 3600), .seconds(4 * 86_400)],
      reach: reach, coinsPerRequest: Self.coinsPerPage, attribution: specification.attribution,
      maxAge: specification.maxAge ?? ProviderDescriptor.usualMaxAge, hasCurrencies: false,
      cacheIdentity: CacheIdentity.of(specification))
    descriptor.longestURL = Self.longestURL
    descriptor.quotesCarryFigures = true
    descriptor.candlesFollowWindow = true
    // A coin that it no longer has is left out of the page without a word.
    let bytesAround = Self.market(of: [], in: "abcdefgh", base).string.utf8.count
    descriptor.room = BatchRoom(coins: Self.coinsPerPage, bytes: max(0, Self.longestURL - bytesAround))
    self.descriptor = descriptor
  }

  /// The host of a plan.
  public static func defaultBaseURL(_ tier: ProviderSpecification.Tier) -> String {
    switch tier {
    case .public, .demo: "https://api.coingecko.com/api/v3"
    case .pro: "https://pro-api.coingecko.com/api/v3"
    }
  }

  /// The hosts of all plans: to no other does a key of CoinGecko's go without the user's word.
  static let hosts = ["api.coingecko.com", "pro-api.coingecko.com"]

  /// Returns the budgets: measured by others without a key, and stated by the plans.
  static func budgets(_ tier: ProviderSpecification.Tier) -> [RateLimit] {
    switch tier {
    case .public: [.perMinute(5)]
    case .demo: [.perMinute(100), .perMonth(10_000)]
    case .pro: [.perMinute(500)]
    }
  }

  /// The header that carries a plan's key; nil for the plan without one.
  public static func keyHeader(_ tier: ProviderSpecification.Tier) -> String? {
    switch tier {
    case .public: nil
    case .demo: "x-cg-demo-api-key"
    case .pro: "x-cg-pro-api-key"
    }
  }

  /// The request that asks the question.
  public func request(for query: ProviderQuery) throws(BitpalError) -> HTTPRequest {
    if query.capability != .quotes, let coin = query.coins.first, !URLText.isSegment(coin) {
      throw .notFound(coin: coin, provider: descriptor.id)
    }
    let url: URLText
    switch query {
    case .quotes(let coins, let currency):
      url = Self.market(of: coins, in: currency, base)
    case .coinList:
      url = base.path("coins", "list").query("include_platform", "false")
    case .detail(let coin, let currency):
      // Not of `/coins/{id}`, where prices are rounded and changes over 24 hours are in dollars.
      url = Self.market(of: [coin], in: currency, base)
    case .line(let coin, let currency, let window):
      if window.isPast {
        // Seconds, the second of the end included.
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
    return request(url)
  }

  private func request(_ url: URLText) -> HTTPRequest {
    HTTPRequest(url: url.string, headers: [HTTPHeader("accept", "application/json")], secret: secret)
  }

  /// The page of `/coins/markets` with all that comes for the price of one request: figures, changes and the week.
  private static func market(of coins: [String], in currency: String, _ base: URLText) -> URLText {
    base.path("coins", "markets")
      .query("vs_currency", currency).query("ids", coins.joined(separator: ","))
      .query("order", "market_cap_desc").query("per_page", "\(coinsPerPage)").query("page", "1")
      .query("sparkline", "true").query("price_change_percentage", "1h,24h,7d,30d,1y").query("precision", "full")
  }

  /// The requests of earlier versions: a market without weeks, and a coin's own page.
  public func formerRequests(for query: ProviderQuery) -> [HTTPRequest] {
    switch query {
    case .quotes(let coins, let currency):
      let url = base.path("coins", "markets")
        .query("vs_currency", currency).query("ids", coins.joined(separator: ","))
        .query("order", "market_cap_desc").query("per_page", "250").query("page", "1")
        .query("sparkline", "false").query("precision", "full")
      return [request(url)]
    case .detail(let coin, _):
      let url = base.path("coins", coin)
        .query("localization", "false").query("tickers", "false").query("market_data", "true")
        .query("community_data", "false").query("developer_data", "false").query("sparkline", "false")
      return [request(url)]
    case .coinList, .line, .candles:
      return []
    }
  }

  /// Returns the answer of a response to a query.
  public func answer(to query: ProviderQuery, from response: HTTPResponse) throws -> ProviderAnswer<ProviderReply> {
    try explained(response, query) {
      switch query {
      case .quotes(let coins, _): try quotes(coins, from: response).map(ProviderReply.quotes)
      case .coinList: try coinList(from: response).map(ProviderReply.coinList)
      case .detail(let coin, let currency):
        try detail(coin, currency: currency, from: response).map(ProviderReply.detail)
      case .line(let coin, _, _): try line(coin, from: response).map(ProviderReply.line)
      case .candles(let coin, _, let window, _):
        try candles(coin, window: window, from: response).map(ProviderReply.candles)
      }
    }
  }

  /// Whole days that cover the window; of a window that holds all there is, as many as the plan has.
  private func days(of window: TimeWindow) throws(BitpalError) -> String {
    let days = Int((window.length.milliseconds + 86_399_999) / 86_400_000)
    if window.isAll { return tier == .pro ? "max" : String(Self.freeDays) }
    guard tier == .pro || days <= Self.freeDays else { throw tooFar }
    return String(max(1, days))
  }

  /// The shortest stretch the candle endpoint offers that covers the window.
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
