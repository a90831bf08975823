import BitpalJSON
package import BitpalModel

/// CoinGecko's answers without a price in them.
package enum CoinGeckoList: Sendable {
  /// `/ping`.
  case ping

  /// `/simple/supported_vs_currencies`.
  case currencies([String])

  /// `/coins/list`; with empty `platforms`, which our sources do not state, where they were requested.
  case coins([CoinListItem], hasPlatforms: Bool)

  /// `/search`.
  case found([CoinListItem])

  package var text: String { json.compact() }

  package static let pingSchema: ValueSchema = .named(
    "coingecko_ping", .object(["gecko_says": .text("That it answers.")], "That the server answers."))

  package static let currenciesSchema: ValueSchema = .named(
    "coingecko_currencies", .list(.text("A currency."), "The currencies in which there are prices."))

  package static let coinsSchema: ValueSchema = .named(
    "coingecko_list",
    .list(
      .object([
        "id": .text("The id."), "symbol": .text("The ticker."), "name": .text("The name."),
        "platforms": .map(of: .text("A contract."), "None that a source tells.").orMissing,
      ]), "Every coin that the source has."))

  package static let foundSchema: ValueSchema = .named(
    "coingecko_search",
    .object(
      [
        "coins": .list(
          .object([
            "id": .text("The id."), "name": .text("The name."), "api_symbol": .text("The id."),
            "symbol": .text("The ticker, in capitals."), "market_cap_rank": .unknown,
            "thumb": .text("Always empty."), "large": .text("Always empty."),
          ]), "Those that were found."),
        "exchanges": none, "icos": none, "categories": none, "nfts": none,
      ], "The results of a search."))

  private static let none: ValueSchema = .list(.unknown, "None.")

  private var json: JSONValue {
    switch self {
    case .ping:
      ["gecko_says": "(V3) To the Moon!"]
    case .currencies(let codes):
      .array(codes.map(JSONValue.string))
    case .coins(let coins, let hasPlatforms):
      .array(
        coins.map { coin in
          var row: JSONObject = [
            "id": .string(coin.id), "symbol": .string(coin.symbol), "name": .string(coin.name),
          ]
          if hasPlatforms { row.append("platforms", [:]) }
          return .object(row)
        })
    case .found(let coins):
      [
        "coins": .array(
          coins.map { coin in
            // Only this answer has tickers in capitals.
            [
              "id": .string(coin.id), "name": .string(coin.name), "api_symbol": .string(coin.id),
              "symbol": .string(coin.symbol.uppercased()), "market_cap_rank": .null, "thumb": "", "large": "",
            ]
          }), "exchanges": [], "icos": [], "categories": [], "nfts": [],
      ]
    }
  }
}
