package import BitpalConfig
package import BitpalModel

/// The defaults for parameters that a question omits.
package struct QueryDefaults: Sendable {
  /// The currency, in lower case.
  package let currency: String
  package let ranges: [ChartTimeRange]

  /// The name of the range of charts.
  package let range: String
  package let type: ChartType
  package let zone: ClockZone

  package init(
    currency: String = "usd", ranges: [ChartTimeRange] = ChartTimeRange.standard, range: String = "1D",
    type: ChartType = .line, zone: ClockZone = .utc
  ) {
    self.currency = currency
    self.ranges = ranges
    self.range = range
    self.type = type
    self.zone = zone
  }
}

extension QueryDefaults {
  /// Creates the defaults of the settings.
  ///
  /// - Parameter isAttended: Whether the question is asked at a terminal, where the type of chart that was chosen last is
  ///   the default.
  package init(_ settings: Settings, isAttended: Bool = false) {
    self.init(
      currency: settings.currency, ranges: settings.chart.ranges, range: settings.chart.defaultRange,
      type: (isAttended ? settings.chart.lastType : nil) ?? settings.chart.defaultType, zone: settings.timeZone)
  }
}
