import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The answer of `/coins/{id}`: a coin with its market figures in one currency, in CoinGecko's maps by currency.
package struct CoinGeckoCoin: Sendable {
  private let detail: CoinDetail
  private let updated: Date
  private let currency: String
  private let week: [ChartDataPoint]?
  private let hasMarket: Bool

  /// Creates the answer.
  ///
  /// - Parameters:
  ///   - week: The prices of a week; nil unless they were requested.
  ///   - hasMarket: Whether the market figures are included.
  package init(_ answer: Sourced<CoinDetail>, currency: String, week: [ChartDataPoint]?, hasMarket: Bool) {
    detail = answer.value
    // Typed clients require a time; for a price without one it is the time of the fetch.
    updated = detail.coin.lastUpdated ?? answer.fetchedAt
    self.currency = currency
    self.week = week
    self.hasMarket = hasMarket
  }

  package var text: String { JSONValue.object(Self.fields.object(self)).compact() }

  private static let fields: Fields<CoinGeckoCoin> =
    identity.of { ($0.detail.coin.id, $0.detail.coin.symbol, $0.detail.coin.name, $0.detail.image) } + unknown + [
      Field("market_cap_rank", .count("The place by market value.", from: 1)) { $0.detail.rank },
      Field("market_data", .object(market.schema, "The figures, by currency.").orMissing) {
        $0.hasMarket ? market.object($0) : nil
      },
      .time("last_updated", "The source's own time, or when the source was asked.") { $0.updated },
      .empty("tickers", []),
    ]

  /// The names of a coin, as in the answers about coins and their history.
  static let identity: Fields<(id: String, symbol: String, name: String, image: String?)> = [
    Field("id", .text("The id.")) { $0.id },
    Field("symbol", .text("The ticker.")) { $0.symbol },
    Field("name", .text("The name.")) { $0.name },
    .empty("localization", [:]),
    Field("image", .object(images.schema)) { images.object($0.image) },
  ]

  private static let images: Fields<String?> = [
    .constant("thumb", .text("Always empty."), ""),
    .constant("small", .text("Always empty."), ""),
    Field("large", .text("The URL of its logo; empty where the source has none.")) { $0 ?? "" },
  ]

  /// The keys without market figures for which our sources have no data.
  ///
  /// CoinGecko's description of its API requires these keys, and some of them to be non-null: those have the values of
  /// a coin about which CoinGecko knows nothing.
  private static let unknown: Fields<CoinGeckoCoin> = [
    .constant("web_slug", .text("Always empty."), ""), .unknown("asset_platform_id"), .empty("platforms", [:]),
    .empty("detail_platforms", [:]), .constant("block_time_in_minutes", .number("Always 0."), 0),
    .unknown("hashing_algorithm"), .empty("categories", []),
    .constant("preview_listing", .flag("Always false."), false), .unknown("public_notice"),
    .empty("additional_notices", []), .constant("has_supply_breakdown", .flag("Always false."), false),
    Field("description", .map(of: .text("Always empty."), "By language.")) { _ in ["en": ""] as JSONObject },
    Field("links", .object(links.schema, "Without a link.")) { links.object($0) },
    .constant("country_origin", .text("Always empty."), ""),
    .unknown("genesis_date"), .unknown("sentiment_votes_up_percentage"), .unknown("sentiment_votes_down_percentage"),
    .constant("watchlist_portfolio_users", .number("Always 0."), 0), .unknown("market_cap_rank_with_rehypothecated"),
    .empty("status_updates", []),
  ]

  /// The keys of links that clients open without asking.
  private static let links: Fields<CoinGeckoCoin> = [
    Field("homepage", .list(.text("Always empty."), "One.")) { _ in [""] }, .empty("blockchain_site", []),
    .empty("official_forum_url", []), .empty("chat_url", []), .empty("announcement_url", []),
    .constant("twitter_screen_name", .text("Always empty."), ""),
    .constant("subreddit_url", .text("Always empty."), ""),
    Field("repos_url", .map(of: .list(.text("A URL."), "None."), "By place.")) { _ in
      ["github": .array([]), "bitbucket": .array([])] as JSONObject
    },
  ]

  private static let market: Fields<CoinGeckoCoin> =
    [
      byCurrency("current_price", "The price.") { $0.detail.coin.currentPrice },
      .unknown("total_value_locked"), .unknown("mcap_to_tvl_ratio"), .unknown("fdv_to_tvl_ratio"), .unknown("roi"),
      byCurrency("ath", "The highest price ever.") { $0.detail.allTimeHigh?.price },
      byCurrency("ath_change_percentage", "The distance of the price from it, in percent.") {
        $0.detail.distance(from: $0.detail.allTimeHigh)
      },
      instantByCurrency("ath_date") { $0.detail.allTimeHigh?.date },
      byCurrency("atl", "The lowest price ever.") { $0.detail.allTimeLow?.price },
      byCurrency("atl_change_percentage", "The distance of the price from it, in percent.") {
        $0.detail.distance(from: $0.detail.allTimeLow)
      },
      instantByCurrency("atl_date") { $0.detail.allTimeLow?.date },
      byCurrency("market_cap", "The market value.") { $0.detail.marketCap },
      Field("market_cap_rank", .count("The place by market value.", from: 1)) { $0.detail.rank },
      .empty("fully_diluted_valuation", [:]),
      byCurrency("total_volume", "The volume of 24 hours.") { $0.detail.totalVolume },
      .empty("high_24h", [:]), .empty("low_24h", [:]),
      .number("price_change_24h", "The change over 24 hours.") { $0.detail.priceChange24h },
    ]
    + Fields(windows.dropFirst().map { change(over: $0) }) + Fields(windows.map { changeByCurrency(over: $0) }) + [
      .number("total_supply", "The total supply.") { $0.detail.totalSupply },
      .number("max_supply", "The maximum supply.") { $0.detail.maximumSupply },
      .number("circulating_supply", "The circulating supply.") { $0.detail.circulatingSupply },
      // An object in every answer of CoinGecko, although its description has a list.
      Field("sparkline_7d", .map(of: .list(.number("A price."), "In the order of time."), "A week.").orMissing) {
        coin in
        coin.week.map { week in JSONObject([("price", JSONValue.array(week.map { JSONValue(number: $0.price) }))]) }
      },
      .time("last_updated", "The source's own time, or when the source was asked.") { $0.updated },
    ]

  private static func change(over window: String) -> Field<CoinGeckoCoin> {
    .number("price_change_percentage_\(window)", "The change over \(window) in percent.") {
      $0.detail.change(over: window)
    }
  }

  private static func changeByCurrency(over window: String) -> Field<CoinGeckoCoin> {
    byCurrency("price_change_percentage_\(window)_in_currency", "The change over \(window) in percent.") {
      $0.detail.change(over: window)
    }
  }

  private static let windows = ["1h", "24h", "7d", "14d", "30d", "60d", "200d", "1y"]

  /// Returns the field of a figure by currency; empty where the figure is unknown.
  private static func byCurrency(
    _ key: String, _ about: String, _ figure: @escaping @Sendable (CoinGeckoCoin) -> Decimal?
  ) -> Field<CoinGeckoCoin> {
    Field(key, .map(of: .number("A figure."), about)) { coin in
      figure(coin).map { JSONObject([(coin.currency, JSONValue(number: $0))]) } ?? [:]
    }
  }

  private static func instantByCurrency(
    _ key: String, _ instant: @escaping @Sendable (CoinGeckoCoin) -> Date?
  ) -> Field<CoinGeckoCoin> {
    Field(key, .map(of: .instant("An instant."), "The time of it.")) { coin in
      instant(coin).map { JSONObject([(coin.currency, .string($0.iso8601WithMilliseconds))]) } ?? [:]
    }
  }
}

extension Field {
  /// Returns the field of an instant as CoinGecko writes it: always with milliseconds, for which clients have fixed forms.
  static func time(_ key: String, _ about: String, _ instant: @escaping @Sendable (Subject) -> Date?) -> Field {
    Field(key, .instant(about)) { instant($0)?.iso8601WithMilliseconds }
  }

  /// Returns the field of a figure as CoinGecko writes it, which may be null.
  static func number(_ key: String, _ about: String, _ figure: @escaping @Sendable (Subject) -> Decimal?) -> Field {
    Field(key, .number(about).orNull) { JSONValue(number: figure($0)) }
  }
}

/// The answer of `/coins/{id}/history`: a coin with its price at 00:00 UTC of a day.
package struct CoinGeckoHistory: Sendable {
  private let coin: CoinListItem
  private let price: Decimal?
  private let currency: String

  /// Creates the answer.
  ///
  /// - Parameter price: The price; nil where the source has none of that day; `market_data` is then missing.
  package init(_ coin: CoinListItem, price: Decimal?, currency: String) {
    self.coin = coin
    self.price = price
    self.currency = currency
  }

  package var text: String { JSONValue.object(Self.fields.object(self)).compact() }

  private static let fields: Fields<CoinGeckoHistory> =
    CoinGeckoCoin.identity.of { ($0.coin.id, $0.coin.symbol, $0.coin.name, nil) } + [
      .empty("community_data", [:]), .empty("developer_data", [:]),
      .constant(
        "public_interest_stats", .object(["alexa_rank": .unknown, "bing_matches": .unknown]),
        ["alexa_rank": .null, "bing_matches": .null]),
      Field("market_data", .object(market.schema, "Missing where the source has no price of that day.").orMissing) {
        $0.price == nil ? nil : market.object($0)
      },
    ]

  private static let market: Fields<CoinGeckoHistory> = [
    Field("current_price", .map(of: .number("A figure."), "The price.")) {
      JSONObject([($0.currency, JSONValue(number: $0.price))])
    },
    .empty("market_cap", [:]), .empty("total_volume", [:]),
  ]
}
