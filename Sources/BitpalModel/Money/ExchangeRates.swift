package import FoundationEssentials

/// The price of one unit of a currency in another, day by day.
package struct ExchangeRates: Hashable, Sendable {
  /// The rates, by time; the days between them have the rate before.
  package let points: [ChartDataPoint]

  /// The longest time after its own day for which a rate counts.
  package let maxAge: Duration

  /// The ``maxAge`` of a source that states none: longer than any row of holidays.
  package static let usualMaxAge: Duration = .seconds(7 * 86_400)

  /// Creates rates from a line of them; those that are not above zero are left out.
  package init(_ line: LineSeries, maxAge: Duration = usualMaxAge) {
    points = line.points.filter { $0.price > 0 }
    self.maxAge = maxAge
  }

  /// The rate of an instant's day in UTC: the last one of that day, else the last before it that is not too old; nil for a
  /// day without either.
  package func rate(at instant: Date) -> ChartDataPoint? {
    let end = instant.startOfDay.adding(.seconds(86_400))
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].timestamp < end { low = middle + 1 } else { high = middle }
    }
    guard low > 0, instant.startOfDay.since(points[low - 1].timestamp.startOfDay) <= maxAge else { return nil }
    return points[low - 1]
  }
}

/// Prices in another currency, and what could not be converted.
package struct ConvertedPrices<Price: Sendable>: Sendable {
  package var prices: [Price] = []

  /// The number of prices that were left out because their day has no rate.
  package var withoutRate = 0

  /// The days that have no rate of their own.
  package var carriedDays: Set<Date> = []
}

extension ExchangeRates {
  /// Converts each price by the rate of its own day.
  ///
  /// - Parameters:
  ///   - instant: The time of a price.
  ///   - convert: The price at a rate; nil when it has more digits than fit.
  package func converting<Price>(
    _ prices: [Price], at instant: (Price) -> Date, _ convert: (Price, Decimal) -> Price?
  ) -> ConvertedPrices<Price> {
    var result = ConvertedPrices<Price>()
    result.prices.reserveCapacity(prices.count)
    for price in prices {
      let day = instant(price).startOfDay
      guard let rate = rate(at: day), let converted = convert(price, rate.price) else {
        result.withoutRate += 1
        continue
      }
      if rate.timestamp < day { result.carriedDays.insert(day) }
      result.prices.append(converted)
    }
    return result
  }
}

extension Decimal {
  /// The amount in another currency: the product, rounded half-even at 18 places only where it does not fit; nil where it
  /// is too large.
  package func converted(at rate: Decimal) -> Decimal? {
    guard let amount = DecimalParts(self), let rate = DecimalParts(rate) else { return nil }
    return amount.valued(at: rate)?.decimal
  }
}

extension ChartDataPoint {
  /// The point in another currency.
  package func converted(at rate: Decimal) -> ChartDataPoint? {
    price.converted(at: rate).map { ChartDataPoint(timestamp: timestamp, price: $0) }
  }
}

extension CandleDataPoint {
  /// The candle in another currency.
  package func converted(at rate: Decimal) -> CandleDataPoint? {
    guard let open = open.converted(at: rate), let high = high.converted(at: rate),
      let low = low.converted(at: rate), let close = close.converted(at: rate)
    else { return nil }
    return CandleDataPoint(timestamp: timestamp, open: open, high: high, low: low, close: close, volume: volume)
  }
}
