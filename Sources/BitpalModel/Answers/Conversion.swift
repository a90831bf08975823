public import FoundationEssentials

/// How an answer came to be in a currency that its source does not have: by the rate of another source.
public struct Conversion: Hashable, Sendable {
  /// The currency that the source answered in, lower case.
  public let from: String

  /// What it answered; nil for a series, in which each price is converted by the rate of its own day.
  public let price: Decimal?

  /// What one unit of that currency costs in the one that was asked for; of a series the newest rate.
  public let rate: Decimal

  /// The id of the provider of the rate.
  public let rateSource: String

  /// The rate's time by that source's own clock; when it was fetched where the source does not say.
  public let rateTime: Date

  /// Of a series, how many of its days have no rate of their own and were converted by the last one before: weekends.
  public let carriedDays: Int

  /// Creates a conversion.
  public init(
    from: String, price: Decimal?, rate: Decimal, rateSource: String, rateTime: Date, carriedDays: Int = 0
  ) {
    self.from = from
    self.price = price
    self.rate = rate
    self.rateSource = rateSource
    self.rateTime = rateTime
    self.carriedDays = carriedDays
  }
}

extension Sourced {
  /// The same answer with the prices in another currency, as fresh as the older of it and of the rate; the rate's own time
  /// is that of the conversion.
  ///
  /// - Parameters:
  ///   - value: The converted value.
  ///   - currency: The currency it is in now.
  ///   - rate: Where the rate comes from.
  ///   - conversion: What was done.
  ///   - warnings: What was odd about it.
  package func converted<Converted, Rate>(
    _ value: Converted, to currency: String, by rate: Sourced<Rate>, _ conversion: Conversion,
    warnings more: [AnswerWarning] = []
  ) -> Sourced<Converted> {
    let key = AnswerKey(
      provider: about.provider, kind: about.kind, coin: about.coin, currency: currency, range: about.range)
    return Sourced<Converted>(
      value, about: key, source: source, fetchedAt: fetchedAt,
      freshness: freshness.staler(rate.freshness), warnings: warnings + rate.warnings + more, conversion: conversion)
  }
}

extension Freshness {
  /// Whichever of the two is the older one.
  fileprivate func staler(_ other: Freshness) -> Freshness {
    (other.age ?? .zero) > (age ?? .zero) || !isStale ? other : self
  }
}
