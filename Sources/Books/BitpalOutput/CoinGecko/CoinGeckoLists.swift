import BitpalJSON
package import BitpalModel

/// CoinGecko's answers without a price in them.
package enum CoinGeckoList: Sendable {
  /// `/ping`.
  case ping

  /// `/simple/supported_vs_currencies`.
  case currencies([String])

  /// `/coins/list`; with `platforms` of null, which our sources do not state, where they were requested.
  case coins([CoinListItem], hasPlatforms: Bool)

  /// `/search`.
  case found([CoinListItem])

  package var text: String { json.compact() }

  private static let pingFields: Fields<Void> = [
    .constant("gecko_says", .text("That it answers."), "(V3) To the Moon!")
  ]

  private static let coinFields: Fields<CoinListItem> = [
    Field("id", .text("The id.")) { $0.id },
    Field("symbol", .text("The ticker.")) { $0.symbol },
    Field("name", .text("The name.")) { $0.name },
  ]

  private static let searchFields: Fields<[CoinListItem]> = [
    .list("coins", "Those that were found.", foundFields) { $0 },
    .empty("exchanges", []), .empty("icos", []), .empty("categories", []), .empty("nfts", []),
  ]

  // Only this answer has tickers in capitals.
  private static let foundFields: Fields<CoinListItem> = [
    Field("id", .text("The id.")) { $0.id },
    Field("name", .text("The name.")) { $0.name },
    Field("api_symbol", .text("The id.")) { $0.id },
    Field("symbol", .text("The ticker, in capitals.")) { $0.symbol.uppercased() },
    .unknown("market_cap_rank"),
    .constant("thumb", .text("Always empty."), ""),
    .constant("large", .text("Always empty."), ""),
  ]

  private var json: JSONValue {
    switch self {
    case .ping: Self.pingFields.object(()).output
    case .currencies(let codes): codes.output
    case .coins(let coins, let hasPlatforms):
      (Self.coinFields + (hasPlatforms ? [.empty("platforms", [:])] : [])).objects(coins).output
    case .found(let coins): Self.searchFields.object(coins).output
    }
  }
}
