package import Bitpal
package import BitpalJSON
package import BitpalModel
package import BitpalPortfolio

/// The shape `bitpal.watchlist/1`: the coins that the user follows, with their prices; a coin may be without a price.
package struct WatchlistOutput: FieldShape {
  /// The coins, in the order of the output.
  package let items: [(item: WatchlistItem, quote: Sourced<Coin>?)]

  /// The currency, lower case.
  package let currency: String

  /// The market figures that came with the prices, by the ids of the coins.
  package let figures: [String: CoinDetail]
  private let failures: [CoinFailure]
  private let provider: String?
  private let isOverHTTP: Bool

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - figures: The market figures that came with the prices, by the ids of the coins.
  ///   - failures: The coins without a price.
  ///   - provider: The first of the configured providers.
  package init(
    _ items: [(item: WatchlistItem, quote: Sourced<Coin>?)], figures: [String: CoinDetail] = [:],
    failures: [CoinFailure], provider: String?, currency: String, isOverHTTP: Bool = false
  ) {
    self.items = items
    self.figures = figures
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
      ) { $0.objects }
    ])

  private static let pricedFields: Fields<(row: ListedPrice, item: WatchlistItem)> =
    ListedPrice.fields.of(\.row) + followed.of(\.item)

  private static let unpricedFields: Fields<WatchlistItem> =
    [.coin("id", "The id as it was added.") { $0.coinId }] + ListedPrice.fields.nulls(but: ["id"]) + followed

  private static let followed: Fields<WatchlistItem> = [
    Field("date_added", .instant("The time at which it was added.")) { $0.dateAdded },
    Field("sort_order", .count("The place to which it was moved, from 1; 0 while no coin was moved.", from: 0)) {
      $0.sortOrder
    },
    Field("group", .text("The group to which it was assigned.")) { $0.group },
    Field("note", .text("The user's note.")) { $0.note },
  ]

  package var columns: [String] { PriceRow.columns(Self.pricedFields.keys + (isOverHTTP ? ["error"] : [])) }

  package var rows: [JSONObject] {
    guard isOverHTTP, !failures.isEmpty else { return objects }
    let codes = Dictionary(failures.map { ($0.coin, $0.error.code.rawValue) }) { first, _ in first }
    return zip(items, objects).map { item, object in
      guard item.quote == nil, let code = codes[item.item.coinId] else { return object }
      return object + ["error": .string(code)]
    }
  }

  private var objects: [JSONObject] {
    items.map { item, quote in
      quote.map {
        let row = ListedPrice(PriceRow($0), currency: currency, figures: figures[$0.value.id])
        return Self.pricedFields.object((row, item))
      } ?? Self.unpricedFields.object(item)
    }
  }

  package var errors: [OutputError] { failures.map { OutputError($0, isOverHTTP: isOverHTTP) } }
}
