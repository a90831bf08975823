public import FoundationEssentials

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
