/// The answer to a quotes query: what came, and for each coin that did not come, why.
public struct QuoteBatch: Equatable, Sendable {
  /// The quotes, by coin id.
  public let coins: [String: Coin]

  /// The coins asked for that have no quote, by id.
  ///
  /// A missing price is never zero.
  public let failures: [String: BitpalError]

  /// Creates a batch.
  public init(coins: [String: Coin], failures: [String: BitpalError]) {
    self.coins = coins
    self.failures = failures
  }
}
