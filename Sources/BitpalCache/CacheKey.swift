/// Names one cached answer.
public struct CacheKey: Hashable, Sendable {
  /// What kind of answer.
  public enum Operation: String, CaseIterable, Sendable {
    /// A coin's quote.
    case quote

    /// A coin's detail.
    case detail

    /// A line.
    case line

    /// Candles.
    case candles

    /// The knowledge that the source does not have the coin.
    case missing
  }

  /// The provider's cache identity.
  public let provider: String

  /// The kind of answer.
  public let operation: Operation

  /// The coin's id.
  public let coin: String

  /// The currency, lower case.
  public let currency: String

  /// The window and width of a series (`7d`, `7d/4h`); empty for the others.
  public let range: String

  /// Creates a key.
  public init(provider: String, operation: Operation, coin: String, currency: String, range: String = "") {
    self.provider = provider
    self.operation = operation
    self.coin = coin
    self.currency = currency
    self.range = range
  }
}

extension CacheKey: CustomStringConvertible {
  /// The key for people: `quote bitcoin usd`.
  public var description: String {
    "\(operation.rawValue) \(coin) \(currency)" + (range.isEmpty ? "" : " \(range)")
  }
}
