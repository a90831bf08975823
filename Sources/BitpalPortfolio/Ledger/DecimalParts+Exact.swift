import BitpalModel
import FoundationEssentials

/// Sums and proportions that are exact or nil, never rounded to make them fit.
extension DecimalParts {
  private static let powersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<38 { powers.append((powers.last ?? 1) * 10) }
    return powers
  }()

  var isZero: Bool { coefficient == 0 }

  /// Below zero; zero is not.
  var isBelowZero: Bool { isNegative && coefficient != 0 }

  var negated: DecimalParts {
    DecimalParts(isNegative: !isNegative, coefficient: coefficient, exponent: exponent)
  }

  /// The exact sum; nil when it needs more than 38 digits.
  func adding(_ other: DecimalParts) -> DecimalParts? {
    if isZero { return other }
    if other.isZero { return self }
    guard let (left, right, exponent) = Self.aligned(self, other) else { return nil }
    if isNegative == other.isNegative {
      // Both are below 10^38, so the sum fits 128 bits.
      let sum = DecimalParts(isNegative: isNegative, coefficient: left + right, exponent: exponent)
      return sum.fitting
    }
    return left >= right
      ? DecimalParts(isNegative: isNegative, coefficient: left - right, exponent: exponent)
      : DecimalParts(isNegative: other.isNegative, coefficient: right - left, exponent: exponent)
  }

  /// The exact difference; nil when it needs more than 38 digits.
  func subtracting(_ other: DecimalParts) -> DecimalParts? { adding(other.negated) }

  /// `self × part ÷ whole`, rounded half-even at 18 digits after the point; nil when that needs more than 38 digits.
  ///
  /// The product is never rounded before it is divided. `part` must be above zero and below `whole`.
  func portion(_ part: DecimalParts, of whole: DecimalParts) -> DecimalParts? {
    guard let (part, whole, _) = Self.aligned(part, whole), part < whole else { return nil }
    // Part is less than whole, so the quotient is less than the coefficient and fits.
    let (quotient, remainder) = Self.divide(coefficient, times: part, by: whole)
    let excess = -18 - exponent
    if excess > 0 {
      return DecimalParts(
        isNegative: isNegative, coefficient: Self.dropping(excess, from: quotient, isExact: remainder == 0),
        exponent: -18)
    }
    // The coefficient has fewer than 18 digits after the point: the missing ones come from the remainder.
    guard -excess <= 38 else { return nil }
    let power = Self.powersOfTen[-excess]
    let (high, overflow) = quotient.multipliedReportingOverflow(by: power)
    let (low, rest) = Self.divide(remainder, times: power, by: whole)
    if overflow { return nil }
    let (sum, isTooLarge) = high.addingReportingOverflow(low)
    if isTooLarge { return nil }
    let twice = rest.multipliedReportingOverflow(by: 2)
    let isUp = twice.overflow || twice.partialValue > whole || twice.partialValue == whole && sum % 2 == 1
    return DecimalParts(isNegative: isNegative, coefficient: sum + (isUp ? 1 : 0), exponent: -18).fitting
  }

  /// The value rounded half-even at 18 digits after the point.
  var roundedTo18: DecimalParts {
    guard exponent < -18 else { return self }
    return DecimalParts(
      isNegative: isNegative, coefficient: Self.dropping(-18 - exponent, from: coefficient, isExact: true),
      exponent: -18)
  }

  /// The product, exact where 38 digits hold it, else rounded half-even at 18 digits after the point; nil beyond that.
  func valued(at price: DecimalParts) -> DecimalParts? {
    if let exact = multiplied(by: price) { return exact }
    let excess = -18 - (exponent + price.exponent)
    guard (1...38).contains(excess) else { return nil }
    let power = Self.powersOfTen[excess]
    let product = coefficient.multipliedFullWidth(by: price.coefficient)
    guard product.high < power else { return nil }
    let (quotient, remainder) = power.dividingFullWidth(product)
    let half = power / 2
    let isUp = remainder > half || remainder == half && quotient % 2 == 1
    guard quotient < Self.limit else { return nil }
    return DecimalParts(
      isNegative: isNegative != price.isNegative, coefficient: quotient + (isUp ? 1 : 0), exponent: -18
    ).fitting
  }

  /// The sum, exact where 38 digits hold it, else of both rounded half-even at 18 digits after the point; nil beyond.
  func totalling(_ other: DecimalParts) -> DecimalParts? {
    adding(other) ?? roundedTo18.adding(other.roundedTo18)
  }

  private var fitting: DecimalParts? {
    if coefficient < Self.limit { return self }
    var folded = self
    folded.foldTrailingZeros()
    return folded.coefficient < Self.limit ? folded : nil
  }

  /// The coefficients of both at the smaller of the exponents.
  private static func aligned(
    _ left: DecimalParts, _ right: DecimalParts
  ) -> (left: UInt128, right: UInt128, exponent: Int)? {
    if left.exponent == right.exponent { return (left.coefficient, right.coefficient, left.exponent) }
    if left.exponent < right.exponent {
      return aligned(right, left).map { ($0.right, $0.left, $0.exponent) }
    }
    if let raised = raise(left.coefficient, by: left.exponent - right.exponent) {
      return (raised, right.coefficient, right.exponent)
    }
    // Zeros at the end of the finer one may be all that stands in the way.
    var folded = right
    folded.foldTrailingZeros()
    if folded.exponent == right.exponent { return nil }
    if folded.exponent >= left.exponent { return aligned(left, folded) }
    return raise(left.coefficient, by: left.exponent - folded.exponent).map {
      ($0, folded.coefficient, folded.exponent)
    }
  }

  private static func raise(_ coefficient: UInt128, by exponent: Int) -> UInt128? {
    guard exponent <= 38 else { return nil }
    let (product, overflow) = coefficient.multipliedReportingOverflow(by: powersOfTen[exponent])
    return overflow || product >= limit ? nil : product
  }

  /// `left × right ÷ divisor`, where the quotient is known to fit.
  private static func divide(
    _ left: UInt128, times right: UInt128, by divisor: UInt128
  ) -> (quotient: UInt128, remainder: UInt128) {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    if !overflow { return product.quotientAndRemainder(dividingBy: divisor) }
    return divisor.dividingFullWidth(left.multipliedFullWidth(by: right))
  }

  /// The coefficient without its last `digits`, rounded half-even; `isExact` says that nothing was cut off before.
  private static func dropping(_ digits: Int, from coefficient: UInt128, isExact: Bool) -> UInt128 {
    guard digits <= 38 else { return 0 }
    let power = powersOfTen[digits]
    let (quotient, remainder) = coefficient.quotientAndRemainder(dividingBy: power)
    let half = power / 2
    let isUp = remainder > half || remainder == half && (!isExact || quotient % 2 == 1)
    return quotient + (isUp ? 1 : 0)
  }
}
