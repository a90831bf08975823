import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The answer of `/coins/{id}`: a coin with its market figures in one currency, in CoinGecko's maps by currency.
package struct CoinGeckoCoin: Sendable {
  /// The schema of the answer.
  package static let schema: ValueSchema = .named(
    "coingecko_coin",
    .object(
      identitySchema + unknownSchema + [
        "market_cap_rank": .count("The place by market value.", from: 1).orNull,
        "market_data": .object(marketSchema, "The figures, by currency.").orMissing,
        "last_updated": .instant("The source's own time, or when the source was asked."),
        "tickers": .list(.unknown, "None."),
      ], "A coin with its market figures."))

  static let identitySchema: SchemaMembers = [
    "id": .text("The id."), "symbol": .text("The ticker."), "name": .text("The name."),
    "localization": .map(of: .unknown, "None."),
    "image": .object([
      "thumb": .text("Always empty."), "small": .text("Always empty."),
      "large": .text("The URL of its logo; empty where the source has none."),
    ]),
  ]

  private static let unknownSchema: SchemaMembers = [
    "web_slug": .text("Always empty."), "asset_platform_id": .unknown, "platforms": .map(of: .unknown, "None."),
    "detail_platforms": .map(of: .unknown, "None."), "block_time_in_minutes": .number("Always 0."),
    "hashing_algorithm": .unknown, "categories": .list(.unknown, "None."),
    "preview_listing": .flag("Always false."), "public_notice": .unknown,
    "additional_notices": .list(.unknown, "None."), "has_supply_breakdown": .flag("Always false."),
    "description": .map(of: .unknown, "None."), "links": .map(of: .unknown, "None."),
    "country_origin": .text("Always empty."), "genesis_date": .unknown, "sentiment_votes_up_percentage": .unknown,
    "sentiment_votes_down_percentage": .unknown, "watchlist_portfolio_users": .number("Always 0."),
    "market_cap_rank_with_rehypothecated": .unknown, "status_updates": .list(.unknown, "None."),
  ]

  private static let marketSchema: SchemaMembers =
    [
      "current_price": byCurrency("The price."), "total_value_locked": .unknown, "mcap_to_tvl_ratio": .unknown,
      "fdv_to_tvl_ratio": .unknown, "roi": .unknown, "ath": byCurrency("The highest price ever."),
      "ath_change_percentage": byCurrency("The distance of the price from it, in percent."),
      "ath_date": .map(of: .instant("An instant."), "The time of it."), "atl": byCurrency("The lowest price ever."),
      "atl_change_percentage": byCurrency("The distance of the price from it, in percent."),
      "atl_date": .map(of: .instant("An instant."), "The time of it."), "market_cap": byCurrency("The market value."),
      "market_cap_rank": .count("The place by market value.", from: 1).orNull,
      "fully_diluted_valuation": .map(of: .unknown, "None."),
      "total_volume": byCurrency("The volume of 24 hours."),
      "high_24h": .map(of: .unknown, "None."), "low_24h": .map(of: .unknown, "None."), "price_change_24h": .unknown,
      "total_supply": .number("The total supply.").orNull,
      "max_supply": .number("The maximum supply.").orNull,
      "circulating_supply": .number("The circulating supply.").orNull,
      "sparkline_7d": .list(.number("A price."), "In the order of time.").orMissing,
      "last_updated": .instant("The source's own time, or when the source was asked."),
    ]
    + SchemaMembers(
      windows.map { ("price_change_percentage_\($0)", .number("The change over \($0) in percent.").orNull) })

  static func byCurrency(_ about: String) -> ValueSchema { .map(of: .number("A figure."), about) }

  private static let windows = ["24h", "7d", "14d", "30d", "60d", "200d", "1y"]

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

  package var text: String { JSONValue.object(json).compact() }

  private var json: JSONObject {
    let coin = detail.coin
    var object = Self.identity(coin.id, coin.symbol, coin.name, image: detail.image)
    object = object + Self.unknown
    object.append("market_cap_rank", detail.rank.map { .integer($0) } ?? .null)
    if hasMarket { object.append("market_data", .object(market)) }
    object.append("last_updated", JSONValue(updated))
    object.append("tickers", [])
    return object
  }

  /// The keys without market figures for which our sources have no data.
  ///
  /// CoinGecko's description of its API requires these keys, and some of them to be non-null: those have the values of
  /// a coin about which CoinGecko knows nothing.
  private static let unknown: JSONObject = [
    "web_slug": "", "asset_platform_id": .null, "platforms": [:], "detail_platforms": [:], "block_time_in_minutes": 0,
    "hashing_algorithm": .null, "categories": [], "preview_listing": false, "public_notice": .null,
    "additional_notices": [], "has_supply_breakdown": false, "description": [:], "links": [:], "country_origin": "",
    "genesis_date": .null, "sentiment_votes_up_percentage": .null, "sentiment_votes_down_percentage": .null,
    "watchlist_portfolio_users": 0, "market_cap_rank_with_rehypothecated": .null, "status_updates": [],
  ]

  /// Returns the names of a coin, as in the answers about coins and their history.
  static func identity(_ id: String, _ symbol: String, _ name: String, image: String?) -> JSONObject {
    [
      "id": .string(id), "symbol": .string(symbol), "name": .string(name), "localization": [:],
      "image": ["thumb": "", "small": "", "large": .string(image ?? "")],
    ]
  }

  private var market: JSONObject {
    let coin = detail.coin
    var market: JSONObject = [
      "current_price": map(JSONValue(number: coin.currentPrice)), "total_value_locked": .null,
      "mcap_to_tvl_ratio": .null, "fdv_to_tvl_ratio": .null, "roi": .null,
      "ath": map(JSONValue(number: detail.allTimeHigh?.price)),
      "ath_change_percentage": map(distance(detail.allTimeHigh)),
      "ath_date": map(JSONValue(detail.allTimeHigh?.date)), "atl": map(JSONValue(number: detail.allTimeLow?.price)),
      "atl_change_percentage": map(distance(detail.allTimeLow)), "atl_date": map(JSONValue(detail.allTimeLow?.date)),
      "market_cap": map(JSONValue(number: detail.marketCap)),
      "market_cap_rank": detail.rank.map { .integer($0) } ?? .null, "fully_diluted_valuation": [:],
      "total_volume": map(JSONValue(number: detail.totalVolume)), "high_24h": [:], "low_24h": [:],
      "price_change_24h": .null,
    ]
    for window in Self.windows {
      market.append("price_change_percentage_\(window)", JSONValue(number: detail.change(over: window)))
    }
    market.append("total_supply", JSONValue(number: detail.totalSupply))
    market.append("max_supply", JSONValue(number: detail.maximumSupply))
    market.append("circulating_supply", JSONValue(number: detail.circulatingSupply))
    // CoinGecko once had an object with `price` here; its own description and its typed clients now have a list.
    if let week { market.append("sparkline_7d", .array(week.map { JSONValue(number: $0.price) })) }
    market.append("last_updated", JSONValue(updated))
    return market
  }

  /// Returns a map of a figure by currency; empty where the figure is unknown.
  private func map(_ figure: JSONValue) -> JSONValue {
    figure == .null ? [:] : .object(JSONObject([(currency, figure)]))
  }

  private func distance(_ extreme: PriceExtreme?) -> JSONValue {
    JSONValue(number: extreme.flatMap { detail.coin.currentPrice.percentChange(since: $0.price) })
  }
}

/// The answer of `/coins/{id}/history`: a coin with its price at 00:00 UTC of a day.
package struct CoinGeckoHistory: Sendable {
  /// The schema of the answer.
  package static let schema: ValueSchema = .named(
    "coingecko_history",
    .object(
      CoinGeckoCoin.identitySchema + [
        "community_data": .map(of: .unknown, "None."), "developer_data": .map(of: .unknown, "None."),
        "public_interest_stats": .object(["alexa_rank": .unknown, "bing_matches": .unknown]),
        "market_data": .object(
          [
            "current_price": CoinGeckoCoin.byCurrency("The price."), "market_cap": .map(of: .unknown, "None."),
            "total_volume": .map(of: .unknown, "None."),
          ], "Missing where the source has no price of that day."
        ).orMissing,
      ], "A coin with its price of a day."))

  private let coin: CoinListItem
  private let price: Decimal?
  private let currency: String

  /// Creates the answer.
  ///
  /// - Parameter price: The price; nil where the source has none of that day, then there is no `market_data`.
  package init(_ coin: CoinListItem, price: Decimal?, currency: String) {
    self.coin = coin
    self.price = price
    self.currency = currency
  }

  package var text: String {
    var object = CoinGeckoCoin.identity(coin.id, coin.symbol, coin.name, image: nil)
    object.append("community_data", [:])
    object.append("developer_data", [:])
    object.append("public_interest_stats", ["alexa_rank": .null, "bing_matches": .null])
    if let price {
      object.append(
        "market_data",
        [
          "current_price": .object(JSONObject([(currency, JSONValue(number: price))])), "market_cap": [:],
          "total_volume": [:],
        ])
    }
    return JSONValue.object(object).compact()
  }
}
