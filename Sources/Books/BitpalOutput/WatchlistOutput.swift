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
  private let isOverHTTP: Bool

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - failures: The coins without a price.
  ///   - provider: The first of the configured providers.
  package init(
    _ items: [(item: WatchlistItem, quote: Sourced<Coin>?)], failures: [CoinFailure], provider: String?,
    currency: String, isOverHTTP: Bool = false
  ) {
    self.items = items
    self.failures = failures
    self.provider = provider
    self.currency = currency
    self.isOverHTTP = isOverHTTP
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

  package var errors: [OutputError] { failures.map { OutputError($0, isOverHTTP: isOverHTTP) } }
}
