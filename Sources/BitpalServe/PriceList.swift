import BitpalModel
import BitpalOutput
import BitpalProviders
import BitpalService

/// The prices of coins in the order of the request, and the failures.
struct PriceList: Sendable {
  let quotes: [Sourced<Coin>]
  let failures: [CoinFailure]

  /// Creates a list.
  ///
  /// - Parameters:
  ///   - names: The names in the request; several names of one coin give one price.
  ///   - answers: The answers by name.
  init(_ names: [String], _ answers: SharedQuotes.Answers) {
    var quotes: [Sourced<Coin>] = []
    var failures: [CoinFailure] = []
    var ids: Set<String> = []
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      switch answers[name] {
      case .success(let quote)?: if ids.insert(quote.value.id).inserted { quotes.append(quote) }
      case .failure(let error)?: failures.append(CoinFailure(coin: name, error: error))
      case nil: break
      }
    }
    self.quotes = quotes
    self.failures = failures
  }

  /// The first failure of a list without any price; nil for a list with one.
  var failure: BitpalError? { quotes.isEmpty ? failures.first?.error : nil }

  /// Returns the list as `bitpal.prices/1`.
  func output(_ market: Market, currency: String) -> PricesOutput {
    PricesOutput(
      QuotesAnswer(quotes: quotes, failures: failures), provider: market.service.descriptors.first?.id,
      currency: currency, isOverHTTP: true)
  }
}

extension WebRequest {
  /// Returns the names in the parameter `coins`.
  ///
  /// - Parameter most: The largest number of names.
  /// - Throws: ``BitpalError/usage(_:hint:)`` when there are none or too many.
  func coinNames(_ path: String, most: Int) throws(BitpalError) -> [String] {
    let names = list("coins")
    guard !names.isEmpty else { throw .usage("coins is missing", hint: "as in \(path)?coins=bitcoin,eth") }
    guard names.count <= most else { throw .usage("no more than \(most) coins at once") }
    return names
  }
}
