import BitpalModel

/// Whole nanoseconds that stop at ±73 years instead of overflowing.
enum Nanoseconds {
  /// The most that is told apart; two of them still add up within 64 bits.
  static let limit: Int64 = 1 << 61

  /// A duration in nanoseconds, cut.
  static func of(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    guard seconds.magnitude <= limit.magnitude / 1_000_000_000 else { return seconds < 0 ? -limit : limit }
    return bounded(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  /// A number from a file, cut.
  static func bounded(_ value: Int64) -> Int64 { max(-limit, min(limit, value)) }
}
