import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The answer of `/coins/markets`: one row per coin, with null for values that the source lacks.
///
/// Typed clients require a picture and a time: a missing picture is an empty text, a missing time is that of the fetch.
package struct CoinGeckoMarkets: Sendable {
  /// A coin of the market.
  package struct Row: Sendable {
    package let detail: CoinDetail

    /// The prices of a week; nil unless they were requested.
    let week: [ChartDataPoint]?

    /// The time at which the price was fetched.
    let fetchedAt: Date

    package init(_ detail: CoinDetail, fetchedAt: Date, week: [ChartDataPoint]? = nil) {
      self.detail = detail
      self.fetchedAt = fetchedAt
      self.week = week
    }
  }

  /// The schema of the answer.
  package static let schema: ValueSchema = .named(
    "coingecko_markets",
    .list(
      .object(
        [
          "id": .text("The id."), "symbol": .text("The ticker."), "name": .text("The name."),
          "image": .text("A picture; empty where the source has none."),
          "current_price": .number("The price."), "market_cap": .number("The market value.").orNull,
          "market_cap_rank": .count("The place by market value.", from: 1).orNull,
          "fully_diluted_valuation": .unknown, "total_volume": .number("The volume of 24 hours.").orNull,
          "high_24h": .unknown, "low_24h": .unknown, "price_change_24h": .unknown,
          "price_change_percentage_24h": .number("The change over 24 hours in percent.").orNull,
          "market_cap_change_24h": .unknown, "market_cap_change_percentage_24h": .unknown,
          "circulating_supply": .number("The circulating supply.").orNull,
          "total_supply": .number("The total supply.").orNull, "max_supply": .number("The maximum supply.").orNull,
          "ath": .number("The highest price ever.").orNull,
          "ath_change_percentage": .number("The distance of the price from it, in percent.").orNull,
          "ath_date": .instant("The time of it.").orNull, "atl": .number("The lowest price ever.").orNull,
          "atl_change_percentage": .number("The distance of the price from it, in percent.").orNull,
          "atl_date": .instant("The time of it.").orNull, "roi": .unknown,
          "last_updated": .instant("The source's own time, or when the source was asked."),
          "sparkline_in_7d": .object(["price": .list(.number("A price."), "In the order of time.")]).orMissing,
        ] + changes), "A row a coin."))

  /// The periods for which CoinGecko gives changes.
  package static let windows = ["1h", "24h", "7d", "14d", "30d", "200d", "1y"]

  private static let changes = SchemaMembers(
    windows.map { window in
      (
        "price_change_percentage_\(window)_in_currency",
        .number("The change over \(window) in percent, where it was asked for.").orNull.orMissing
      )
    })

  private let rows: [Row]
  private let windows: [String]
  private let number: CoinGeckoNumber

  /// Creates the answer.
  ///
  /// - Parameter windows: The periods of the requested changes: `1h`, `24h`, `7d`, `14d`, `30d`, `200d`, `1y`.
  package init(_ rows: [Row], windows: [String], _ number: CoinGeckoNumber) {
    self.rows = rows
    self.windows = windows
    self.number = number
  }

  package var text: String { JSONValue.array(rows.map { .object(object($0)) }).compact() }

  private func object(_ row: Row) -> JSONObject {
    let (detail, coin) = (row.detail, row.detail.coin)
    func distance(_ extreme: PriceExtreme?) -> JSONValue {
      JSONValue(number: extreme.flatMap { coin.currentPrice.percentChange(since: $0.price) })
    }
    var object: JSONObject = [
      "id": .string(coin.id), "symbol": .string(coin.symbol), "name": .string(coin.name),
      "image": .string(detail.image ?? ""), "current_price": number.price(coin.currentPrice),
      "market_cap": JSONValue(number: detail.marketCap), "market_cap_rank": detail.rank.map { .integer($0) } ?? .null,
      "fully_diluted_valuation": .null, "total_volume": JSONValue(number: detail.totalVolume), "high_24h": .null,
      "low_24h": .null, "price_change_24h": .null,
      "price_change_percentage_24h": JSONValue(number: coin.priceChange24h), "market_cap_change_24h": .null,
      "market_cap_change_percentage_24h": .null,
      "circulating_supply": JSONValue(number: detail.circulatingSupply),
      "total_supply": JSONValue(number: detail.totalSupply), "max_supply": JSONValue(number: detail.maximumSupply),
      "ath": number.price(detail.allTimeHigh?.price), "ath_change_percentage": distance(detail.allTimeHigh),
      "ath_date": JSONValue(detail.allTimeHigh?.date), "atl": number.price(detail.allTimeLow?.price),
      "atl_change_percentage": distance(detail.allTimeLow), "atl_date": JSONValue(detail.allTimeLow?.date),
      "roi": .null, "last_updated": JSONValue(coin.lastUpdated ?? row.fetchedAt),
    ]
    if let week = row.week {
      object.append("sparkline_in_7d", ["price": .array(week.map { JSONValue(number: $0.price) })])
    }
    for window in windows {
      object.append(
        "price_change_percentage_\(window)_in_currency", JSONValue(number: detail.change(over: window)))
    }
    return object
  }
}

extension CoinDetail {
  /// Returns the change in percent over a period of CoinGecko's; nil for one that no source gives.
  func change(over window: String) -> Decimal? {
    switch window {
    case "24h": coin.priceChange24h
    case "7d": changes.week
    case "30d": changes.month
    case "1y": changes.year
    default: nil
    }
  }
}
