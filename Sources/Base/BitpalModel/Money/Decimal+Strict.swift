public import FoundationEssentials

extension Decimal {
  /// Reads a number from its whole text, exactly.
  ///
  /// The grammar is JSON's (RFC 8259, section 6): `-`? digits, optionally a point and digits, optionally an exponent.
  /// `Decimal(string:)` is not used for money because it reads `1abc` as 1 and `1,5` as 1.
  ///
  /// - Throws: ``DecimalError/malformed(_:)`` unless the whole text is a number;
  ///   ``DecimalError/outOfRange(_:)`` when the value cannot be held exactly (more than 38 significant digits, or an
  ///   exponent outside −128…127). A value is never rounded to make it fit.
  public init(strict text: some StringProtocol) throws(DecimalError) {
    var text = String(text)
    let number = text.withUTF8 { NumberText($0) }
    self = try Self.value(of: number, from: text)
  }

  /// Reads a number from UTF-8 bytes, as ``init(strict:)-swift.init`` does, without making a `String` first.
  package init(strictUTF8 bytes: UnsafeBufferPointer<UInt8>) throws(DecimalError) {
    self = try Self.value(of: NumberText(bytes), from: String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the decimal nearest to a number of a source, which may have more digits than fit: up to 63 have been seen.
  ///
  /// Digits beyond 38 significant ones, or beyond 128 after the point, are rounded half-even.
  ///
  /// - Returns: The value, and whether digits were lost on the way.
  /// - Throws: ``DecimalError/malformed(_:)`` as ``init(strict:)-swift.init`` does; ``DecimalError/outOfRange(_:)`` when
  ///   the value is too large, or so small that nothing of it would be left.
  package static func nearest(
    toUTF8 bytes: UnsafeBufferPointer<UInt8>
  ) throws(DecimalError) -> (value: Decimal, isRounded: Bool) {
    func text() -> String { String(decoding: bytes, as: UTF8.self) }
    guard var number = NumberText(bytes) else { throw .malformed(text()) }
    let isRounded = number.roundToFit()
    guard let value = number.parts.decimal, !isRounded || value != 0 else { throw .outOfRange(text()) }
    return (value, isRounded)
  }

  private static func value(
    of number: NumberText?, from text: @autoclosure () -> String
  ) throws(DecimalError) -> Decimal {
    guard let number else { throw .malformed(text()) }
    guard number.isWhole, let value = number.parts.decimal else { throw .outOfRange(text()) }
    return value
  }
}

/// The parts of a number's text: as many digits as a decimal holds, and a summary of the digits beyond.
private struct NumberText {
  /// The sign, the first 38 significant digits, and their exponent.
  private(set) var parts = DecimalParts(isNegative: false, coefficient: 0, exponent: 0)

  // The digits beyond, which end in one other than zero: their number, the first, and whether another is not zero.
  private var excess = 0
  private var firstExcess: UInt8 = 0
  private var hasMore = false

  // Zeros are counted only when another digit follows, so that trailing zeros need no room.
  private var pendingZeros = 0

  /// The largest coefficient that stays within 38 digits when a digit is added.
  private static let coefficientLimit: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000_000

  /// Reads one whole JSON number; nil for any other text.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    var index = 0
    parts.isNegative = Self.skip(UInt8(ascii: "-"), in: bytes, &index)
    let integerDigits = appendDigits(of: bytes, &index)
    guard integerDigits > 0, integerDigits == 1 || bytes[index - integerDigits] != UInt8(ascii: "0") else { return nil }
    var fractionDigits = 0
    if Self.skip(UInt8(ascii: "."), in: bytes, &index) {
      fractionDigits = appendDigits(of: bytes, &index)
      guard fractionDigits > 0 else { return nil }
    }
    var exponent = 0
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      guard let number = Self.exponent(in: bytes, &index) else { return nil }
      exponent = number
    }
    guard index == bytes.count else { return nil }
    parts.exponent = exponent - fractionDigits + pendingZeros + excess
  }

  private static func digit(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt8? {
    guard index < bytes.count else { return nil }
    let value = bytes[index] &- UInt8(ascii: "0")
    return value <= 9 ? value : nil
  }

  private static func skip(_ byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  /// Appends the digits at an index, and returns their number.
  private mutating func appendDigits(of bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int {
    let start = index
    while let next = Self.digit(bytes, index) {
      append(next)
      index += 1
    }
    return index - start
  }

  /// Reads the sign and the digits of an exponent; nil for none.
  private static func exponent(in bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int) -> Int? {
    let isNegative = skip(UInt8(ascii: "-"), in: bytes, &index)
    if !isNegative { _ = skip(UInt8(ascii: "+"), in: bytes, &index) }
    guard digit(bytes, index) != nil else { return nil }
    var exponent = 0
    while let next = digit(bytes, index) {
      // 100,000 is far out of range, and adding the digits of any accepted body to it cannot overflow.
      exponent = min(exponent * 10 + Int(next), 100_000)
      index += 1
    }
    return isNegative ? -exponent : exponent
  }

  /// Whether ``parts`` hold all digits.
  var isWhole: Bool { excess == 0 }

  private mutating func append(_ digit: UInt8) {
    if digit == 0 {
      if parts.coefficient != 0 { pendingZeros += 1 }
      return
    }
    while pendingZeros > 0 {
      push(0)
      pendingZeros -= 1
    }
    push(digit)
  }

  private mutating func push(_ digit: UInt8) {
    if excess == 0, parts.coefficient < Self.coefficientLimit {
      parts.coefficient = parts.coefficient * 10 + UInt128(digit)
    } else {
      if excess == 0 { firstExcess = digit } else if digit != 0 { hasMore = true }
      excess += 1
    }
  }

  /// Rounds half-even to the digits of a decimal; false when the number fits without rounding.
  mutating func roundToFit() -> Bool {
    if isWhole { parts.foldTrailingZeros() }
    let surplus = max(0, -128 - parts.exponent)
    guard surplus > 0 || !isWhole else { return false }
    if surplus > 0 {
      parts.dropDigits(surplus, andMore: !isWhole)
    } else {
      let comparison: Comparison =
        firstExcess > 5 || firstExcess == 5 && hasMore ? .more : firstExcess == 5 ? .equal : .less
      parts.coefficient = parts.coefficient.roundedHalfEven(by: comparison)
    }
    return true
  }
}

/// The reason why a text is not a usable number, or a calculation has no usable result.
public enum DecimalError: Error, Equatable, Sendable {
  /// The text is not one whole JSON number (`1abc`, `1,5`, `.5`, `NaN`, empty).
  case malformed(String)

  /// The value needs more than the 38 significant digits or the exponents −128 to 127 that a `Decimal` holds.
  case outOfRange(String)

  /// The divisor is zero.
  case divisionByZero
}

extension DecimalError: CustomStringConvertible {
  /// The problem and the correct form as one sentence.
  public var description: String {
    switch self {
    case .malformed(let text):
      "\"\(text.printable(limit: 40))\" is not a number (write it like 1234.56, without separators or signs other than -)"
    case .outOfRange(let text):
      "\"\(text.printable(limit: 48))\" does not fit: a number holds at most 38 significant digits"
    case .divisionByZero:
      "division by zero"
    }
  }
}
