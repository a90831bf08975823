extension Duration {
  /// A short form for people, rounded down to its largest two units: `45s`, `3m 20s`, `2h 5m`, `3d 4h`; `0.3s` below one second.
  public var shortText: String {
    let total = max(0, milliseconds)
    if total < 1000 { return total == 0 ? "0s" : total < 100 ? "\(total)ms" : "0.\(total / 100)s" }
    let seconds = total / 1000
    let parts = [(seconds / 86_400, "d"), (seconds / 3600 % 24, "h"), (seconds / 60 % 60, "m"), (seconds % 60, "s")]
    guard let first = parts.firstIndex(where: { $0.0 > 0 }) else { return "0s" }
    let shown = parts[first..<min(first + 2, parts.count)].filter { $0.0 > 0 }
    return shown.map { "\($0.0)\($0.1)" }.joined(separator: " ")
  }

  /// The form of configuration files, in the largest unit that divides it: `90s`, `5m`, `4h`, `7d`, `250ms`.
  public var unitText: String {
    let total = milliseconds
    for (size, unit) in [(Int64(86_400_000), "d"), (3_600_000, "h"), (60_000, "m"), (1000, "s")]
    where total != 0 && total % size == 0 {
      return "\(total / size)\(unit)"
    }
    return total == 0 ? "0s" : "\(total)ms"
  }

  /// Reads the form of configuration files: a whole number and one of `ms s m h d w`; nil for anything else.
  public init?(unitText text: some StringProtocol) {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int64] = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000]
    guard let count = Int64(digits), let size = units[String(text.dropFirst(digits.count))] else { return nil }
    let (milliseconds, overflow) = count.multipliedReportingOverflow(by: size)
    guard !overflow, milliseconds <= 1_000_000_000_000_000 else { return nil }
    self = .milliseconds(milliseconds)
  }
}
