public import FoundationEssentials

/// How numbers are written for people: thousands separated by commas, never an exponent, in no language's manner.
///
/// Rounding is half-even and happens only here; machine formats carry ``FoundationEssentials/Decimal/plainText``.
public enum NumberFormat {
  /// A price: 2 decimals from 1 up, 5 significant digits below 1 (at least 2 decimals).
  ///
  /// `67187.335` → `67,187.34` (half-even: `67,187.34`), `0.45` → `0.45`, `0.0000123451` → `0.000012345`.
  public static func price(_ value: Decimal) -> String {
    guard let parts = DecimalParts(value), parts.coefficient != 0 else { return fixed(value, scale: 2) }
    // The position of the first significant digit: 0 for 1…9, -1 for 0.1…0.9.
    let leading = parts.digitCount + parts.exponent - 1
    guard leading < 0 else { return fixed(value, scale: 2) }
    return trimmed(value.rounded(scale: 4 - leading), minimumFraction: 2)
  }

  /// A quantity of coins: up to 8 decimals, trailing zeros dropped; `<0.00000001` for what would otherwise read 0.
  public static func quantity(_ value: Decimal) -> String {
    let rounded = value.rounded(scale: 8)
    if rounded == 0, value != 0 { return value < 0 ? ">-0.00000001" : "<0.00000001" }
    return trimmed(rounded, minimumFraction: 0)
  }

  /// A total, value or cost: 2 decimals.
  public static func amount(_ value: Decimal) -> String {
    fixed(value, scale: 2)
  }

  /// A profit or loss: 2 decimals and a sign, none for zero.
  public static func signedAmount(_ value: Decimal) -> String {
    let rounded = value.rounded(scale: 2)
    return (rounded > 0 ? "+" : "") + fixed(rounded, scale: 2)
  }

  /// A percentage: 2 decimals, a sign (none for zero) and `%`.
  public static func percent(_ value: Decimal) -> String {
    signedAmount(value) + "%"
  }

  private static func fixed(_ value: Decimal, scale: Int) -> String {
    trimmed(value.rounded(scale: scale), minimumFraction: scale)
  }

  private static func trimmed(_ value: Decimal, minimumFraction: Int) -> String {
    guard var parts = DecimalParts(value) else { return "NaN" }
    parts.foldTrailingZeros()
    return parts.text(minimumFraction: minimumFraction, grouping: true)
  }
}

extension Decimal {
  /// All digits of the value, without exponent, separators or trailing zeros after the point: `0.000012345`, `-3.5`.
  ///
  /// This is the text in JSON, CSV and every file; for people, see ``NumberFormat``.
  public var plainText: String {
    DecimalParts(self)?.folded.text(minimumFraction: 0, grouping: false) ?? "NaN"
  }
}

extension DecimalParts {
  /// The digits in full, with at least `minimumFraction` digits after the point.
  package func text(minimumFraction: Int, grouping: Bool) -> String {
    let digits = Array(String(coefficient).utf8)
    let zero = UInt8(ascii: "0")
    var integer: [UInt8]
    var fraction: [UInt8]
    if exponent >= 0 {
      integer = digits + [UInt8](repeating: zero, count: coefficient == 0 ? 0 : exponent)
      fraction = []
    } else if digits.count > -exponent {
      integer = Array(digits[..<(digits.count + exponent)])
      fraction = Array(digits[(digits.count + exponent)...])
    } else {
      integer = [zero]
      fraction = [UInt8](repeating: zero, count: -exponent - digits.count) + digits
    }
    if fraction.count < minimumFraction {
      fraction += [UInt8](repeating: zero, count: minimumFraction - fraction.count)
    }
    var text: [UInt8] = isNegative && coefficient != 0 ? [UInt8(ascii: "-")] : []
    for (index, digit) in integer.enumerated() {
      if grouping, index > 0, (integer.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
      text.append(digit)
    }
    if !fraction.isEmpty {
      text.append(UInt8(ascii: "."))
      text += fraction
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The number of digits of the coefficient: 1 for zero.
  package var digitCount: Int { max(1, coefficient.decimalDigits) }
}
