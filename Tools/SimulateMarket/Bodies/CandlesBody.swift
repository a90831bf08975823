import BitpalJSON
import BitpalModel
import FoundationEssentials

/// The answer of `/coins/{id}/ohlc` with `precision=full`: rows stamped with the close, the last one still open and stamped in the future.
struct CandlesBody {
  let coin: SimulatedCoin
  let days: Int

  /// 30 minutes for a day, 4 hours up to a month, 4 days above.
  static func width(days: Int) -> Int {
    switch days {
    case ...2: 30 * Moment.minute
    case ...30: 4 * Moment.hour
    default: 4 * Moment.day
    }
  }

  func make() -> JSONValue {
    let width = Self.width(days: days)
    let last = (Moment.now / width + 1) * width
    // As recorded: 49, 42 and 180 rows; a year has 92. Weeks and months leave out the candle in which they begin.
    let count = days == 1 || days > 30 ? (last - (Moment.now - days * Moment.day) + width - 1) / width : days * 6
    let rows = (1 - count...0).compactMap { offset -> JSONValue? in
      let close = last + offset * width
      guard let candle = coin.path.candle(from: close - width, to: close) else { return nil }
      return [
        .integer(close), WireNumber.full(candle.open), WireNumber.full(candle.high),
        WireNumber.full(candle.low), WireNumber.full(candle.close),
      ]
    }
    return .array(rows)
  }
}
