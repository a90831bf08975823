package import Bitpal
import BitpalModel

/// The shape `bitpal.coverage/1`: the sources of a coin's price, as far as they are known without a request.
package struct CoverageOutput: FieldShape {
  package let rowSubjects: [CoinCoverage]
  private let coin: String
  private let currency: String?

  /// Creates the shape.
  package init(_ sources: [CoinCoverage], coin: String, currency: String?) {
    rowSubjects = sources
    self.coin = coin
    self.currency = currency
  }

  package static let shape = Shape<Self>(
    "bitpal.coverage/1", "The sources of a coin's price, as far as they are known without a request.",
    [
      Field("coin", .text("The coin, as it was named.")) { $0.coin },
      Field("currency", .text("The currency, in small letters; null for any.")) { $0.currency },
      .list("providers", "One for each source of latest prices, the most certain first.", rowFields) { $0.rowSubjects },
    ])

  package static let rowFields: Fields<CoinCoverage> = [
    Field("id", .text("The id by which it is chosen.")) { $0.source.id },
    Field(
      "coverage",
      .word(
        CoinCoverage.Verdict.allCases.map(\.rawValue),
        "priced: a price is cached; listed: its list or file has the coin; named: its file has a name for it; "
          + "absent: it has no such price; unknown: only a request would show it.")
    ) { $0.verdict.rawValue },
    Field("reason", .text("The ground, in a few words.")) { $0.reason },
  ]
}
