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
