import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// The number format of CoinGecko's shapes: JSON numbers with the source's own digits, unless fewer are requested.
package struct CoinGeckoNumber: Sendable {
  /// The most decimals of a price; nil for all.
  private let decimals: Int?

  /// Creates a format.
  ///
  /// - Parameter precision: The requested precision: `full`, or 0 to 18; nil for none.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for any other text.
  package init(precision: String? = nil) throws(BitpalError) {
    guard let precision, precision != "full" else {
      decimals = nil
      return
    }
    guard let decimals = Int(precision), (0...18).contains(decimals) else {
      throw .usage("precision: \"\(precision)\" is neither full nor a number from 0 to 18")
    }
    self.decimals = decimals
  }

  /// Returns a price, rounded if requested; null for nil.
  func price(_ price: Decimal?) -> JSONValue {
    JSONValue(number: price.map { price in decimals.map { price.rounded(scale: $0) } ?? price })
  }

  /// Returns an array of an instant in milliseconds and prices.
  func sample(_ instant: Date, _ prices: Decimal?...) -> JSONValue {
    .array([.number(String(instant.milliseconds))] + prices.map(price))
  }
}

extension JSONValue {
  /// Creates a number with all its digits; null for nil.
  init(number: Decimal?) {
    self = number.map { .number($0.plainText) } ?? .null
  }
}
