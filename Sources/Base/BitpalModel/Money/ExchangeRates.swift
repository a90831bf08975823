package import FoundationEssentials

/// The daily prices of one unit of a currency in another.
package struct ExchangeRates: Hashable, Sendable {
  /// The rates in order of time; a day without a rate has the one before.
  package let points: [ChartDataPoint]

  /// The prices of the other way round that the points are calculated from; empty where they are the source's own.
  private let divisors: [Decimal]

  /// The longest time after its own day for which a rate is valid.
  package let maxAge: Duration

  /// The default of ``maxAge``: longer than any run of holidays.
  package static let usualMaxAge: Duration = .seconds(7 * 86_400)

  /// The instant from which on one of the currencies no longer exists; nil for two that do.
  package let end: Date?

  /// Creates rates from a line; points that are not above zero are left out.
  package init(_ line: LineSeries, maxAge: Duration = usualMaxAge, end: Date? = nil) {
    points = line.points.filter { $0.price > 0 }
    divisors = []
    self.maxAge = maxAge
    self.end = end
  }

  /// Creates rates from a line of the other way round.
  package init(inverting line: LineSeries, maxAge: Duration = usualMaxAge, end: Date? = nil) {
    let inverted = line.points.compactMap { point -> (point: ChartDataPoint, divisor: Decimal)? in
      guard point.price > 0, let rate = AppliedRate(inverting: point.price) else { return nil }
      return (ChartDataPoint(timestamp: point.timestamp, price: rate.price), point.price)
    }
    points = inverted.map(\.point)
    divisors = inverted.map(\.divisor)
    self.maxAge = maxAge
    self.end = end
  }

  /// Returns the rate of an instant's day in UTC: the last one of that day, otherwise the last one before that is still
  /// valid; nil for a day without either, and for one on which a currency no longer exists.
  package func rate(at instant: Date) -> ChartDataPoint? { place(at: instant).map { points[$0] } }

  /// Returns the rate of an instant's day as amounts are converted by it.
  package func applied(at instant: Date) -> AppliedRate? { place(at: instant).map(applied) }

  private func applied(_ place: Int) -> AppliedRate {
    AppliedRate(price: points[place].price, divisor: divisors.isEmpty ? nil : divisors[place])
  }

  private func place(at instant: Date) -> Int? {
    if let end, instant >= end { return nil }
    let end = instant.startOfDay.adding(.seconds(86_400))
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].timestamp < end { low = middle + 1 } else { high = middle }
    }
    guard low > 0, instant.startOfDay.since(points[low - 1].timestamp.startOfDay) <= maxAge else { return nil }
    return low - 1
  }

  /// The day after the newest rate for which a bank may still state one, which is none of a weekend; nil where none comes.
  package var openFrom: Date? {
    guard var day = points.last?.timestamp.startOfDay else { return nil }
    repeat { day = day.adding(.seconds(86_400)) } while day.isOnWeekend
    return end.map { day < $0 } ?? true ? day : nil
  }
}

/// Prices in another currency, with the number of those that could not be converted.
package struct ConvertedPrices<Price: Sendable>: Sendable {
  package var prices: [Price] = []

  /// The number of prices that were left out for lack of a rate of their day.
  package var withoutRate = 0

  /// The days without a rate of their own.
  package var carriedDays: Set<Date> = []
}

extension ExchangeRates {
  /// Converts each price by the rate of its own day.
  ///
  /// - Parameters:
  ///   - instant: The time of a price.
  ///   - convert: The price at a rate; nil when it has more digits than fit.
  package func converting<Price>(
    _ prices: [Price], at instant: (Price) -> Date, _ convert: (Price, AppliedRate) -> Price?
  ) -> ConvertedPrices<Price> {
    var result = ConvertedPrices<Price>()
    result.prices.reserveCapacity(prices.count)
    for price in prices {
      let day = instant(price).startOfDay
      guard let place = place(at: day), let converted = convert(price, applied(place)) else {
        result.withoutRate += 1
        continue
      }
      if points[place].timestamp < day { result.carriedDays.insert(day) }
      result.prices.append(converted)
    }
    return result
  }
}

extension ExchangeRates {
  /// Converts each candle: its opening by the rate of its first day and the rest by that of its last, since nothing says on which
  /// day it was highest and lowest.
  ///
  /// - Parameter width: That of the candles.
  package func converting(_ candles: [CandleDataPoint], width: Duration) -> ConvertedPrices<CandleDataPoint> {
    let rest = width - .seconds(86_400)
    return converting(candles, at: \.timestamp) { candle, rate in
      guard rest > .zero else { return candle.converted(at: rate) }
      // The last candle may not have ended.
      let last = applied(at: min(candle.timestamp.adding(rest), points.last?.timestamp ?? candle.timestamp))
      return candle.converted(at: rate, closingAt: last ?? rate)
    }
  }
}

/// The price of one unit of a currency in another, by which amounts are converted.
package struct AppliedRate: Hashable, Sendable {
  /// The price of one unit.
  package let price: Decimal

  /// The price of the other way round, which the price is the inverse of; amounts are divided by it, which is exact more often.
  package let divisor: Decimal?

  /// Creates a rate.
  package init(price: Decimal, divisor: Decimal? = nil) {
    (self.price, self.divisor) = (price, divisor)
  }

  /// Creates the rate of the other way round; nil where it cannot be calculated.
  package init?(inverting price: Decimal) {
    guard let inverse = try? Decimal(1).divided(by: price) else { return nil }
    self.init(price: inverse, divisor: price)
  }
}

extension Decimal {
  /// Returns the amount in another currency, as exactly as a number can hold it; nil if it is too large.
  package func converted(at rate: AppliedRate) -> Decimal? {
    guard let divisor = rate.divisor else { return converted(at: rate.price) }
    return try? divided(by: divisor)
  }

  /// Returns the amount in another currency: the exact product or, where that does not fit, rounded half-even at 18
  /// places; nil if it is too large.
  package func converted(at rate: Decimal) -> Decimal? {
    guard let amount = DecimalParts(self), let rate = DecimalParts(rate) else { return nil }
    return amount.valued(at: rate)?.decimal
  }
}

extension ChartDataPoint {
  /// Returns the point in another currency.
  package func converted(at rate: AppliedRate) -> ChartDataPoint? {
    price.converted(at: rate).map { ChartDataPoint(timestamp: timestamp, price: $0) }
  }
}

extension CandleDataPoint {
  /// Returns the candle in another currency, by the rates of its first and its last day.
  package func converted(at first: AppliedRate, closingAt last: AppliedRate? = nil) -> CandleDataPoint? {
    let last = last ?? first
    guard let open = open.converted(at: first), let high = high.converted(at: last),
      let low = low.converted(at: last), let close = close.converted(at: last)
    else { return nil }
    return CandleDataPoint(
      timestamp: timestamp, open: open, high: max(open, high), low: min(open, low), close: close, volume: volume)
  }
}
