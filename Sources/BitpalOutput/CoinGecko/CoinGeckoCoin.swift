import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// What `/coins/{id}` answers: a coin with its market figures in one currency, in the maps by currency that CoinGecko has.
package struct CoinGeckoCoin: Sendable {
  private let detail: CoinDetail
  private let updated: Date
  private let currency: String
  private let week: [ChartDataPoint]?
  private let hasMarket: Bool

  /// - Parameters:
  ///   - week: The prices of a week; nil unless they were asked for.
  ///   - hasMarket: Whether the market figures are wanted.
  package init(_ answer: Sourced<CoinDetail>, currency: String, week: [ChartDataPoint]?, hasMarket: Bool) {
    detail = answer.value
    // Typed clients want a time; a price without one is of when it was fetched.
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

  /// What is about a coin and is no market figure, and of which no source of ours says anything.
  ///
  /// CoinGecko's description of its API wants these keys, and some of them not to be null: those are as empty as it has them
  /// of coins that it knows nothing about.
  private static let unknown: JSONObject = [
    "web_slug": "", "asset_platform_id": .null, "platforms": [:], "detail_platforms": [:], "block_time_in_minutes": 0,
    "hashing_algorithm": .null, "categories": [], "preview_listing": false, "public_notice": .null,
    "additional_notices": [], "has_supply_breakdown": false, "description": [:], "links": [:], "country_origin": "",
    "genesis_date": .null, "sentiment_votes_up_percentage": .null, "sentiment_votes_down_percentage": .null,
    "watchlist_portfolio_users": 0, "market_cap_rank_with_rehypothecated": .null, "status_updates": [],
  ]

  /// What a coin is called, as coins and their history say it.
  static func identity(_ id: String, _ symbol: String, _ name: String, image: String?) -> JSONObject {
    [
      "id": .string(id), "symbol": .string(symbol), "name": .string(name), "localization": [:],
      "image": ["thumb": .null, "small": .null, "large": JSONValue(image)],
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
    for window in ["24h", "7d", "14d", "30d", "60d", "200d", "1y"] {
      market.append("price_change_percentage_\(window)", JSONValue(number: detail.change(over: window)))
    }
    market.append("total_supply", JSONValue(number: detail.totalSupply))
    market.append("max_supply", JSONValue(number: detail.maximumSupply))
    market.append("circulating_supply", JSONValue(number: detail.circulatingSupply))
    // An object with `price` at CoinGecko once, a list by its own description now, and to its typed clients.
    if let week { market.append("sparkline_7d", .array(week.map { JSONValue(number: $0.price) })) }
    market.append("last_updated", JSONValue(updated))
    return market
  }

  /// A figure by currency; without any where it is not known.
  private func map(_ figure: JSONValue) -> JSONValue {
    figure == .null ? [:] : .object(JSONObject([(currency, figure)]))
  }

  private func distance(_ extreme: PriceExtreme?) -> JSONValue {
    JSONValue(number: extreme.flatMap { detail.coin.currentPrice.percentChange(since: $0.price) })
  }
}

/// What `/coins/{id}/history` answers: a coin with its price at 00:00 UTC of a day.
package struct CoinGeckoHistory: Sendable {
  private let coin: CoinListItem
  private let price: Decimal?
  private let currency: String

  /// - Parameter price: Nil where the source has none of that day: then there is no `market_data`.
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
