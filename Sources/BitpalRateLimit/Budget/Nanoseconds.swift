import BitpalModel

/// Whole nanoseconds that stop at ±73 years instead of overflowing.
enum Nanoseconds {
  /// The most that is told apart; two of them still add up within 64 bits.
  static let limit: Int64 = 1 << 61

  /// A duration in nanoseconds, cut.
  static func of(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    guard seconds.magnitude < limit.magnitude / 1_000_000_000 else { return seconds < 0 ? -limit : limit }
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }

  static func sum(_ left: Int64, _ right: Int64) -> Int64 {
    clamped(left.addingReportingOverflow(right), isNegative: left < 0)
  }

  static func times(_ size: Int64, _ count: Int) -> Int64 {
    clamped(size.multipliedReportingOverflow(by: Int64(count)), isNegative: (size < 0) != (count < 0))
  }

  /// `value ÷ count`, rounded up, for positive numbers.
  static func dividedUp(_ value: Int64, by count: Int) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: Int64(count))
    return remainder > 0 ? quotient + 1 : quotient
  }

  /// `value × new ÷ old`, rounded down.
  static func scaled(_ value: Int64, from old: Int64, to new: Int64) -> Int64 {
    guard old > 0 else { return 0 }
    let (quotient, remainder) = (Int128(value) * Int128(new)).quotientAndRemainder(dividingBy: Int128(old))
    return Int64(clamping: max(Int128(-limit), min(Int128(limit), remainder < 0 ? quotient - 1 : quotient)))
  }

  private static func clamped(_ result: (partialValue: Int64, overflow: Bool), isNegative: Bool) -> Int64 {
    result.overflow ? (isNegative ? -limit : limit) : max(-limit, min(limit, result.partialValue))
  }
}
