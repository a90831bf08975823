package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio
package import BitpalService

/// The shape `bitpal.watchlist/1`: the coins that the user follows, with their prices; a coin may be without a price.
package struct WatchlistOutput: FieldShape {
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

  package static let shape = Shape<Self>(
    "bitpal.watchlist/1", "The coins that are followed, with their prices; those without one are in errors, too.",
    .frame({ $0.items.lazy.compactMap(\.quote).first?.source ?? $0.provider }, \.currency) + [
      Field(
        "items",
        .list(
          .either(
            .object(pricedFields.schema, "A coin with its price."),
            .object(unpricedFields.schema, "A coin without one: all but its id is null."), about: "A coin."),
          "In the order of the list.")
      ) { $0.rows }
    ])

  private static let pricedFields: Fields<(row: PriceRow, item: WatchlistItem)> =
    PriceRow.fields.of(\.row) + followed.of(\.item)

  private static let unpricedFields: Fields<WatchlistItem> =
    [.coin("id", "The id as it was added.") { $0.coinId }] + PriceRow.fields.nulls(but: ["id"]) + followed

  private static let followed: Fields<WatchlistItem> = [
    Field("date_added", .instant("Since when it is followed.")) { $0.dateAdded }
  ]

  package var columns: [String] { PriceRow.columns(Self.pricedFields.keys) }

  package var rows: [JSONObject] {
    items.map { item, quote in
      quote.map { Self.pricedFields.object((PriceRow($0), item)) } ?? Self.unpricedFields.object(item)
    }
  }

  package var errors: [OutputError] { failures.map(OutputError.init) }
}

extension FactsOutput {
  static let watchlistAdd = Shape<(coins: [String], count: Int)>(
    "bitpal.watchlist_add/1", "That coins are followed from now on.",
    [
      Field("added", .list(.text("The id."), "The coins.")) { $0.coins },
      Field("count", .count("The number of coins on the watchlist with them.")) { $0.count },
    ])

  /// Returns the shape `bitpal.watchlist_add/1`: the coins that are followed from now on.
  ///
  /// - Parameter count: The number of followed coins, including these.
  package static func watchlistAdded(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(watchlistAdd, (coins, count))
  }

  static let watchlistRemove = Shape<(coins: [String], count: Int)>(
    "bitpal.watchlist_remove/1", "That coins are followed no longer.",
    [
      Field("removed", .list(.text("The id."), "The coins.")) { $0.coins },
      Field("count", .count("The number of coins that are left on the watchlist.")) { $0.count },
    ])

  /// Returns the shape `bitpal.watchlist_remove/1`: the coins that are not followed any more.
  ///
  /// - Parameter count: The number of remaining coins.
  package static func watchlistRemoved(_ coins: [String], count: Int) -> FactsOutput {
    FactsOutput(watchlistRemove, (coins, count))
  }

  static let watchlistMove = Shape<(coin: String, place: Int, count: Int)>(
    "bitpal.watchlist_move/1", "The place of a coin in the watchlist.",
    [
      .coin("coin", "The id.") { $0.coin },
      Field("place", .count("Counted from 1, the top.", from: 1)) { $0.place },
      Field("count", .count("The number of coins on the watchlist.")) { $0.count },
    ])

  /// Returns the shape `bitpal.watchlist_move/1`: the new place of a coin.
  ///
  /// - Parameter place: The place, counted from 1 at the top.
  package static func watchlistMoved(_ coin: String, to place: Int, count: Int) -> FactsOutput {
    FactsOutput(watchlistMove, (coin, place, count))
  }
}
