/// A rule that a value from a source breaks.
public enum ValidationError: Error, Hashable, Sendable {
  /// The id, symbol or name is empty.
  case emptyField(String, coin: String)

  /// A quote's price is zero or below.
  case priceNotPositive(coin: String, price: String)

  /// A figure that cannot be below zero is.
  case negative(String, coin: String, value: String)

  static func checkIdentity(id: String, symbol: String, name: String) throws(ValidationError) {
    if id.isEmpty { throw .emptyField("id", coin: name) }
    if symbol.isEmpty { throw .emptyField("symbol", coin: id) }
    if name.isEmpty { throw .emptyField("name", coin: id) }
  }
}

extension ValidationError: CustomStringConvertible {
  /// What is wrong, in one clause.
  public var description: String {
    switch self {
    case .emptyField(let field, let coin): "the \(field) of \"\(coin.printable(limit: 80))\" is empty"
    case .priceNotPositive(let coin, let price): "the price of \(coin.printable(limit: 80)) is \(price), not above zero"
    case .negative(let figure, let coin, let value):
      "the \(figure) of \(coin.printable(limit: 80)) is negative (\(value))"
    }
  }
}
