package import FoundationEssentials

/// The parts of a `Decimal`: `(-1)^isNegative × coefficient × 10^exponent`.
///
/// Foundation offers no public access to a decimal's 128-bit coefficient except through `description`, which takes
/// 2.7 µs a number. Reading the twenty bytes takes 2 ns. The layout is checked once per process against values whose
/// parts are known, and `description` is used when it does not match, so another layout costs time, never digits.
package struct DecimalParts: Equatable, Sendable {
  package var isNegative: Bool
  package var coefficient: UInt128
  package var exponent: Int

  package static let zero = DecimalParts(isNegative: false, coefficient: 0, exponent: 0)

  package init(isNegative: Bool, coefficient: UInt128, exponent: Int) {
    self.isNegative = isNegative
    self.coefficient = coefficient
    self.exponent = exponent
  }

  /// Reads the parts of `value`; nil for NaN.
  package init?(_ value: Decimal) {
    if value.isNaN { return nil }
    self = Self.layoutIsKnown ? Self.fromLayout(value) : Self.fromDescription(value)
  }

  /// The value; nil if the exponent is outside −128…127 after trailing zeros are folded into it.
  package var decimal: Decimal? {
    var parts = self
    parts.foldTrailingZeros()
    if parts.coefficient == 0 { return Decimal(0) }
    while parts.exponent > 127 {
      let (product, overflow) = parts.coefficient.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      parts.coefficient = product
      parts.exponent -= 1
    }
    guard parts.exponent >= -128 else { return nil }
    if Self.layoutIsKnown { return Self.inLayout(parts) }
    let high = UInt64(truncatingIfNeeded: parts.coefficient >> 64)
    let low = UInt64(truncatingIfNeeded: parts.coefficient)
    var significand = Decimal(low)
    if high != 0 { significand += Decimal(high) * Self.twoToThe64 }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: parts.exponent, significand: significand)
  }

  /// The smallest coefficient with 39 digits; the text of a `Decimal` has at most 38.
  package static let limit: UInt128 = 100_000_000_000_000_000_000_000_000_000_000_000_000

  /// Returns the exact product; nil when it needs more than 38 digits or its exponent is below −128.
  package func multiplied(by other: DecimalParts) -> DecimalParts? {
    let isNegative = isNegative != other.isNegative
    let (direct, overflow) = coefficient.multipliedReportingOverflow(by: other.coefficient)
    if !overflow, direct < Self.limit, exponent + other.exponent >= -128 {
      return DecimalParts(isNegative: isNegative, coefficient: direct, exponent: exponent + other.exponent)
    }
    var (left, right) = (self, other)
    left.foldTrailingZeros()
    right.foldTrailingZeros()
    guard left.coefficient != 0, right.coefficient != 0 else { return Self.zero }
    var exponent = left.exponent + right.exponent
    // A trailing zero of the product comes from a two in one coefficient and a five in the other: 24 × 35 is 12 × 7
    // tens.
    exponent += Self.removeTens(&left.coefficient, &right.coefficient)
    exponent += Self.removeTens(&right.coefficient, &left.coefficient)
    let (product, isTooLarge) = left.coefficient.multipliedReportingOverflow(by: right.coefficient)
    guard !isTooLarge, product < Self.limit, exponent >= -128 else { return nil }
    return DecimalParts(isNegative: isNegative, coefficient: product, exponent: exponent)
  }

  /// Divides one coefficient by two and the other by five as often as both allow; neither is zero.
  ///
  /// - Returns: The number of divisions.
  private static func removeTens(_ even: inout UInt128, _ five: inout UInt128) -> Int {
    var count = 0
    while even % 2 == 0, five % 5 == 0 {
      even /= 2
      five /= 5
      count += 1
    }
    return count
  }

  /// Makes the coefficient as small as possible, so that equal values have equal parts.
  package mutating func foldTrailingZeros() {
    if coefficient == 0 {
      exponent = 0
      isNegative = false
      return
    }
    // A multiple of ten is even, which costs less to see than the remainder of a division.
    while coefficient & 1 == 0 {
      let (rest, digit) = coefficient.quotientAndRemainder(dividingBy: 10)
      if digit != 0 { return }
      coefficient = rest
      exponent += 1
    }
  }

  private static let twoToThe64 = Decimal(UInt64.max) + 1

  private static let layoutIsKnown: Bool = {
    let samples: [(sign: FloatingPointSign, exponent: Int, high: UInt64, low: UInt64)] = [
      (.plus, 0, 0, 0), (.plus, 0, 0, 1), (.minus, -11, 0, 6_970_267_874_735_729), (.plus, 127, 0, 7),
      (.minus, -128, 0, 9), (.plus, -18, 0x0123_4567_89AB_CDEF, 0x1122_3344_5566_7788),
      (.minus, 3, 0x4B3B_4CA8_5A86_C47A, 0x098A_223F_FFFF_FFFF),
    ]
    return MemoryLayout<Decimal>.size == 20
      && samples.allSatisfy { sample in
        let significand = Decimal(sample.high) * twoToThe64 + Decimal(sample.low)
        let value = Decimal(sign: sample.sign, exponent: sample.exponent, significand: significand)
        let expected = UInt128(sample.high) << 64 | UInt128(sample.low)
        let read = fromLayout(value)
        return read.coefficient == expected && (expected == 0 || read.exponent == sample.exponent)
          && (expected == 0 || read.isNegative == (sample.sign == .minus))
          && inLayout(read) == value
      }
  }()

  private static func fromLayout(_ value: Decimal) -> DecimalParts {
    withUnsafeBytes(of: value) { bytes in
      let length = Int(bytes[1] >> 4)
      var coefficient: UInt128 = 0
      for index in 0..<min(length, 8) {
        let word = bytes.loadUnaligned(fromByteOffset: 4 + 2 * index, as: UInt16.self)
        coefficient |= UInt128(word) << (16 * index)
      }
      return DecimalParts(
        isNegative: bytes[1] & 0x08 != 0, coefficient: coefficient, exponent: Int(Int8(bitPattern: bytes[0])))
    }
  }

  private static func inLayout(_ parts: DecimalParts) -> Decimal {
    var (value, rest, length) = (Decimal(), parts.coefficient, UInt8(0))
    withUnsafeMutableBytes(of: &value) { bytes in
      while rest != 0 {
        bytes.storeBytes(of: UInt16(truncatingIfNeeded: rest), toByteOffset: 4 + 2 * Int(length), as: UInt16.self)
        rest >>= 16
        length += 1
      }
      bytes[0] = UInt8(bitPattern: Int8(parts.exponent))
      bytes[1] = length << 4 | (parts.isNegative ? 0x08 : 0)
    }
    return value
  }

  static func fromDescription(_ value: Decimal) -> DecimalParts {
    var parts = DecimalParts(isNegative: value.isSignMinus, coefficient: 0, exponent: 0)
    var afterPoint = false
    for byte in value.description.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        if parts.coefficient <= (UInt128.max - 9) / 10 {
          parts.coefficient = parts.coefficient * 10 + UInt128(byte - UInt8(ascii: "0"))
          if afterPoint { parts.exponent -= 1 }
        } else if !afterPoint {
          parts.exponent += 1
        }
      case UInt8(ascii: "."):
        afterPoint = true
      default:
        break
      }
    }
    return parts
  }
}
