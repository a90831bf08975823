package import FoundationEssentials

/// Sums and proportions that are exact or nil; they are never rounded to fit.
extension DecimalParts {
  package var isZero: Bool { coefficient == 0 }

  /// Whether the value is below zero.
  package var isBelowZero: Bool { isNegative && coefficient != 0 }

  package var negated: DecimalParts {
    DecimalParts(isNegative: !isNegative, coefficient: coefficient, exponent: exponent)
  }

  /// Exactly a hundred times the value.
  package var hundredfold: DecimalParts {
    isZero ? self : DecimalParts(isNegative: isNegative, coefficient: coefficient, exponent: exponent + 2)
  }

  /// The same value with the smallest coefficient, which does not end in zero.
  package var folded: DecimalParts {
    var parts = self
    parts.foldTrailingZeros()
    return parts
  }

  /// Returns the exact sum; nil when it needs more than 38 digits.
  package func adding(_ other: DecimalParts) -> DecimalParts? {
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

  /// Returns the exact difference; nil when it needs more than 38 digits.
  package func subtracting(_ other: DecimalParts) -> DecimalParts? { adding(other.negated) }

  /// Returns the order of two values that are not below zero.
  package func compared(to other: DecimalParts) -> Ordering {
    func ordering<Value: Comparable>(_ left: Value, _ right: Value) -> Ordering {
      left == right ? .equal : left < right ? .less : .greater
    }
    if let (left, right, _) = Self.aligned(self, other) { return ordering(left, right) }
    // The values are too far apart for one scale; prices never are.
    return ordering(decimal ?? 0, other.decimal ?? 0)
  }

  /// The order of one value relative to another.
  package enum Ordering: Sendable {
    case less
    case equal
    case greater
  }

  /// Returns `self × part ÷ whole`, rounded half-even at 18 digits after the point; nil if that needs more than 38
  /// digits.
  ///
  /// The product is never rounded before it is divided. `part` must be above zero and below `whole`.
  package func portion(_ part: DecimalParts, of whole: DecimalParts) -> DecimalParts? {
    guard let (part, whole, _) = Self.aligned(part, whole), part < whole else { return nil }
    // `part` is less than `whole`, so the quotient is less than the coefficient and fits.
    let (quotient, remainder) = Self.divide(coefficient, times: part, by: whole)
    let excess = -18 - exponent
    if excess > 0 {
      var parts = DecimalParts(isNegative: isNegative, coefficient: quotient, exponent: exponent)
      parts.dropDigits(excess, andMore: remainder != 0)
      return parts
    }
    // The coefficient has fewer than 18 digits after the point: the missing ones come from the remainder.
    guard -excess <= 38 else { return nil }
    let power = UInt128.powerOfTen(-excess)
    let (high, overflow) = quotient.multipliedReportingOverflow(by: power)
    let (low, rest) = Self.divide(remainder, times: power, by: whole)
    if overflow { return nil }
    let (sum, isTooLarge) = high.addingReportingOverflow(low)
    if isTooLarge { return nil }
    return DecimalParts(
      isNegative: isNegative, coefficient: sum.roundedHalfEven(by: Comparison(of: rest, toHalfOf: whole)), exponent: -18
    ).fitting
  }

  /// The value rounded half-even at 18 digits after the point.
  package var roundedTo18: DecimalParts {
    guard exponent < -18 else { return self }
    var parts = self
    parts.dropDigits(-18 - exponent, andMore: false)
    return parts
  }

  /// Returns the product, exact where 38 digits hold it, otherwise rounded half-even at 18 digits after the point; nil
  /// if that is too large.
  package func valued(at price: DecimalParts) -> DecimalParts? {
    if let exact = multiplied(by: price) { return exact }
    let excess = -18 - (exponent + price.exponent)
    guard (1...38).contains(excess) else { return nil }
    let power = UInt128.powerOfTen(excess)
    let product = coefficient.multipliedFullWidth(by: price.coefficient)
    guard product.high < power else { return nil }
    let (quotient, remainder) = power.dividingFullWidth(product)
    guard quotient < Self.limit else { return nil }
    return DecimalParts(
      isNegative: isNegative != price.isNegative,
      coefficient: quotient.roundedHalfEven(by: Comparison(of: remainder, toHalfOf: power)), exponent: -18
    ).fitting
  }

  /// Returns the sum, exact where 38 digits hold it, otherwise of both values rounded half-even at 18 digits after the
  /// point; nil if that is too large.
  package func totalling(_ other: DecimalParts) -> DecimalParts? {
    adding(other) ?? roundedTo18.adding(other.roundedTo18)
  }

  private var fitting: DecimalParts? {
    if coefficient < Self.limit { return self }
    let folded = folded
    return folded.coefficient < Self.limit ? folded : nil
  }

  /// Returns the coefficients of both values at the smaller exponent.
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
    // Trailing zeros of the finer value may be the only obstacle.
    let folded = right.folded
    if folded.exponent == right.exponent { return nil }
    if folded.exponent >= left.exponent { return aligned(left, folded) }
    return raise(left.coefficient, by: left.exponent - folded.exponent).map {
      ($0, folded.coefficient, folded.exponent)
    }
  }

  private static func raise(_ coefficient: UInt128, by exponent: Int) -> UInt128? {
    guard exponent <= 38 else { return nil }
    let (product, overflow) = coefficient.multipliedReportingOverflow(by: .powerOfTen(exponent))
    return overflow || product >= limit ? nil : product
  }

  /// Returns `left × right ÷ divisor`; the quotient must fit.
  private static func divide(
    _ left: UInt128, times right: UInt128, by divisor: UInt128
  ) -> (quotient: UInt128, remainder: UInt128) {
    let (product, overflow) = left.multipliedReportingOverflow(by: right)
    if !overflow { return product.quotientAndRemainder(dividingBy: divisor) }
    return divisor.dividingFullWidth(left.multipliedFullWidth(by: right))
  }
}

extension Decimal {
  /// Whether the value is above zero; comparing it with zero takes many times as long.
  package var isPositive: Bool { !isZero && !isSignMinus && !isNaN }
}
