package import BitpalModel
package import BitpalProviders
package import FoundationEssentials

/// The beginning of a series that is later than was asked for, and its cause.
package struct LateBeginning: Sendable {
  /// The first instant of the series.
  package let first: Date

  /// Whether prices are missing, as far as anything is known: of a question for all there is only a limit shows it.
  package let isShort: Bool

  private let subject: String
  private let source: String
  private let limit: SourceReach?

  /// - Parameters:
  ///   - instants: Those of the series, in order.
  ///   - answer: The series.
  ///   - range: The range that was asked for.
  ///   - type: The kind of series.
  ///   - providers: Those that were asked.
  /// - Returns: Nil for a series that begins with its range.
  package init?<Value>(
    _ instants: [Date], of answer: Sourced<Value>, over range: ChartTimeRange, _ type: ChartType,
    providers: [ProviderDescriptor]
  ) {
    guard let first = instants.first, let last = instants.last else { return nil }
    let now = answer.fetchedAt
    let window = range.timeWindow(at: now)
    // The first of a grid stands up to a step after the beginning; a source may have left out one more.
    let step = Duration.milliseconds(last.since(first).milliseconds / Int64(max(1, instants.count - 1)))
    guard first.since(window.start) > step * 2 + .seconds(60) else { return nil }
    let provider = providers.first { $0.cacheIdentity == answer.about.provider }
    let native =
      type == .candle ? Resampling.nativeWidth(for: range.candle, among: provider?.candleWidths ?? []) : step
    let reach = provider?.reach[type == .line ? .line : .candles]
    let count = type == .line || native == range.candle && !window.isPast ? instants.count : nil
    limit = reach.flatMap { reach in
      reach.explains(first: first, end: window.end, now: now, step: native, count: count) ? reach : nil
    }
    isShort = limit != nil || range.beginning != .ever
    subject = answer.about.coin
    source = answer.source
    self.first = first
  }

  /// One sentence with the true cause: a limit of the source, else that it has no older prices.
  package func message(in zone: ClockZone = .utc) -> String {
    "\(subject): the prices of \(source) begin on \(first.dayText(in: zone))"
      + (limit.map { ": \($0.description)" } ?? "")
  }
}
