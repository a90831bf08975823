public import BitpalModel

/// The answer to "what do these cost": what came, in the order asked, and why the rest did not.
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

/// Why one of several coins has no answer.
public struct CoinFailure: Hashable, Sendable {
  /// The coin as it was named.
  public let coin: String

  /// Why.
  public let error: BitpalError

  /// Creates a failure.
  public init(coin: String, error: BitpalError) {
    self.coin = coin
    self.error = error
  }
}
