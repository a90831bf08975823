import BitpalJSON
import BitpalModel
import FoundationEssentials

/// How the source writes its numbers: JSON from Ruby's floats, `%.15g` with `.0` for whole ones, else up to 17 digits.
enum WireNumber {
  /// A float: `19599200.0`, `0.0`, `9.68e-06`, `4.2e+17`.
  static func float(_ value: Decimal) -> JSONValue {
    .number(text(value, isFloat: true))
  }

  /// A float with all the digits a calculation leaves: 16 or 17.
  static func full(_ value: Decimal) -> JSONValue {
    let longest = rounded(value, significant: 17)
    // A double needs 17 digits about every other time; the rest print with 16.
    let isOdd = DecimalParts(longest).map { $0.coefficient % 2 == 1 } ?? false
    return float(isOdd ? rounded(value, significant: 16) : longest)
  }

  /// A whole number, rounded: market caps and volumes.
  static func integer(_ value: Decimal) -> JSONValue {
    .number(text(value.rounded(scale: 0), isFloat: false))
  }

  /// A price at the default precision: whole from 10,000 up, otherwise a float.
  static func price(_ value: Decimal) -> JSONValue {
    magnitude(value) >= 10_000 ? integer(value) : float(roundedPrice(value))
  }

  /// A difference of prices.
  ///
  /// The source rounds gains like prices and leaves losses as they are.
  static func priceChange(_ value: Decimal) -> JSONValue {
    value > 0 ? price(value) : full(value)
  }

  /// A difference of market caps, whole when it is a gain.
  static func capChange(_ value: Decimal) -> JSONValue {
    value > 0 ? integer(value) : full(value)
  }

  /// The change from `start` to `end` in percent, at 5 decimals.
  static func percent(from start: Decimal, to end: Decimal) throws -> JSONValue {
    float(try ((end - start) * 100).divided(by: start).rounded(scale: 5))
  }

  /// Decimals by magnitude, counted off recorded quotes: 2 from 1.1, 3 from 1, 6 from 0.05, 8 below, 6 digits under 10⁻⁶.
  private static func roundedPrice(_ value: Decimal) -> Decimal {
    let hundredMillionths = magnitude(value) * 100_000_000
    if hundredMillionths >= 110_000_000 { return value.rounded(scale: 2) }
    if hundredMillionths >= 100_000_000 { return value.rounded(scale: 3) }
    if hundredMillionths >= 5_000_000 { return value.rounded(scale: 6) }
    return hundredMillionths >= 100 ? value.rounded(scale: 8) : rounded(value, significant: 6)
  }

  private static func magnitude(_ value: Decimal) -> Decimal { value < 0 ? -value : value }

  private static func rounded(_ value: Decimal, significant digits: Int) -> Decimal {
    guard let parts = DecimalParts(value), parts.coefficient != 0 else { return value }
    let leading = String(parts.coefficient).utf8.count + parts.exponent - 1
    return value.rounded(scale: digits - 1 - leading)
  }

  private static func text(_ value: Decimal, isFloat: Bool) -> String {
    guard var parts = DecimalParts(value), parts.coefficient != 0 else { return isFloat ? "0.0" : "0" }
    parts.foldTrailingZeros()
    let digits = String(parts.coefficient)
    let exponent = digits.utf8.count + parts.exponent - 1
    if exponent < -4 || isFloat && exponent >= max(15, digits.utf8.count) {
      let size = String(abs(exponent))
      return (parts.isNegative ? "-" : "") + digits.prefix(1) + (digits.utf8.count > 1 ? "." : "") + digits.dropFirst()
        + (exponent < 0 ? "e-" : "e+") + (size.utf8.count < 2 ? "0" : "") + size
    }
    return value.plainText + (isFloat && parts.exponent >= 0 ? ".0" : "")
  }
}
