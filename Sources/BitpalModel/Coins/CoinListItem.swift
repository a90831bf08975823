/// One row of a source's list of coins: enough to find a coin, without a price.
public struct CoinListItem: Identifiable, Hashable, Sendable {
  /// The id by which prices are asked for.
  public let id: String

  /// The ticker; lower case, not unique.
  public let symbol: String

  /// The name people use.
  public let name: String

  /// Creates a row, or says which part is empty.
  ///
  /// - Throws: ``ValidationError/emptyField(_:coin:)``.
  public init(validating id: String, symbol: String, name: String) throws(ValidationError) {
    try ValidationError.checkIdentity(id: id, symbol: symbol, name: name)
    self.id = id
    self.symbol = symbol
    self.name = name
  }
}
