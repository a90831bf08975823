package import BitpalJSON
package import BitpalModel

/// `bitpal.search/1`: the coins that a search found.
package struct SearchOutput: OutputShape {
  package let coins: [CoinListItem]
  package let provenance: Provenance
  private let query: String

  package init(_ answer: Sourced<[CoinListItem]>, query: String) {
    coins = answer.value
    provenance = Provenance(answer)
    self.query = query
  }

  package let schema = "bitpal.search/1"

  package var columns: [String] { ["id", "symbol", "name"] }

  package var rows: [JSONObject] {
    coins.map { ["id": .string($0.id), "symbol": .string($0.symbol), "name": .string($0.name)] }
  }

  package var members: JSONObject {
    ["query": .string(query), "results": rowsValue] + provenance.json
  }
}
