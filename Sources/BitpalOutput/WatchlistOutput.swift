package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
package import BitpalService

/// The shape `bitpal.watchlist/1`: the coins that the user follows, with their prices; a coin may be without a price.
package struct WatchlistOutput: OutputShape {
  /// The coins, in the order of the output.
  package let items: [(item: WatchlistItem, quote: Sourced<Coin>?)]

  /// The currency, lower case.
  package let currency: String
  private let failures: [CoinFailure]
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - failures: The coins without a price.
  ///   - provider: The first of the configured providers.
  package init(
    _ items: [(item: WatchlistItem, quote: Sourced<Coin>?)], failures: [CoinFailure], provider: String?,
    currency: String
  ) {
    self.items = items
    self.failures = failures
    self.provider = provider
    self.currency = currency
  }

  package let schema = OutputSchema.watchlist

  package var columns: [String] { PricesOutput.priceColumns + ["date_added"] }

  package var rows: [JSONObject] {
    items.map { item, quote in
      let row =
        quote.map { PricesOutput.row($0.value, Provenance($0)) }
        ?? JSONObject(PricesOutput.priceColumns.map { ($0, $0 == "id" ? .coin(item.coinId) : .null) })
      return row + ["date_added": JSONValue(item.dateAdded)]
    }
  }

  package var members: JSONObject {
    [
      "provider": JSONValue(items.lazy.compactMap(\.quote).first?.source ?? provider), "currency": .string(currency),
      "items": rowsValue,
    ]
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }
}

extension FactsOutput {
  /// Returns the shape `bitpal.watchlist_add/1`: the coins that are followed from now on.
  ///
  /// - Parameter count: The number of followed coins, including these.
  package static func watchlistAdded(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(
      .watchlistAdd, ["added": .array(coins.map(JSONValue.string)), "count": .integer(count)])
  }

  /// Returns the shape `bitpal.watchlist_remove/1`: the coins that are no longer followed.
  ///
  /// - Parameter count: The number of remaining coins.
  package static func watchlistRemoved(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(
      .watchlistRemove, ["removed": .array(coins.map(JSONValue.string)), "count": .integer(count)])
  }

  /// Returns the shape `bitpal.watchlist_move/1`: the new place of a coin.
  ///
  /// - Parameter place: The place, counted from 1 at the top.
  package static func watchlistMoved(_ coin: String, to place: Int, count: Int) -> FactsOutput {
    FactsOutput(
      .watchlistMove, ["coin": .coin(coin), "place": .integer(place), "count": .integer(count)])
  }
}

extension OutputSchema {
  static let watchlist = OutputSchema(
    "bitpal.watchlist/1", "The coins that are followed, with their prices; those without one are in errors, too.",
    .frame + [
      "items": .list(
        .either(
          .object(.price + followed, "A coin with its price."),
          .object(.noPrice + followed, "A coin without one: all but its id is null."), about: "A coin."),
        "In the order of the list.")
    ])

  private static let followed: SchemaMembers = ["date_added": .instant("Since when it is followed.")]

  static let watchlistAdd = OutputSchema(
    "bitpal.watchlist_add/1", "That coins are followed from now on.",
    [
      "added": .list(.text("The id."), "The coins."),
      "count": .count("The number of coins on the watchlist with them."),
    ])

  static let watchlistRemove = OutputSchema(
    "bitpal.watchlist_remove/1", "That coins are followed no longer.",
    [
      "removed": .list(.text("The id."), "The coins."),
      "count": .count("The number of coins that are left on the watchlist."),
    ])

  static let watchlistMove = OutputSchema(
    "bitpal.watchlist_move/1", "The place of a coin in the watchlist.",
    [
      "coin": .text("The id."), "place": .count("Counted from 1, the top.", from: 1),
      "count": .count("The number of coins on the watchlist."),
    ])
}
