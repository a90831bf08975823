import BitpalJSON
package import BitpalModel
import FoundationEssentials

/// How numbers are written in CoinGecko's shapes: as JSON numbers, with the source's own digits unless fewer are wanted.
package struct CoinGeckoNumber: Sendable {
  /// The most decimals of a price; nil for all there are.
  private let decimals: Int?

  /// - Parameter precision: What was asked for: `full`, or 0 to 18; nil for nothing.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for anything else.
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

  /// A price, rounded where that was asked for; null for none.
  func price(_ price: Decimal?) -> JSONValue {
    JSONValue(number: price.map { price in decimals.map { price.rounded(scale: $0) } ?? price })
  }

  /// Two numbers, the first an instant in milliseconds.
  func sample(_ instant: Date, _ prices: Decimal?...) -> JSONValue {
    .array([.number(String(instant.milliseconds))] + prices.map(price))
  }
}

extension JSONValue {
  /// A number with all its digits; null for none.
  init(number: Decimal?) {
    self = number.map { .number($0.plainText) } ?? .null
  }
}
