package import BitpalJSON
package import BitpalModel
package import BitpalService
package import FoundationEssentials

/// The shape `bitpal.prices/1`: the latest prices of several coins, and the failures.
package struct PricesOutput: OutputShape {
  /// The prices, in the order of the output.
  package let quotes: [Sourced<Coin>]

  /// The currency, lower case.
  package let currency: String
  private let failures: [CoinFailure]
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(_ answer: QuotesAnswer, provider: String?, currency: String) {
    quotes = answer.quotes
    failures = answer.failures
    self.provider = provider
    self.currency = currency
  }

  package let schema = OutputSchema.prices

  package var columns: [String] { Self.priceColumns }

  package var rows: [JSONObject] { quotes.map { Self.row($0.value, Provenance($0)) } }

  package var members: JSONObject {
    ["provider": JSONValue(quotes.first?.source ?? provider), "currency": .string(currency), "prices": rowsValue]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }

  /// The keys of a price, which other shapes include too.
  static let priceColumns = [
    "id", "symbol", "name", "price", "change_24h", "last_updated", "fetched_at", "stale", "source",
    "stale_reason", "converted", "place",
  ]

  /// Returns a price as a row.
  static func row(_ coin: Coin, _ provenance: Provenance) -> JSONObject {
    let quote: JSONObject = [
      "id": .coin(coin.id), "symbol": .string(coin.symbol), "name": .string(coin.name),
      "price": JSONValue(coin.currentPrice), "change_24h": JSONValue(coin.priceChange24h),
      "last_updated": JSONValue(coin.lastUpdated),
    ]
    return quote + provenance.json + ["place": JSONValue(coin.place)]
  }
}

extension OutputError {
  /// Creates the error of a coin without an answer.
  init(_ failure: CoinFailure) {
    self.init(failure.error, about: (.coin, failure.coin))
  }
}

/// The shape `bitpal.coin/1`: the market details of a coin.
package struct CoinOutput: OutputShape {
  package let detail: CoinDetail
  package let provenance: Provenance
  package let currency: String
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(_ answer: Sourced<CoinDetail>, provider: String?, currency: String) {
    detail = answer.value
    provenance = Provenance(answer)
    self.provider = provider
    self.currency = currency
  }

  package let schema = OutputSchema.coin

  package var columns: [String] { Self.columns }

  /// The keys of a detail, those of a price first.
  static var columns: [String] {
    PricesOutput.priceColumns + [
      "market_cap", "total_volume", "circulating_supply", "image", "total_supply", "max_supply", "rank", "change_7d",
      "change_30d", "change_1y", "ath", "ath_date", "ath_change", "atl", "atl_date", "atl_change",
    ]
  }

  package var rows: [JSONObject] {
    let figures: JSONObject = [
      "market_cap": JSONValue(detail.marketCap), "total_volume": JSONValue(detail.totalVolume),
      "circulating_supply": JSONValue(detail.circulatingSupply), "image": JSONValue(detail.image),
      "total_supply": JSONValue(detail.totalSupply), "max_supply": JSONValue(detail.maximumSupply),
      "rank": detail.rank.map { .integer($0) } ?? .null, "change_7d": JSONValue(detail.changes.week),
      "change_30d": JSONValue(detail.changes.month), "change_1y": JSONValue(detail.changes.year),
    ]
    let extremes = extreme("ath", detail.allTimeHigh) + extreme("atl", detail.allTimeLow)
    return [PricesOutput.row(detail.coin, provenance) + figures + extremes]
  }

  /// Returns the distance of the price from an extreme, in percent of the extreme; nil without one.
  package func distance(from extreme: PriceExtreme?) -> Decimal? {
    extreme.flatMap { detail.coin.currentPrice.percentChange(since: $0.price) }
  }

  private func extreme(_ name: String, _ extreme: PriceExtreme?) -> JSONObject {
    JSONObject([
      (name, JSONValue(extreme?.price)), (name + "_date", JSONValue(extreme?.date)),
      (name + "_change", JSONValue(distance(from: extreme))),
    ])
  }

  package var members: JSONObject {
    rows.reduce(["provider": .string(provenance.source), "currency": .string(currency)]) { $0 + $1 }
  }
}

/// The shape `bitpal.coins/1`: the market details of several coins, and the failures.
package struct CoinsOutput: OutputShape {
  /// The details of each coin that has an answer, in the order of the request.
  package let coins: [CoinOutput]
  private let failures: [CoinFailure]
  private let currency: String
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(
    _ answers: [Sourced<CoinDetail>], failures: [CoinFailure], provider: String?, currency: String
  ) {
    coins = answers.map { CoinOutput($0, provider: provider, currency: currency) }
    self.failures = failures
    self.provider = provider
    self.currency = currency
  }

  package let schema = OutputSchema.coins

  package var columns: [String] { CoinOutput.columns }

  package var rows: [JSONObject] { coins.flatMap(\.rows) }

  package var members: JSONObject {
    [
      "provider": JSONValue(coins.first?.provenance.source ?? provider), "currency": .string(currency),
      "coins": rowsValue,
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }
}

extension OutputSchema {
  package static let prices = OutputSchema(
    "bitpal.prices/1", "The latest prices of several coins, and why some have none.",
    .frame + ["prices": .list(.price, "A row for each coin that has a price.")])

  package static let coin = OutputSchema("bitpal.coin/1", "The market details of a coin.", .frame + detail)

  static let coins = OutputSchema(
    "bitpal.coins/1", "The market details of several coins, and why some have none.",
    .frame + ["coins": .list(.named("detail_row", .object(detail, "The market details of a coin.")), "The coins.")])

  private static let detail: SchemaMembers =
    .price + [
      "market_cap": .decimal("The value of all coins in circulation.").orNull,
      "total_volume": .decimal("The volume of 24 hours.").orNull,
      "circulating_supply": .decimal("The circulating supply.").orNull,
      "image": .text("The URL of its logo.").orNull,
      "total_supply": .decimal("The total supply.").orNull,
      "max_supply": .decimal("The maximum supply.").orNull,
      "rank": .count("The place by market value, 1 being the first.", from: 1).orNull,
      "change_7d": .decimal("The change over 7 days in percent.").orNull,
      "change_30d": .decimal("The change over 30 days in percent.").orNull,
      "change_1y": .decimal("The change over a year in percent.").orNull,
      "ath": .decimal("The highest price ever.").orNull, "ath_date": .instant("The time of it.").orNull,
      "ath_change": .decimal("The distance of the price from it, in percent.").orNull,
      "atl": .decimal("The lowest price ever.").orNull, "atl_date": .instant("The time of it.").orNull,
      "atl_change": .decimal("The distance of the price from it, in percent.").orNull,
    ]
}
