import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The answer of `/coins/markets`: one row per coin, with null for values that the source lacks.
///
/// Typed clients require a picture and a time: a missing picture is an empty text, a missing time is that of the fetch.
package struct CoinGeckoMarkets: Sendable {
  /// A coin of the market.
  package struct Row: Sendable {
    let id: String
    let symbol: String
    let name: String

    /// The figures; nil for a coin whose source has failed.
    let detail: CoinDetail?

    /// The prices of a week; nil unless they were requested.
    let week: [ChartDataPoint]?

    /// The time at which the price was fetched.
    let fetchedAt: Date

    package init(_ detail: CoinDetail, fetchedAt: Date, week: [ChartDataPoint]? = nil) {
      (id, symbol, name) = (detail.coin.id, detail.coin.symbol, detail.coin.name)
      self.detail = detail
      self.fetchedAt = fetchedAt
      self.week = week
    }

    /// Creates the row of a coin whose source has failed, with null for every figure.
    ///
    /// - Parameter asked: The time at which the source was asked.
    package init(failed id: String, symbol: String, name: String, asked: Date) {
      (self.id, self.symbol, self.name) = (id, symbol, name)
      (detail, week, fetchedAt) = (nil, nil, asked)
    }
  }

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

  package var text: String {
    JSONValue.array(
      rows.map { row in
        let changes = windows.map { (Self.changeKey($0), JSONValue(number: row.detail?.change(over: $0))) }
        return .object(Self.fields.object((row, number)) + JSONObject(changes))
      }
    ).compact()
  }

  /// The periods for which CoinGecko gives changes.
  package static let windows = ["1h", "24h", "7d", "14d", "30d", "200d", "1y"]

  private static func changeKey(_ window: String) -> String { "price_change_percentage_\(window)_in_currency" }

  private static let fields: Fields<(row: Row, number: CoinGeckoNumber)> = [
    Field("id", .text("The id.")) { $0.row.id },
    Field("symbol", .text("The ticker.")) { $0.row.symbol },
    Field("name", .text("The name.")) { $0.row.name },
    Field("image", .text("A picture; empty where the source has none.")) { $0.row.detail?.image ?? "" },
    Field("current_price", .number("The price; null where the source has failed.").orNull) {
      $0.number.price($0.row.detail?.coin.currentPrice)
    },
    .number("market_cap", "The market value.") { $0.row.detail?.marketCap },
    Field("market_cap_rank", .count("The place by market value.", from: 1)) { $0.row.detail?.rank },
    .unknown("fully_diluted_valuation"),
    .number("total_volume", "The volume of 24 hours.") { $0.row.detail?.totalVolume },
    .unknown("high_24h"), .unknown("low_24h"),
    .number("price_change_24h", "The change over 24 hours.") { $0.row.detail?.priceChange24h },
    .number("price_change_percentage_24h", "The change over 24 hours in percent.") {
      $0.row.detail?.coin.priceChangePercentage24h
    },
    .unknown("market_cap_change_24h"), .unknown("market_cap_change_percentage_24h"),
    .number("circulating_supply", "The circulating supply.") { $0.row.detail?.circulatingSupply },
    .number("total_supply", "The total supply.") { $0.row.detail?.totalSupply },
    .number("max_supply", "The maximum supply.") { $0.row.detail?.maximumSupply },
    Field("ath", .number("The highest price ever.").orNull) { $0.number.price($0.row.detail?.allTimeHigh?.price) },
    .number("ath_change_percentage", "The distance of the price from it, in percent.") {
      $0.row.detail?.distance(from: $0.row.detail?.allTimeHigh)
    },
    .time("ath_date", "The time of it.") { $0.row.detail?.allTimeHigh?.date },
    Field("atl", .number("The lowest price ever.").orNull) { $0.number.price($0.row.detail?.allTimeLow?.price) },
    .number("atl_change_percentage", "The distance of the price from it, in percent.") {
      $0.row.detail?.distance(from: $0.row.detail?.allTimeLow)
    },
    .time("atl_date", "The time of it.") { $0.row.detail?.allTimeLow?.date },
    .unknown("roi"),
    .time("last_updated", "The source's own time, or when the source was asked.") {
      $0.row.detail?.coin.lastUpdated ?? $0.row.fetchedAt
    },
    Field("sparkline_in_7d", .object(["price": .list(.number("A price."), "In the order of time.")]).orMissing) {
      coin in
      coin.row.week.map { ["price": .array($0.map { JSONValue(number: $0.price) })] as JSONObject }
    },
  ]
}

extension CoinDetail {
  /// Returns the distance of the price from an extreme, in percent of the extreme; nil without one.
  package func distance(from extreme: PriceExtreme?) -> Decimal? {
    extreme.flatMap { coin.currentPrice.percentChange(since: $0.price) }
  }

  /// The change of the price over 24 hours, from the change in percent; nil without one.
  var priceChange24h: Decimal? {
    guard let percent = coin.priceChangePercentage24h, percent > -100 else { return nil }
    return coin.currentPrice.converted(at: percent).flatMap { try? $0.ratio(to: percent + 100) }
  }

  /// Returns the change in percent over a period of CoinGecko's; nil for one that no source gives.
  func change(over window: String) -> Decimal? {
    switch window {
    case "1h": changes.hour
    case "24h": coin.priceChangePercentage24h
    case "7d": changes.week
    case "30d": changes.month
    case "1y": changes.year
    default: nil
    }
  }
}
