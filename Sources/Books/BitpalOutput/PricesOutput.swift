package import Bitpal
package import BitpalJSON
package import BitpalModel
package import FoundationEssentials

/// The shape `bitpal.prices/1`: the latest prices of several coins, and the failures.
package struct PricesOutput: FieldShape {
  /// The prices, in the order of the output.
  package let quotes: [Sourced<Coin>]

  /// The currency, lower case.
  package let currency: String

  /// The market figures that came with the prices, by the ids of the coins.
  package let figures: [String: CoinDetail]

  /// The prices and figures in further currencies, in the order of the question.
  package let others: [Others]
  private let answer: QuotesAnswer
  private let isOverHTTP: Bool
  private let provider: String?

  /// The prices of the same coins in another currency.
  package struct Others: Sendable {
    package let currency: String
    package let quotes: [Sourced<Coin>]
    package let figures: [String: CoinDetail]

    package init(currency: String, quotes: [Sourced<Coin>], figures: [String: CoinDetail]) {
      (self.currency, self.quotes, self.figures) = (currency, quotes, figures)
    }
  }

  /// Creates the shape.
  ///
  /// - Parameters:
  ///   - provider: The first of the configured providers.
  ///   - figures: The market figures that came with the prices, by the ids of the coins.
  ///   - others: The prices and figures in further currencies.
  package init(
    _ answer: QuotesAnswer, provider: String?, currency: String, figures: [String: CoinDetail] = [:],
    others: [Others] = [], isOverHTTP: Bool = false
  ) {
    quotes = answer.quotes
    self.answer = answer
    self.figures = figures
    self.others = others
    self.provider = provider
    self.currency = currency
    self.isOverHTTP = isOverHTTP
  }

  package static let shape = Shape<Self>(
    "bitpal.prices/1", "The latest prices of several coins, and why some have none.",
    .frame({ $0.quotes.first?.source ?? $0.provider }, \.currency) + [
      Field("prices", .list(.listedPrice, "A row for each coin that has a price, and each currency.")) {
        rowFields.objects($0.rowSubjects)
      }
    ])

  package static var rowFields: Fields<ListedPrice> { ListedPrice.fields }
  package var columns: [String] { PriceRow.columns(Self.rowFields.keys + (isOverHTTP ? ["error"] : [])) }
  package var rowSubjects: [ListedPrice] { quotes.flatMap(listed) }

  /// Returns the rows of a coin: one, and one for each further currency.
  private func listed(_ quote: Sourced<Coin>) -> [ListedPrice] {
    let id = quote.value.id
    return [ListedPrice(PriceRow(quote), currency: currency, figures: figures[id])]
      + others.flatMap { other in
        other.quotes.filter { $0.value.id == id }.map {
          ListedPrice(PriceRow($0), currency: other.currency, figures: other.figures[id])
        }
      }
  }

  /// The rows; over HTTP one for each coin of the question, in its order, so that a cell never shows another coin.
  package var rows: [JSONObject] {
    guard isOverHTTP, !answer.failures.isEmpty else { return Self.rowFields.objects(rowSubjects) }
    return answer.coins.flatMap { name -> [JSONObject] in
      switch answer.outcomes[name] {
      case .success(let quote)?: Self.rowFields.objects(listed(quote))
      case .failure(let error)?: [["id": .string(name), "error": .string(error.code.rawValue)]]
      case nil: []
      }
    }
  }

  package var figure: Decimal? {
    quotes.count == 1 && answer.failures.isEmpty ? quotes[0].value.currentPrice : nil
  }

  package var errors: [OutputError] {
    answer.failures.map { OutputError($0.error, about: (.coin, $0.coin), isOverHTTP: isOverHTTP) }
  }
}

/// A row of a list of prices: a price, its currency, and the market figures that came with it.
package struct ListedPrice: Sendable {
  let price: PriceRow
  let currency: String
  let figures: CoinDetail?

  init(_ price: PriceRow, currency: String, figures: CoinDetail?) {
    self.price = price
    self.currency = currency
    self.figures = figures
  }

  static let fields: Fields<ListedPrice> =
    PriceRow.fields.of(\.price) + [
      Field("currency", .currency) { $0.currency },
      Field("market_cap", .decimal("The value of all coins in circulation, where it came with the price.")) {
        $0.figures?.marketCap
      },
      Field("total_volume", .decimal("The volume of 24 hours, where it came with the price.")) {
        $0.figures?.totalVolume
      },
      Field("rank", .count("The place by market value, where it came with the price.", from: 1)) { $0.figures?.rank },
      .volume { $0.price.coin },
    ]
}

/// A price with its provenance, as a row that several shapes contain.
package struct PriceRow: Sendable {
  let coin: Coin
  let provenance: Provenance

  init(_ quote: Sourced<Coin>) {
    self.init(coin: quote.value, provenance: Provenance(quote))
  }

  init(coin: Coin, provenance: Provenance) {
    self.coin = coin
    self.provenance = provenance
  }

  static let fields: Fields<PriceRow> =
    [
      .coin("id", "The source's id of the coin.") { $0.coin.id },
      Field("symbol", .text("The ticker, which several coins may share.")) { $0.coin.symbol },
      Field("name", .text("The name.")) { $0.coin.name },
      Field("price", .decimal("The price of one unit in the currency of the answer.")) { $0.coin.currentPrice },
      Field("change_24h", .decimal("The change over 24 hours in percent.")) { $0.coin.priceChangePercentage24h },
      Field("last_updated", .instant("The source's own time of the price.")) { $0.coin.lastUpdated },
    ] + Provenance.fields.of(\.provenance) + [
      Field("place", .text("The place of a price from a file of the user's.")) { $0.coin.place },
      Field("agreement", .agreement.orMissing) { $0.provenance.agreement.map(Agreement.fields.object) },
    ]

  /// Returns keys in the order of a table's columns: the source stands before the reason of a stale price, and what is newer
  /// than the others at the end.
  static func columns(_ keys: [String]) -> [String] {
    let newer = ["volume", "agreement"].filter(keys.contains)
    var keys = keys.filter { $0 != "stale_reason" && !newer.contains($0) } + newer
    keys.insert("stale_reason", at: keys.firstIndex(of: "source").map { $0 + 1 } ?? keys.endIndex)
    return keys
  }
}

extension Field {
  /// Creates the field of the coins that were traded in 24 hours.
  static func volume(_ coin: @escaping @Sendable (Subject) -> Coin?) -> Field {
    Field("volume", .decimal("The coins traded in 24 hours, where the source states them.")) { coin($0)?.volume }
  }
}

extension OutputError {
  /// Creates the error of a coin without an answer.
  init(_ failure: CoinFailure, isOverHTTP: Bool = false) {
    self.init(failure.error, about: (.coin, failure.coin), isOverHTTP: isOverHTTP)
  }
}

/// The shape `bitpal.coin/1`: the market details of a coin.
package struct CoinOutput: FieldShape {
  package let detail: CoinDetail
  package let provenance: Provenance
  package let currency: String
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(_ answer: Sourced<CoinDetail>, provider: String?, currency: String) {
    detail = answer.value
    provenance = Provenance(answer)
    self.provider = provider
    self.currency = currency
  }

  package static let shape = Shape<Self>(
    "bitpal.coin/1", "The market details of a coin.", .frame(\.provenance.source, \.currency) + rowFields)

  package static let rowFields: Fields<CoinOutput> =
    PriceRow.fields.of { PriceRow(coin: $0.detail.coin, provenance: $0.provenance) } + [
      Field("market_cap", .decimal("The value of all coins in circulation.")) { $0.detail.marketCap },
      Field("total_volume", .decimal("The volume of 24 hours.")) { $0.detail.totalVolume },
      Field("circulating_supply", .decimal("The circulating supply.")) { $0.detail.circulatingSupply },
      Field("image", .text("The URL of its logo.")) { $0.detail.image },
      Field("total_supply", .decimal("The total supply.")) { $0.detail.totalSupply },
      Field("max_supply", .decimal("The maximum supply.")) { $0.detail.maximumSupply },
      Field("rank", .count("The place by market value, 1 being the first.", from: 1)) { $0.detail.rank },
      Field("change_7d", .decimal("The change over 7 days in percent.")) { $0.detail.changes.week },
      Field("change_30d", .decimal("The change over 30 days in percent.")) { $0.detail.changes.month },
      Field("change_1y", .decimal("The change over a year in percent.")) { $0.detail.changes.year },
    ] + extreme("ath", "The highest price ever.") { $0.detail.allTimeHigh }
    + extreme("atl", "The lowest price ever.") { $0.detail.allTimeLow } + [.volume { $0.detail.coin }]

  private static func extreme(
    _ name: String, _ about: String, _ extreme: @escaping @Sendable (CoinOutput) -> PriceExtreme?
  ) -> Fields<CoinOutput> {
    [
      Field(name, .decimal(about)) { extreme($0)?.price },
      Field(name + "_date", .instant("The time of it.")) { extreme($0)?.date },
      Field(name + "_change", .decimal("The distance of the price from it, in percent.")) {
        $0.detail.distance(from: extreme($0))
      },
    ]
  }

  static var columns: [String] { PriceRow.columns(rowFields.keys) }
  package var columns: [String] { Self.columns }
  package var rowSubjects: [CoinOutput] { [self] }
  package var figure: Decimal? { detail.coin.currentPrice }
}

/// The shape `bitpal.coins/1`: the market details of several coins, and the failures.
package struct CoinsOutput: FieldShape {
  /// The details of each coin that has an answer, in the order of the request.
  package let coins: [CoinOutput]
  private let failures: [CoinFailure]
  private let currency: String
  private let provider: String?

  /// Creates the shape.
  ///
  /// - Parameter provider: The first of the configured providers.
  package init(
    _ answers: [Sourced<CoinDetail>], failures: [CoinFailure], provider: String?, currency: String
  ) {
    coins = answers.map { CoinOutput($0, provider: provider, currency: currency) }
    self.failures = failures
    self.provider = provider
    self.currency = currency
  }

  package static let shape = Shape<Self>(
    "bitpal.coins/1", "The market details of several coins, and why some have none.",
    .frame({ $0.coins.first?.provenance.source ?? $0.provider }, \.currency) + [
      Field(
        "coins",
        .list(
          .named("detail_row", .object(CoinOutput.rowFields.schema, "The market details of a coin.")), "The coins.")
      ) { $0.rows }
    ])

  package static var rowFields: Fields<CoinOutput> { CoinOutput.rowFields }
  package var columns: [String] { CoinOutput.columns }
  package var rowSubjects: [CoinOutput] { coins }

  package var errors: [OutputError] { failures.map { OutputError($0) } }
}
