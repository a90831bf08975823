import BitpalModel
import FoundationEssentials

extension ProviderConformance {
  /// Within a twelfth of the window and an hour or two of its end; a time zone is off by more in a day.
  func stampsInUTC() async throws {
    guard has(.line), let line = sample.line else { throw Verdict.skipped("no line is known to be there") }
    let points = try await provider.line(line.coin, currency: sample.currency, window: line.window).value.points
    guard let last = points.last?.timestamp else { throw Verdict.failed("the line of \(line.coin) is empty") }
    let tolerance = max(Duration.seconds(3600), .milliseconds(line.window.length.milliseconds / 12))
    let distance = line.window.end.since(last)
    if distance > tolerance {
      throw Verdict.failed("the last point is of \(last.utcText), \(distance.shortText) before the end")
    }
    if distance < .seconds(-300) { throw Verdict.failed("the last point is of \(last.utcText), after the end") }
  }

  func keepsSeriesInOrder() async throws {
    var checked = 0
    if has(.line), let line = sample.line {
      let points = try await provider.line(line.coin, currency: sample.currency, window: line.window).value.points
      try expectSorted(points.map(\.timestamp), "points", in: line.window)
      checked += 1
    }
    if has(.candles), let asked = sample.candles {
      let series = try await provider.candles(
        asked.coin, currency: sample.currency, window: asked.window, width: asked.width
      ).value
      try expectSorted(series.candles.map(\.timestamp), "candles", in: asked.window)
      if series.width <= .zero { throw Verdict.failed("its candles have no width") }
      for candle in series.candles
      where candle.low > min(candle.open, candle.close) || candle.high < max(candle.open, candle.close) {
        throw Verdict.failed("the candle of \(candle.timestamp.utcText) closes outside of its range")
      }
      checked += 1
    }
    if checked == 0 { throw Verdict.skipped("no series is known to be there") }
  }

  private func expectSorted(_ stamps: [Date], _ name: String, in window: TimeWindow) throws {
    for (earlier, later) in zip(stamps, stamps.dropFirst()) where earlier >= later {
      throw Verdict.failed("\(name) are not in order at \(later.utcText)")
    }
    guard stamps.contains(where: { window.contains($0) }) else {
      throw Verdict.failed("none of \(stamps.count) \(name) lies in the window")
    }
  }
}
