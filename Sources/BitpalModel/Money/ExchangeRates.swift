public import FoundationEssentials

/// What one unit of a currency cost in another, day by day.
public struct ExchangeRates: Hashable, Sendable {
  /// The rates, by time; the days between them have the rate before.
  public let points: [ChartDataPoint]

  /// Creates rates from a line of them; those that are not above zero are left out.
  public init(_ line: LineSeries) {
    points = line.points.filter { $0.price > 0 }
  }

  /// The rate of an instant's day in UTC: the last one of that day, else the last before it; nil for a day before the
  /// first.
  public func rate(at instant: Date) -> ChartDataPoint? {
    let end = instant.startOfDay.adding(.seconds(86_400))
    var low = 0
    var high = points.count
    while low < high {
      let middle = (low + high) / 2
      if points[middle].timestamp < end { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? points[low - 1] : nil
  }
}

/// Prices in another currency, and what could not be converted.
package struct ConvertedPrices<Price: Sendable>: Sendable {
  package var prices: [Price] = []

  /// How many are older than the first rate, and left out.
  package var before = 0

  /// The days that have no rate of their own.
  package var carriedDays: Set<Date> = []
}

extension ExchangeRates {
  /// Converts each price by the rate of its own day.
  ///
  /// - Parameters:
  ///   - instant: When a price was.
  ///   - convert: The price at a rate; nil when it has more digits than fit.
  package func converting<Price>(
    _ prices: [Price], at instant: (Price) -> Date, _ convert: (Price, Decimal) -> Price?
  ) -> ConvertedPrices<Price> {
    var result = ConvertedPrices<Price>()
    result.prices.reserveCapacity(prices.count)
    for price in prices {
      let day = instant(price).startOfDay
      guard let rate = rate(at: day), let converted = convert(price, rate.price) else {
        result.before += 1
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
  public func converted(at rate: Decimal) -> Decimal? {
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
