import BitpalModel
import FoundationEssentials

/// Arithmetic that says nothing rather than something rounded.
extension Decimal {
  /// The product; nil when it has more digits than fit.
  func exactProduct(_ other: Decimal) -> Decimal? {
    guard let left = DecimalParts(self), let right = DecimalParts(other) else { return nil }
    return left.multiplied(by: right)?.decimal
  }

  /// The sum; nil when it has more digits than fit.
  func exactSum(_ other: Decimal) -> Decimal? {
    guard var left = DecimalParts(self), var right = DecimalParts(other) else { return nil }
    left.foldTrailingZeros()
    right.foldTrailingZeros()
    if left.coefficient == 0 { return other }
    if right.coefficient == 0 { return self }
    let exponent = min(left.exponent, right.exponent)
    guard left.scale(to: exponent), right.scale(to: exponent) else { return nil }
    if left.isNegative == right.isNegative {
      let (sum, overflow) = left.coefficient.addingReportingOverflow(right.coefficient)
      return overflow
        ? nil : DecimalParts(isNegative: left.isNegative, coefficient: sum, exponent: exponent).decimal
    }
    let isLeftLarger = left.coefficient >= right.coefficient
    let difference =
      isLeftLarger ? left.coefficient - right.coefficient : right.coefficient - left.coefficient
    let isNegative = isLeftLarger ? left.isNegative : right.isNegative
    return DecimalParts(isNegative: isNegative, coefficient: difference, exponent: exponent).decimal
  }
}

extension DecimalParts {
  /// Lowers the exponent to `target`; false when the coefficient would not fit.
  fileprivate mutating func scale(to target: Int) -> Bool {
    while exponent > target {
      let (product, overflow) = coefficient.multipliedReportingOverflow(by: 10)
      if overflow { return false }
      coefficient = product
      exponent -= 1
    }
    return true
  }
}
