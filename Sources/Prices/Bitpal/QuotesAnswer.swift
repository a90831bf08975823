public import BitpalModel

/// The answer to a question for several prices: one outcome for each name that was asked for.
///
/// Several names of one coin give one price, and a failure each, because each name is a question of its own.
public struct QuotesAnswer: Sendable {
  package typealias Outcomes = [String: Result<Sourced<Coin>, BitpalError>]

  /// The names of the coins, in the order of the question.
  package let coins: [String]

  /// The prices and failures by name; a name is missing while no answer to it has come.
  package let outcomes: Outcomes

  /// The quotes, in the order in which the coins were named; a coin named twice appears once.
  public let quotes: [Sourced<Coin>]

  /// The names without an answer, in their order; a name that was given twice appears once.
  public let failures: [CoinFailure]

  /// Creates the answer to a question from the outcomes of its names, and maybe of others.
  package init(_ coins: [String], _ outcomes: Outcomes) {
    var quotes: [Sourced<Coin>] = []
    var failures: [CoinFailure] = []
    var ids: Set<String> = []
    var seen: Set<String> = []
    for name in coins where seen.insert(name).inserted {
      switch outcomes[name] {
      case .success(let quote)?: if ids.insert(quote.value.id).inserted { quotes.append(quote) }
      case .failure(let error)?: failures.append(CoinFailure(coin: name, error: error))
      case nil: break
      }
    }
    self.coins = coins
    self.outcomes = outcomes
    self.quotes = quotes
    self.failures = failures
  }

  /// Creates an answer of quotes, named by their ids, and failures.
  package init(quotes: [Sourced<Coin>], failures: [CoinFailure]) {
    coins = quotes.map(\.value.id) + failures.map(\.coin)
    outcomes = Dictionary(
      quotes.map { ($0.value.id, .success($0)) } + failures.map { ($0.coin, .failure($0.error)) }
    ) { first, _ in first }
    self.quotes = quotes
    self.failures = failures
  }
}

/// The failure of one of several coins.
public struct CoinFailure: Hashable, Sendable {
  /// The coin as it was named.
  public let coin: String

  /// The reason.
  public let error: BitpalError

  /// Creates a failure.
  public init(coin: String, error: BitpalError) {
    self.coin = coin
    self.error = error
  }
}
