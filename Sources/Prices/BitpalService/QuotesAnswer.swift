public import BitpalModel

/// The answer to a question for several prices: the quotes in the order of the question, and the failures.
public struct QuotesAnswer: Sendable {
  /// The quotes, in the order in which the coins were named; a coin named twice appears once.
  public let quotes: [Sourced<Coin>]

  /// The coins without an answer, in the order in which they were named.
  public let failures: [CoinFailure]

  /// Creates an answer.
  public init(quotes: [Sourced<Coin>], failures: [CoinFailure]) {
    self.quotes = quotes
    self.failures = failures
  }
}

/// The price of a coin by the name as it was given, or the failure.
struct NamedOutcome {
  let name: String

  /// The id that the name means; nil for a name without one.
  let id: String?
  let outcome: Result<Sourced<Coin>, BitpalError>

  /// Creates the outcome of a name from its meaning and the prices by id; nil for an id without any.
  init?(_ name: String, _ meaning: NameMeaning, _ prices: [String: Result<Sourced<Coin>, BitpalError>]) {
    self.name = name
    id = meaning.id
    if case .failure(let error) = meaning {
      outcome = .failure(error)
    } else if let price = meaning.id.flatMap({ prices[$0] }) {
      outcome = price
    } else {
      return nil
    }
  }
}

extension QuotesAnswer {
  /// Creates the answer of outcomes; a coin that is named twice counts once.
  init(_ outcomes: [NamedOutcome]) {
    var quotes: [Sourced<Coin>] = []
    var failures: [CoinFailure] = []
    var seen: Set<String> = []
    for named in outcomes where seen.insert(named.id ?? named.name).inserted {
      switch named.outcome {
      case .success(let quote): quotes.append(quote)
      case .failure(let error): failures.append(CoinFailure(coin: named.name, error: error))
      }
    }
    self.init(quotes: quotes, failures: failures)
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
