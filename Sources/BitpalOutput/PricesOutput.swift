package import BitpalJSON
package import BitpalModel
package import BitpalService

/// `bitpal.prices/1`: the latest prices of several coins, and why some have none.
package struct PricesOutput: OutputShape {
  /// The prices, in the order in which they are shown.
  package let quotes: [Sourced<Coin>]

  /// Lower case.
  package let currency: String
  private let failures: [CoinFailure]
  private let provider: String?

  /// - Parameter provider: The first of the configured ones.
  package init(_ answer: QuotesAnswer, provider: String?, currency: String) {
    quotes = answer.quotes
    failures = answer.failures
    self.provider = provider
    self.currency = currency
  }

  package let schema = "bitpal.prices/1"

  package var columns: [String] { Self.priceColumns }

  package var rows: [JSONObject] { quotes.map { Self.row($0.value, Provenance($0)) } }

  package var members: JSONObject {
    ["provider": JSONValue(provider), "currency": .string(currency), "prices": rowsValue]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }

  /// The keys of a price, which other shapes carry too.
  static let priceColumns = [
    "id", "symbol", "name", "price", "change_24h", "last_updated", "fetched_at", "stale", "source",
  ]

  /// A price as a row.
  static func row(_ coin: Coin, _ provenance: Provenance) -> JSONObject {
    let quote: JSONObject = [
      "id": .string(coin.id), "symbol": .string(coin.symbol), "name": .string(coin.name),
      "price": JSONValue(coin.currentPrice), "change_24h": JSONValue(coin.priceChange24h),
      "last_updated": JSONValue(coin.lastUpdated),
    ]
    return quote + provenance.json
  }
}

extension OutputError {
  /// Why a coin has no answer.
  init(_ failure: CoinFailure) {
    self.init(failure.error, about: (.coin, failure.coin))
  }
}

/// `bitpal.coin/1`: the market details of a coin.
package struct CoinOutput: OutputShape {
  package let detail: CoinDetail
  package let provenance: Provenance
  package let currency: String
  private let provider: String?

  /// - Parameter provider: The first of the configured ones.
  package init(_ answer: Sourced<CoinDetail>, provider: String?, currency: String) {
    detail = answer.value
    provenance = Provenance(answer)
    self.provider = provider
    self.currency = currency
  }

  package let schema = "bitpal.coin/1"

  package var columns: [String] {
    PricesOutput.priceColumns + ["market_cap", "total_volume", "circulating_supply", "image"]
  }

  package var rows: [JSONObject] {
    let figures: JSONObject = [
      "market_cap": JSONValue(detail.marketCap), "total_volume": JSONValue(detail.totalVolume),
      "circulating_supply": JSONValue(detail.circulatingSupply), "image": JSONValue(detail.image),
    ]
    return [PricesOutput.row(detail.coin, provenance) + figures]
  }

  package var members: JSONObject {
    rows.reduce(["provider": JSONValue(provider), "currency": .string(currency)]) { $0 + $1 }
  }
}
