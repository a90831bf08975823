package import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The shape `bitpal.search/1`: the coins that a search found, or the failure that it found none.
package struct SearchOutput: OutputShape {
  package let coins: [CoinListItem]
  package let provenance: Provenance

  /// The currency, lower case.
  package let currency: String
  private let query: String
  private let prices: CandidatePrices?

  /// Returns the name that stands for the coin of an id.
  package let name: @Sendable (String) -> String

  /// The nearest known name when nothing was found; nil for none.
  package let suggestion: String?

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - prices: The cached prices of the coins, at any age.
  ///   - suggestion: The nearest known name when nothing was found.
  ///   - name: Returns the name that stands for the coin of an id: `id:beam` where a ticker or an alias hides the id.
  package init(
    _ answer: Sourced<[CoinListItem]>, query: String, prices: CandidatePrices?, currency: String,
    suggestion: String? = nil, name: @escaping @Sendable (String) -> String = WellKnownCoins.name(ofID:)
  ) {
    coins = answer.value
    provenance = Provenance(answer)
    self.query = query
    self.prices = prices
    self.currency = currency
    self.suggestion = suggestion
    self.name = name
  }

  package let schema = OutputSchema.search

  package var columns: [String] { ["id", "symbol", "name", "price"] }

  package var rows: [JSONObject] {
    coins.map { coin in
      [
        "id": .string(name(coin.id)), "symbol": .string(coin.symbol), "name": .string(coin.name),
        "price": JSONValue(price(of: coin)),
      ]
    }
  }

  package var members: JSONObject {
    ["query": .string(query), "currency": .string(currency), "results": rowsValue] + provenance.json
  }

  /// The failure that nothing was found; nil when something was.
  package var failure: BitpalError? {
    coins.isEmpty ? .notFound(coin: query, provider: provenance.source, suggestion: suggestion) : nil
  }

  package var errors: [OutputError] {
    // Without a suggestion the hint would be to search again.
    failure.map { [OutputError($0, message: suggestion == nil ? $0.message : nil)] } ?? []
  }

  /// Returns the last cached price of a coin; nil when there is none.
  package func price(of coin: CoinListItem) -> Decimal? { prices?.prices[coin.id] }
}

extension OutputSchema {
  package static let search = OutputSchema(
    "bitpal.search/1", "The coins that a search found, the best known first.",
    [
      "query": .text("The text that was searched for."), "currency": .currency,
      "results": .list(
        .object([
          "id": .text(
            "The name to ask for: the source's id of the coin, after id: where a ticker or an alias means another coin."
          ), "symbol": .text("The ticker."), "name": .text("The name."),
          "price": .decimal("The last one that is cached, however old.").orNull,
        ]), "None where nothing was found, which errors then says."),
    ] + .provenance)
}
