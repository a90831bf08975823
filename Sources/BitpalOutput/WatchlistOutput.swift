package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
package import BitpalService

/// `bitpal.watchlist/1`: the coins the user follows, with their prices; a coin without a price stands there without one.
package struct WatchlistOutput: OutputShape {
  /// The coins in the order in which they are shown.
  package let items: [(item: WatchlistItem, quote: Sourced<Coin>?)]

  /// Lower case.
  package let currency: String
  private let failures: [CoinFailure]
  private let provider: String?

  /// - Parameters:
  ///   - failures: The coins without a price.
  ///   - provider: The first of the configured ones.
  package init(
    _ items: [(item: WatchlistItem, quote: Sourced<Coin>?)], failures: [CoinFailure], provider: String?,
    currency: String
  ) {
    self.items = items
    self.failures = failures
    self.provider = provider
    self.currency = currency
  }

  package let schema = "bitpal.watchlist/1"

  package var columns: [String] { PricesOutput.priceColumns + ["date_added"] }

  package var rows: [JSONObject] {
    items.map { item, quote in
      let row =
        quote.map { PricesOutput.row($0.value, Provenance($0)) }
        ?? JSONObject(PricesOutput.priceColumns.map { ($0, $0 == "id" ? .string(item.coinId) : .null) })
      return row + ["date_added": JSONValue(item.dateAdded)]
    }
  }

  package var members: JSONObject {
    ["provider": JSONValue(provider), "currency": .string(currency), "items": rowsValue]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }
}

extension FactsOutput {
  /// `bitpal.watchlist_add/1`: the coins that are followed from now on.
  ///
  /// - Parameter count: How many there are with them.
  package static func watchlistAdded(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(
      "bitpal.watchlist_add/1", ["added": .array(coins.map(JSONValue.string)), "count": .integer(count)])
  }

  /// `bitpal.watchlist_remove/1`: the coins that are followed no longer.
  ///
  /// - Parameter count: How many are left.
  package static func watchlistRemoved(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(
      "bitpal.watchlist_remove/1", ["removed": .array(coins.map(JSONValue.string)), "count": .integer(count)])
  }

  /// `bitpal.watchlist_move/1`: where a coin is now.
  ///
  /// - Parameter place: Counted from 1, the top.
  package static func watchlistMoved(_ coin: String, to place: Int, count: Int) -> FactsOutput {
    FactsOutput(
      "bitpal.watchlist_move/1", ["coin": .string(coin), "place": .integer(place), "count": .integer(count)])
  }
}
