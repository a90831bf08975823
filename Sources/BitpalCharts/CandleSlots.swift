import BitpalModel
import FoundationEssentials

/// Candles put into slots of equal time, as many as fit; a slot without a candle stays empty.
struct CandleSlots {
  /// By time, with the number of the slot of each.
  let candles: [(slot: Int, candle: CandleDataPoint)]

  /// How many slots there are.
  let count: Int

  /// The width of what is drawn.
  let width: Duration

  /// When the first slot begins.
  let start: Date

  /// - Parameter most: The most slots there is room for. Candles are put together until they fit.
  init(_ series: CandleSeries, most: Int) {
    let native = max(1, series.width.milliseconds)
    var (candles, step) = (series.candles, native)
    while Self.slots(candles, step) > max(1, most) {
      // The next multiple that could fit; the grid can take one slot more, hence the loop.
      step = native * max(step / native + 1, Int64((Self.slots(series.candles, native) + most - 1) / max(1, most)))
      candles = Resampling.aggregate(series.candles, to: .milliseconds(step))
    }
    let first = candles.first?.timestamp.milliseconds ?? 0
    start = candles.first?.timestamp ?? .distantPast
    width = .milliseconds(step)
    count = Self.slots(candles, step)
    self.candles = candles.map { (Int(($0.timestamp.milliseconds - first) / step), $0) }
  }

  /// When the last slot ends.
  var end: Date { start.adding(width * count) }

  private static func slots(_ candles: [CandleDataPoint], _ step: Int64) -> Int {
    guard let first = candles.first, let last = candles.last else { return 1 }
    return Int(min(1_000_000, (last.timestamp.milliseconds - first.timestamp.milliseconds) / step)) + 1
  }
}
