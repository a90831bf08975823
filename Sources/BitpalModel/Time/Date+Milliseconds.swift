public import FoundationEssentials

extension Date {
  /// The instant `milliseconds` after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
  }

  /// Milliseconds since 1970-01-01T00:00:00Z, rounded to the nearest.
  ///
  /// Instants beyond the years 0001…9999 give the nearest end of that span, so the conversion cannot overflow.
  public var milliseconds: Int64 {
    let value = (timeIntervalSince1970 * 1000).rounded()
    return Int64(min(max(value, -62_135_596_800_000), 253_402_300_799_999))
  }

  /// The instant `duration` later.
  public func adding(_ duration: Duration) -> Date {
    Date(milliseconds: milliseconds + duration.milliseconds)
  }

  /// How long after `earlier` this instant is; negative when it is before.
  public func since(_ earlier: Date) -> Duration {
    .milliseconds(milliseconds - earlier.milliseconds)
  }
}

extension Duration {
  /// Whole milliseconds, cut towards zero; clamped to ±10¹⁵ (about 31,700 years) so that sums cannot overflow.
  public var milliseconds: Int64 {
    let seconds = min(max(components.seconds, -1_000_000_000_000), 1_000_000_000_000)
    return seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}
