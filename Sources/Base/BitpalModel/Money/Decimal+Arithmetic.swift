public import FoundationEssentials

extension Decimal {
  /// Returns the quotient with at least 18 significant digits, however small it is.
  ///
  /// 1 ÷ 700,000,000,000,000,000 is 0.000000000000000001428571428571428571; 18 digits after the point would keep only
  /// one of them.
  ///
  /// - Throws: ``DecimalError`` as ``divided(by:scale:)`` does, and for a quotient that is too small for a decimal.
  package func ratio(to divisor: Decimal) throws(DecimalError) -> Decimal {
    guard let dividend = DecimalParts(self), let parts = DecimalParts(divisor) else { throw .outOfRange("NaN") }
    let shift =
      parts.coefficient.decimalDigits + parts.exponent - dividend.coefficient.decimalDigits - dividend.exponent
    guard shift > 0, dividend.coefficient != 0 else { return try divided(by: divisor) }
    let scaled = Decimal(sign: .plus, exponent: shift, significand: self)
    guard (-127...127).contains(scaled.exponent), scaled.exponent == exponent + shift else {
      throw .outOfRange(plainText)
    }
    let quotient = try scaled.divided(by: divisor)
    let result = Decimal(sign: .plus, exponent: -shift, significand: quotient)
    guard result.exponent == quotient.exponent - shift else { throw .outOfRange(plainText) }
    return result
  }

  /// Returns the quotient, rounded half-even at `scale` digits after the point.
  ///
  /// Foundation's `/` is not used: it gave 12 right digits for 1 / 999803109.210479620635043153. When the quotient
  /// would need more than 38 significant digits at that scale, it is rounded half-even at 38 significant digits.
  ///
  /// - Parameters:
  ///   - divisor: Anything but zero.
  ///   - scale: Digits after the point, 0 to 38.
  /// - Throws: ``DecimalError/divisionByZero``, or ``DecimalError/outOfRange(_:)`` when either operand is NaN or the
  ///   quotient is too large.
  public func divided(by divisor: Decimal, scale: Int = 18) throws(DecimalError) -> Decimal {
    guard let dividend = DecimalParts(self), let divisorParts = DecimalParts(divisor) else { throw .outOfRange("NaN") }
    guard divisorParts.coefficient != 0 else { throw .divisionByZero }
    let isNegative = dividend.isNegative != divisorParts.isNegative
    let scale = min(max(scale, 0), 38)

    // coefficient(a) × 10^shift ÷ coefficient(b) is the quotient in units of 10^-scale.
    var shift = scale + dividend.exponent - divisorParts.exponent
    var (quotient, remainder) = dividend.coefficient.quotientAndRemainder(dividingBy: divisorParts.coefficient)
    var resultScale = scale
    while shift > 0, remainder != 0 || quotient != 0 {
      let room = 38 - quotient.decimalDigits
      let step = min(shift, room)
      guard step > 0 else { break }
      let power = UInt128.powerOfTen(step)
      let product = remainder.multipliedFullWidth(by: power)
      let chunk = divisorParts.coefficient.dividingFullWidth(product)
      quotient = quotient * power + chunk.quotient
      remainder = chunk.remainder
      shift -= step
    }
    if shift > 0 {
      resultScale -= shift
    } else if shift < 0 {
      let (reduced, comparison) = quotient.dividedByPowerOfTen(-shift, stickyRemainder: remainder != 0)
      quotient = reduced.roundedHalfEven(by: comparison)
      remainder = 0
    }
    if remainder != 0 {
      quotient = quotient.roundedHalfEven(by: Comparison(of: remainder, toHalfOf: divisorParts.coefficient))
    }
    let parts = DecimalParts(isNegative: isNegative, coefficient: quotient, exponent: -resultScale)
    guard let value = parts.decimal else { throw .outOfRange("\(self) / \(divisor)") }
    return value
  }

  /// Returns the value rounded half-even to `scale` digits after the point; a value with fewer digits is unchanged.
  public func rounded(scale: Int) -> Decimal {
    guard var parts = DecimalParts(self), parts.exponent < -scale else { return self }
    parts.dropDigits(-scale - parts.exponent, andMore: false)
    // The exponent grew towards zero and the coefficient shrank, so the value always fits.
    return parts.decimal ?? self
  }

  /// The hundredth part, exactly.
  package var hundredths: Decimal { Decimal(sign: .plus, exponent: -2, significand: self) }

  /// Returns the order of this amount relative to `factor` times another; none of them is below zero.
  package func compared(to other: Decimal, times factor: Decimal) -> DecimalParts.Ordering {
    let product = DecimalParts(other).flatMap { other in DecimalParts(factor).flatMap { other.valued(at: $0) } }
    guard let own = DecimalParts(self), let product else { return .less }
    return own.compared(to: product)
  }

  /// Returns the change from `start` to this value in percent of `start`, at scale 18; nil when `start` is zero.
  package func percentChange(since start: Decimal) -> Decimal? {
    try? ((self - start) * 100).divided(by: start)
  }
}

extension DecimalParts {
  /// Drops the last digits of the coefficient, rounding half-even.
  ///
  /// - Parameters:
  ///   - count: The number of digits; at least 1.
  ///   - andMore: Whether the value has further digits after those of the coefficient.
  mutating func dropDigits(_ count: Int, andMore: Bool) {
    let (reduced, comparison) = coefficient.dividedByPowerOfTen(count, stickyRemainder: andMore)
    coefficient = reduced.roundedHalfEven(by: comparison)
    exponent += count
  }
}

/// The comparison of a dropped part to half of a unit; an empty part is less.
enum Comparison {
  case less
  case equal
  case more

  /// Creates a comparison.
  ///
  /// - Parameters:
  ///   - remainder: The remainder of a division.
  ///   - divisor: The divisor, a unit of the quotient.
  ///   - andMore: Whether something is left in addition to the remainder.
  init(of remainder: UInt128, toHalfOf divisor: UInt128, andMore: Bool = false) {
    let (twice, overflow) = remainder.multipliedReportingOverflow(by: 2)
    self = overflow || twice > divisor || twice == divisor && andMore ? .more : twice == divisor ? .equal : .less
  }
}

extension UInt128 {
  /// Returns 10 to the power `exponent`, which must be in 0…38.
  static func powerOfTen(_ exponent: Int) -> UInt128 {
    powersOfTen[exponent]
  }

  private static let powersOfTen: [UInt128] = {
    var powers: [UInt128] = [1]
    for _ in 0..<38 { powers.append((powers.last ?? 1) * 10) }
    return powers
  }()

  /// The number of decimal digits of the value; 0 for zero.
  var decimalDigits: Int {
    // 1233 ÷ 4096 is a little less than log10(2), so this is the number of digits or one less.
    let digits = ((Self.bitWidth - leadingZeroBitCount) * 1233) >> 12
    return self >= Self.powerOfTen(digits) ? digits + 1 : digits
  }

  /// Returns the value rounded half-even: the next value if the dropped part is more than half of a unit, or half and
  /// the value odd.
  func roundedHalfEven(by comparison: Comparison) -> UInt128 {
    switch comparison {
    case .less: self
    case .more: self + 1
    case .equal: self % 2 == 0 ? self : self + 1
    }
  }

  /// Drops `digits` decimal digits and compares the dropped part to half of a unit.
  fileprivate func dividedByPowerOfTen(
    _ digits: Int, stickyRemainder: Bool
  ) -> (quotient: UInt128, comparison: Comparison) {
    guard digits <= 38 else { return (0, .less) }
    let power = Self.powerOfTen(digits)
    let (quotient, remainder) = quotientAndRemainder(dividingBy: power)
    return (quotient, Comparison(of: remainder, toHalfOf: power, andMore: stickyRemainder))
  }
}
