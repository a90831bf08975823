public import BitpalModel

/// Which charts are offered.
public struct ChartSettings: Hashable, Sendable {
  /// The type drawn when none is asked for.
  public internal(set) var defaultType: ChartType

  /// The name of the range shown when none is asked for; one of ``ranges``.
  public internal(set) var defaultRange: String

  /// The ranges offered: the standard ones in their order, then those the file adds in the file's.
  public internal(set) var ranges: [ChartTimeRange]

  /// Creates chart settings.
  public init(
    defaultType: ChartType = .line, defaultRange: String = "1D", ranges: [ChartTimeRange] = ChartTimeRange.standard
  ) {
    self.defaultType = defaultType
    self.defaultRange = defaultRange
    self.ranges = ranges
  }
}
