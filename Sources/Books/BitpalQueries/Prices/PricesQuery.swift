package import Bitpal
package import BitpalModel

/// The question for the latest prices of coins in one currency, for a command, a request, a page or a stream.
package struct PricesQuery: Hashable, Sendable {
  package static let currency = ParameterSpec(
    "currency", .text("CODE", example: "eur"), "a currency, that of the settings by default")

  /// Returns the parameter for the coins.
  ///
  /// - Parameter most: The largest number of coins, where the help names it.
  package static func coins(most: Int? = nil) -> ParameterSpec {
    let limit = most.map { ", at most \($0)" } ?? ""
    return ParameterSpec(
      "coins", .text("COINS", example: "btc,eth"), "coins as on the command line, with commas\(limit)")
  }

  /// The coins as they were named.
  package let coins: [String]

  /// The currency, in lower case.
  package let currency: String

  package init(_ coins: [String], currency: String) {
    self.coins = coins
    self.currency = currency
  }

  /// Reads `coins` and `currency`.
  ///
  /// - Parameters:
  ///   - most: The largest number of coins.
  ///   - example: The beginning of a question, for the hint of an error: `/v1/price?`.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for no coins, and for too many.
  package init(
    _ parameters: some Parameters, _ defaults: QueryDefaults, most: Int, example: String
  ) throws(BitpalError) {
    let notation = parameters.notation
    let coins = parameters.list("coins")
    guard !coins.isEmpty else {
      throw .usage("\(notation("coins")) is missing", hint: "as in \(example)\(notation(["coins": "bitcoin,eth"]))")
    }
    guard coins.count <= most else { throw .usage("no more than \(most) coins at once") }
    self.init(coins, currency: try parameters.currency() ?? defaults.currency)
  }

  /// Returns the prices.
  ///
  /// - Throws: `CancellationError`; a coin without a price is a failure in the answer.
  package func answer(by service: PriceService, policy: FetchPolicy = .normal) async throws -> QuotesAnswer {
    if coins.isEmpty { return QuotesAnswer(quotes: [], failures: []) }
    return try await service.quotes(coins, currency: currency, policy: policy)
  }
}

extension QuotesAnswer {
  /// The first failure of an answer without any price; nil for an answer with one.
  package var failure: BitpalError? { quotes.isEmpty ? failures.first?.error : nil }

  /// The coins with a price, in the order of the question; a coin that is named twice is there twice.
  package var priced: [(name: String, quote: Sourced<Coin>)] {
    coins.compactMap { name in quote(name).map { (name, $0) } }
  }

  /// The failures in the order of the question.
  package var errors: [BitpalError] { coins.compactMap(error) }

  /// Returns the price of a coin; nil for none.
  package func quote(_ name: String) -> Sourced<Coin>? { try? outcomes[name]?.get() }

  /// Returns the failure of a coin; nil for a coin with a price.
  package func error(_ name: String) -> BitpalError? {
    if case .failure(let error)? = outcomes[name] { error } else { nil }
  }

  /// Returns the price of a coin, or throws its failure.
  ///
  /// - Throws: The failure; ``BitpalError/notFound(coin:provider:suggestion:)`` for a coin without an answer.
  package func demand(_ name: String) throws(BitpalError) -> Sourced<Coin> {
    guard let outcome = outcomes[name] else { throw .notFound(coin: name, provider: "") }
    return try outcome.get()
  }
}

extension Parameters {
  package func list(_ name: String) -> [String] { self[name]?.commaSeparated ?? [] }

  /// Returns the currency of a question in lower case; nil when it names none.
  ///
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a text that is not one code, such as `usd,eur`, before a source is asked.
  package func currency() throws(BitpalError) -> String? {
    guard let text = self[PricesQuery.currency.name] else { return nil }
    guard let code = Currency.normalized(text) else {
      throw .usage("\(notation(PricesQuery.currency.name)): \(Currency.problem(of: text))")
    }
    return code
  }
}

extension String {
  /// The parts between commas, without the spaces around each; empty ones are left out.
  package var commaSeparated: [String] {
    // A list may come from a file, of any system.
    split { $0 == "," || $0.isNewline }.compactMap { part in
      let text = part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
      return text.isEmpty ? nil : String(text)
    }
  }
}
