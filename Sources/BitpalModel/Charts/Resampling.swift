import FoundationEssentials

/// Makes fewer and wider candles or fewer points out of many.
///
/// Candles are exact: first open, highest high, lowest low, last close. Intervals begin on the grid that starts at
/// 1970-01-01T00:00:00Z, where the sources' own candles begin. A gap stays a gap: nothing is interpolated, and an interval
/// without data has no candle.
public enum Resampling {
  /// How many samples an interval needs to become a candle.
  public static let samplesPerCandle = 3

  /// Candles of `width` out of narrower ones; the last may still be open, and then its numbers may still change.
  ///
  /// - Parameters:
  ///   - candles: By opening time; of a width that divides `width`.
  ///   - width: Above zero; the candles come back as they are when it is not.
  public static func aggregate(_ candles: [CandleDataPoint], to width: Duration) -> [CandleDataPoint] {
    let step = width.milliseconds
    guard step > 0 else { return candles }
    var result: [CandleDataPoint] = []
    for candle in candles {
      let start = candle.timestamp.startOfInterval(step)
      if let last = result.last, last.timestamp == start {
        result[result.count - 1] = CandleDataPoint(
          timestamp: start, open: last.open, high: max(last.high, candle.high), low: min(last.low, candle.low),
          close: candle.close)
      } else {
        result.append(
          CandleDataPoint(
            timestamp: start, open: candle.open, high: candle.high, low: candle.low, close: candle.close))
      }
    }
    return result
  }

  /// Candles out of the samples of a line; nil when too few samples fall in an interval.
  ///
  /// Every interval that has samples must have ``samplesPerCandle`` of them. The first one, of which the line may have only
  /// the end, is left out when it has fewer; the last one, which may have just begun, is kept.
  ///
  /// - Parameters:
  ///   - samples: By time.
  ///   - width: Above zero; nil when it is not.
  public static func candles(from samples: [ChartDataPoint], width: Duration) -> [CandleDataPoint]? {
    let step = width.milliseconds
    guard step > 0, !samples.isEmpty else { return nil }
    let intervals = samples.chunked { $0.timestamp.startOfInterval(step) }
    var result: [CandleDataPoint] = []
    for (index, interval) in intervals.enumerated() {
      if interval.samples.count < samplesPerCandle, index < intervals.count - 1 {
        guard index == 0 else { return nil }
        continue
      }
      guard let first = interval.samples.first, let last = interval.samples.last else { continue }
      result.append(
        CandleDataPoint(
          timestamp: interval.start, open: first.price,
          high: interval.samples.reduce(first.price) { max($0, $1.price) },
          low: interval.samples.reduce(first.price) { min($0, $1.price) }, close: last.price))
    }
    // One candle that has just begun is no chart.
    return result.count > 1 || samples.count >= samplesPerCandle ? result : nil
  }
}

extension Date {
  /// The grid line at or before the instant, `step` milliseconds apart from 1970-01-01T00:00:00Z on.
  fileprivate func startOfInterval(_ step: Int64) -> Date {
    let (quotient, remainder) = milliseconds.quotientAndRemainder(dividingBy: step)
    return Date(milliseconds: (remainder < 0 ? quotient - 1 : quotient) * step)
  }
}

extension [ChartDataPoint] {
  /// Neighbours of the same interval, together.
  fileprivate func chunked(
    by start: (ChartDataPoint) -> Date
  ) -> [(start: Date, samples: ArraySlice<ChartDataPoint>)] {
    var chunks: [(start: Date, samples: ArraySlice<ChartDataPoint>)] = []
    for (index, point) in enumerated() {
      let instant = start(point)
      if let last = chunks.last, last.start == instant {
        chunks[chunks.count - 1].samples = self[last.samples.startIndex...index]
      } else {
        chunks.append((instant, self[index...index]))
      }
    }
    return chunks
  }
}
