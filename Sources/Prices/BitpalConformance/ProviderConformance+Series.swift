import BitpalModel
import BitpalProviders
import FoundationEssentials

extension ProviderConformance {
  /// The distance of points from which on the end of a series does not reveal a time zone.
  private static var coarse: Duration { .seconds(6 * 3600) }

  /// Checks that the last point is near the end of the window, within the distance of the points.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func stampsInUTC() async throws {
    guard has(.line) || has(.candles) else { throw Verdict.skipped("it has no lines or candles") }
    guard !seriesQuestions.isEmpty else { throw lacking(has(.line) ? .line : .candles) }
    var spacings: [Duration] = []
    if has(.line), let line = sample.line, let query = sample.lineQuery {
      let stamps = try await provider.value(query, as: LineSeries.self).points.map(\.timestamp)
      let spacing = Self.spacing(stamps) ?? .milliseconds(line.window.length.milliseconds / 12)
      try expectEnd(stamps, of: "line of \(line.coin)", at: line.window.end, spacing)
      spacings.append(spacing)
    }
    if has(.candles), let asked = sample.candles, let query = sample.candlesQuery {
      let series = try await provider.value(query, as: CandleSeries.self)
      try expectEnd(
        series.candles.map(\.timestamp), of: "candles of \(asked.coin)", at: asked.window.end, series.width)
      spacings.append(series.width)
    }
    if let finest = spacings.min(), finest >= Self.coarse {
      let example =
        ": add an example with ask: \((has(.line) ? Capability.line : .candles).rawValue) of a shorter window"
      throw Verdict.skipped(
        "stamps \(finest.unitText) apart do not show a time zone\(sample.isOfExamples ? example : "")")
    }
    try expectBothSeries()
  }

  /// Checks that the last point is at most two distances before the end, and not after it.
  ///
  /// A candle is stamped with its opening, and one that is not over may be missing.
  private func expectEnd(_ stamps: [Date], of series: String, at end: Date, _ spacing: Duration) throws {
    guard let last = stamps.max() else { throw Verdict.failed("the \(series) is empty") }
    let distance = end.since(last)
    if distance > max(.seconds(900), spacing * 2) {
      throw Verdict.failed("the last of the \(series) is of \(last.utcText), \(distance.shortText) before the end")
    }
    if distance < .zero - max(.seconds(300), spacing) {
      throw Verdict.failed("the last of the \(series) is of \(last.utcText), after the end")
    }
  }

  /// Returns the median distance; nil for fewer than two stamps.
  private static func spacing(_ stamps: [Date]) -> Duration? {
    let sorted = stamps.sorted()
    let distances = zip(sorted, sorted.dropFirst()).map { $1.since($0) }.sorted()
    return distances.isEmpty ? nil : distances[distances.count / 2]
  }

  /// Checks that series are sorted by time, have no duplicates, and touch their window, and that candles are
  /// consistent.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func keepsSeriesInOrder() async throws {
    guard has(.line) || has(.candles) else { throw Verdict.skipped("it has no lines or candles") }
    var singles: [(Capability, String)] = []
    if has(.line), let line = sample.line, let query = sample.lineQuery {
      let answer = try await provider.answer(to: query)
      let stamps = answer.values(LineSeries.self)[line.coin]?.points.map(\.timestamp) ?? []
      try expectMost(of: stamps.count, "points", answer.warnings)
      try expectSorted(stamps, "points", in: line.window)
      if stamps.count < 2 { singles.append((.line, "point")) }
    }
    if has(.candles), let asked = sample.candles, let query = sample.candlesQuery {
      let answer = try await provider.answer(to: query)
      guard let series = answer.values(CandleSeries.self)[asked.coin] else {
        throw Verdict.failed("its answer has no candles of \(asked.coin)")
      }
      try expectMost(of: series.candles.count, "candles", answer.warnings)
      // The candle in which the window begins opens before it.
      let window = TimeWindow(start: asked.window.start.adding(.zero - series.width), end: asked.window.end)
      try expectSorted(series.candles.map(\.timestamp), "candles", in: window)
      if series.candles.count < 2 { singles.append((.candles, "candle")) }
      if series.width <= .zero { throw Verdict.failed("its candles have no width") }
      for candle in series.candles
      where candle.low > min(candle.open, candle.close) || candle.high < max(candle.open, candle.close) {
        throw Verdict.failed("the candle of \(candle.timestamp.utcText) closes outside of its range")
      }
    }
    try expectBothSeries()
    // A single row is in any order.
    if let (kind, name) = singles.first {
      if case .requests(_, rows: 1)? = provider.descriptor.reach[kind]?.cause {
        throw Verdict.skipped("it has one \(name) per answer")
      }
      let example = ": add an example with ask: \(kind.rawValue) and at least two rows"
      throw Verdict.skipped("a single \(name) has no order\(sample.isOfExamples ? example : "")")
    }
  }

  /// Checks that most rows are kept: single bad rows are dropped, but when most are, the provider reads them wrongly.
  private func expectMost(of kept: Int, _ name: String, _ warnings: [AnswerWarning]) throws {
    for case .droppedRows(let count, let reason) in warnings where count > kept {
      throw Verdict.failed("of \(kept + count) \(name) \(count) are left out: \(reason)")
    }
  }

  /// Checks that stamps increase; two points of one instant are a fault too, because no chart can draw them.
  private func expectSorted(_ stamps: [Date], _ name: String, in window: TimeWindow) throws {
    for (earlier, later) in zip(stamps, stamps.dropFirst()) where earlier >= later {
      throw Verdict.failed("\(name) are not in order at \(later.utcText)")
    }
    guard stamps.contains(where: { window.contains($0) }) else {
      throw Verdict.failed("none of \(stamps.count) \(name) lies in the window")
    }
  }
}
