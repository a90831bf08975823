import BitpalJSON
package import BitpalModel

/// CoinGecko's answers without a price in them.
package enum CoinGeckoList: Sendable {
  /// `/ping`.
  case ping

  /// `/simple/supported_vs_currencies`.
  case currencies([String])

  /// `/coins/list`; with `platforms`, which no source tells us, where they are wanted.
  case coins([CoinListItem], hasPlatforms: Bool)

  /// `/search`.
  case found([CoinListItem])

  package var text: String { json.compact() }

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
            // Capitals here, and only here.
            [
              "id": .string(coin.id), "name": .string(coin.name), "api_symbol": .string(coin.id),
              "symbol": .string(coin.symbol.uppercased()), "market_cap_rank": .null, "thumb": "", "large": "",
            ]
          }), "exchanges": [], "icos": [], "categories": [], "nfts": [],
      ]
    }
  }
}
