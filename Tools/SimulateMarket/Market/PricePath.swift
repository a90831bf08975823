import BitpalModel
import FoundationEssentials

/// The one price path of a coin, a price a minute, ending now; every body is made of samples of it.
///
/// A price stands from its minute to the next, so the price at any millisecond is that of the minute it falls in.
struct PricePath {
  /// Prices in units of 10⁻ˢᶜᵃˡᵉ, 17 digits at the end.
  private let units: [Int64]
  private let scale: Int

  /// How much was going on in the day before each minute, in no particular unit.
  private let activity: [Int]

  /// Walks back from the price of now, so that the end is as given and the beginning is what it came from.
  init(coin: MarketCoin, marketReturns: ArraySlice<Int>, seed: UInt64) throws {
    var random = SplitMix64(seed: seed, purpose: "price " + coin.id)
    let (scale, end) = try Self.filled(coin.price, random: &random)
    var own = ReturnStream(random: random, dailyDeviation: coin.temperament.own)
    let count = marketReturns.count
    let firstMinute = Moment.now / Moment.minute - count + 1

    var returns: [Int] = []
    returns.reserveCapacity(count)
    for (index, market) in marketReturns.enumerated() {
      returns.append(own.next(minute: firstMinute + index) + market * coin.temperament.beta / 100)
    }
    // Its last two points come in the wrong order, and sorting them must not change which price is the last.
    let standsStill = coin.id == Quirk.steppingBack
    if standsStill { returns[count - 1] = 0 }

    var units = [Int64](repeating: 0, count: count + 1)
    var price = end
    units[count] = price
    for index in stride(from: count - 1, through: 0, by: -1) {
      let isStill = standsStill && index == count - 1
      let anchor = isStill ? end : Self.anchor(at: index, of: count, end: end, percent: coin.year)
      let move = Int64(Int128(price) * Int128(returns[index]) / 1_000_000_000)
      price += -move + (anchor - price) / Int64(coin.temperament.pull)
      units[index] = price
    }
    self.units = units
    self.scale = scale
    activity = Self.activity(of: returns)
  }

  /// The price of the minute in which that instant lies.
  func price(at milliseconds: Int) -> Decimal {
    decimal(units[index(at: milliseconds)])
  }

  /// The price now.
  var last: Decimal { decimal(units[units.count - 1]) }

  /// The price that many minutes ago; nil when the path does not reach that far.
  func price(minutesAgo minutes: Int) -> Decimal? {
    minutes < units.count ? decimal(units[units.count - 1 - minutes]) : nil
  }

  /// Open, high, low and close of the minutes from `start` up to, but without, `end`; nil where the path has none.
  func candle(from start: Int, to end: Int) -> (open: Decimal, high: Decimal, low: Decimal, close: Decimal)? {
    let lower = max(start, firstInstant)
    let upper = min(end, Moment.now + Moment.minute)
    guard lower < upper else { return nil }
    let slice = units[index(at: lower)...index(at: upper - Moment.minute)]
    guard let open = slice.first, let close = slice.last, let high = slice.max(), let low = slice.min() else {
      return nil
    }
    return (decimal(open), decimal(high), decimal(low), decimal(close))
  }

  /// The highest price of the whole path and when it was seen first.
  var peak: (price: Decimal, instant: Int) {
    var best = 0
    for index in units.indices where units[index] > units[best] { best = index }
    return (decimal(units[best]), firstInstant + best * Moment.minute)
  }

  /// What was traded in the 24 hours before that instant, relative to now.
  func relativeVolume(at milliseconds: Int) throws -> Decimal {
    let now = Decimal(activity[activity.count - 1]) * last
    let then = Decimal(activity[index(at: milliseconds)]) * price(at: milliseconds)
    return try then.divided(by: now)
  }

  private var firstInstant: Int { Moment.now - (units.count - 1) * Moment.minute }

  private func index(at milliseconds: Int) -> Int {
    (milliseconds - firstInstant) / Moment.minute
  }

  private func decimal(_ units: Int64) -> Decimal {
    Decimal(sign: .plus, exponent: -scale, significand: Decimal(units))
  }

  /// A price text with random digits added up to 17.
  private static func filled(_ text: String, random: inout SplitMix64) throws -> (scale: Int, units: Int64) {
    guard var parts = DecimalParts(try Decimal(strict: text)) else {
      throw SimulationError(message: "\"\(text)\" is not a price")
    }
    while parts.coefficient < 10_000_000_000_000_000 {
      parts.coefficient = parts.coefficient * 10 + UInt128(random.next(in: 0...9))
      parts.exponent -= 1
    }
    return (-parts.exponent, Int64(parts.coefficient))
  }

  /// The price to which the path is pulled: the given percentages of the end, joined by straight lines.
  private static func anchor(at index: Int, of count: Int, end: Int64, percent: [Int]) -> Int64 {
    guard percent.count > 1 else { return end }
    let legs = percent.count - 1
    let leg = min(index * legs / count, legs - 1)
    let progress = index * legs - leg * count
    let mix = percent[leg] * (count - progress) + percent[leg + 1] * progress
    return Int64(Int128(end) * Int128(mix) / Int128(100 * count))
  }

  /// A running mean of how large the returns are, over about a day.
  private static func activity(of returns: [Int]) -> [Int] {
    let first = returns.prefix(1440)
    var mean = first.reduce(0) { $0 + abs($1) * 1024 } / max(first.count, 1)
    return [mean]
      + returns.map { value in
        mean += (abs(value) * 1024 - mean) / 1440
        return mean
      }
  }
}
