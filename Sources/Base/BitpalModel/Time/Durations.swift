public import FoundationEssentials

extension Date {
  /// Creates the instant `milliseconds` after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// The number of milliseconds since 1970-01-01T00:00:00Z, rounded to the nearest.
  ///
  /// Instants beyond the years 0001…9999 give the nearest end of that range, so the conversion cannot overflow.
  public var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(value, -62_135_596_800_000), 253_402_300_799_999))
  }

  /// Returns the instant `duration` later.
  public func adding(_ duration: Duration) -> Date {
    Date(milliseconds: milliseconds + duration.milliseconds)
  }

  /// Returns the time from `earlier` to this instant; negative when it is before.
  public func since(_ earlier: Date) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Duration {
  /// The number of whole milliseconds, rounded towards zero and limited to ±10¹⁵ (about 31,700 years), so that sums
  /// cannot overflow.
  public var milliseconds: Int64 {
    Int64(clamping: max(-1_000_000_000_000_000, min(1_000_000_000_000_000, attoseconds / 1_000_000_000_000_000)))
  }

  /// The short text for tables and messages, rounded down to the two largest units: `45s`, `3m 20s`, `2h 5m`, `3d 4h`;
  /// `0.3s` below one second.
  public var shortText: String {
    let total = max(0, milliseconds)
    if total < 1000 { return total == 0 ? "0s" : total < 100 ? "\(total)ms" : "0.\(total / 100)s" }
    let seconds = total / 1000
    let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0s" }
    let shown = parts[first..<min(first + 2, parts.count)].filter { $0.0 > 0 }
    return shown.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  /// The duration rounded up to whole seconds from one second on, because users see the wait without fractions and
  /// should not try too early.
  package var roundedUp: Duration {
    guard self > .seconds(1) else { return self }
    let (seconds, attoseconds) = components
    return .seconds(attoseconds > 0 ? seconds + 1 : seconds)
  }

  /// The notation of configuration files, in the largest unit that divides the duration: `90s`, `5m`, `4h`, `7d`,
  /// `250ms`.
  public var unitText: String {
    let total = milliseconds
    for (size, unit) in Self.units where total != 0 && total % size == 0 {
      return "\(total / size)\(unit)"
    }
    return total == 0 ? "0s" : "\(total)ms"
  }

  /// The units above a millisecond, the largest first.
  ///
  /// Not in the loop, where Swift 6.3 orders the instructions for a literal of pairs differently from build to build.
  private static let units: [(size: Int64, name: String)] = [
    (86_400_000, "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s"),
  ]

  /// Reads the notation of configuration files: a whole number and one of `ms s m h d w`, or `0`; nil for any other
  /// text.
  public init?(unitText text: some StringProtocol) {
    self.init(unit: String(text))
  }

  private init?(unit text: String) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let size: Int64
    switch text.dropFirst(digits.count) {
    case "ms": size = 1
    case "s": size = 1000
    case "m": size = 60_000
    case "h": size = 3_600_000
    case "d": size = 86_400_000
    case "w": size = 604_800_000
    // Zero needs no unit.
    case "" where text == "0": size = 1
    default: return nil
    }
    guard let count = Int64(digits) else { return nil }
    let (milliseconds, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, milliseconds <= 1_000_000_000_000_000 else { return nil }
    self = .milliseconds(milliseconds)
  }
}
