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
    let parsed = text.withUTF8 { Self.parse($0) }
    self = try Self.value(of: parsed, from: text)
  }

  /// Reads a number from UTF-8 bytes, as ``init(strict:)-swift.init`` does, without making a `String` first.
  package init(strictUTF8 bytes: UnsafeBufferPointer<UInt8>) throws(DecimalError) {
    self = try Self.value(of: Self.parse(bytes), from: String(decoding: bytes, as: UTF8.self))
  }

  private static func value(
    of parsed: ParsedNumber, from text: @autoclosure () -> String
  ) throws(DecimalError) -> Decimal {
    switch parsed {
    case .parts(let parts):
      guard let value = parts.decimal else { throw .outOfRange(text()) }
      return value
    case .malformed: throw .malformed(text())
    case .outOfRange: throw .outOfRange(text())
    }
  }

  private enum ParsedNumber {
    case parts(DecimalParts)
    case malformed
    case outOfRange
  }

  /// The largest coefficient to which another digit can be added and 38 digits still fit.
  private static let coefficientLimit: UInt128 = 10_000_000_000_000_000_000_000_000_000_000_000_000

  private static func parse(_ bytes: UnsafeBufferPointer<UInt8>) -> ParsedNumber {
    var index = 0
    var parts = DecimalParts(isNegative: false, coefficient: 0, exponent: 0)
    var pendingZeros = 0

    /// Adds a digit; zeros wait until a digit other than zero follows, so that trailing zeros take no room.
    func append(_ digit: UInt8) -> Bool {
      if digit == 0 {
        if parts.coefficient != 0 { pendingZeros += 1 }
        return true
      }
      while pendingZeros > 0 {
        guard parts.coefficient < coefficientLimit else { return false }
        parts.coefficient *= 10
        pendingZeros -= 1
      }
      guard parts.coefficient < coefficientLimit else { return false }
      parts.coefficient = parts.coefficient * 10 + UInt128(digit)
      return true
    }

    func digit() -> UInt8? {
      guard index < bytes.count else { return nil }
      let value = bytes[index] &- UInt8(ascii: "0")
      return value <= 9 ? value : nil
    }

    var fits = true
    if index < bytes.count, bytes[index] == UInt8(ascii: "-") {
      parts.isNegative = true
      index += 1
    }
    let integerStart = index
    while let next = digit() {
      fits = append(next) && fits
      index += 1
    }
    let integerDigits = index - integerStart
    guard integerDigits > 0, integerDigits == 1 || bytes[integerStart] != UInt8(ascii: "0") else { return .malformed }
    var fractionDigits = 0
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      let start = index
      while let next = digit() {
        fits = append(next) && fits
        index += 1
      }
      fractionDigits = index - start
      guard fractionDigits > 0 else { return .malformed }
    }
    var exponent = 0
    if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
      index += 1
      var isNegative = false
      if index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
        isNegative = bytes[index] == UInt8(ascii: "-")
        index += 1
      }
      guard digit() != nil else { return .malformed }
      while let next = digit() {
        // 100,000 is far outside what fits, and adding the digits of any accepted body to it cannot overflow.
        exponent = min(exponent * 10 + Int(next), 100_000)
        index += 1
      }
      if isNegative { exponent = -exponent }
    }
    guard index == bytes.count else { return .malformed }
    guard fits else { return .outOfRange }
    parts.exponent = exponent - fractionDigits + pendingZeros
    return .parts(parts)
  }
}
