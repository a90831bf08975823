public import BitpalModel

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
