import BitpalJSON
package import BitpalModel
package import BitpalQueries
package import FoundationEssentials

/// The shape `bitpal.search/1`: the coins that a search found, or the failure that it found none.
package struct SearchOutput: FieldShape {
  private let answer: SearchAnswer
  package let provenance: Provenance

  /// The currency, lower case.
  package let currency: String

  package init(_ answer: SearchAnswer, currency: String) {
    self.answer = answer
    provenance = Provenance(answer.coins)
    self.currency = currency
  }

  package var coins: [CoinListItem] { answer.coins.value }

  /// The nearest known name when nothing was found; nil for none.
  package var suggestion: String? { answer.suggestion }

  /// Returns the name that stands for the coin of an id.
  package func name(_ id: String) -> String { answer.name(id) }

  package static let shape = Shape<Self>(
    "bitpal.search/1", "The coins that a search found, the best known first.",
    [
      Field("query", .text("The text that was searched for.")) { $0.answer.text },
      Field("currency", .currency) { $0.currency },
      .list("results", "None where nothing was found, which errors then says.", rowFields) { $0.rowSubjects },
    ] + Provenance.fields.of(\.provenance))

  package static let rowFields: Fields<(coin: CoinListItem, output: SearchOutput)> = [
    Field(
      "id",
      .text(
        "The name to ask for: the source's id of the coin, after id: where a ticker or an alias means another coin.")
    ) { $0.output.name($0.coin.id) },
    Field("symbol", .text("The ticker.")) { $0.coin.symbol },
    Field("name", .text("The name.")) { $0.coin.name },
    Field("price", .decimal("The last one that is cached, however old.")) { $0.output.price(of: $0.coin) },
  ]

  package var rowSubjects: [(coin: CoinListItem, output: SearchOutput)] { coins.map { ($0, self) } }

  /// The failure that nothing was found; nil when something was.
  package var failure: BitpalError? {
    coins.isEmpty ? .notFound(coin: answer.text, provider: provenance.source, suggestion: suggestion) : nil
  }

  package var errors: [OutputError] {
    // Without a suggestion the hint would be to search again.
    failure.map { [OutputError($0, message: suggestion == nil ? $0.message : nil)] } ?? []
  }

  /// Returns the last cached price of a coin; nil when there is none.
  package func price(of coin: CoinListItem) -> Decimal? { answer.prices?.prices[coin.id] }
}
