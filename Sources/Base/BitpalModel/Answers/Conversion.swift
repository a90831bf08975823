public import FoundationEssentials

/// The conversion of an answer, by the rate of another source, into a currency that its own source lacks.
public struct Conversion: Hashable, Sendable {
  /// The currency that the source answered in, lower case.
  public let from: String

  /// The price in the source's currency; nil for a series, in which each price is converted by the rate of its own day.
  public let price: Decimal?

  /// The price of one unit of that currency in the requested currency; for a series the newest rate.
  public let rate: Decimal

  /// The id of the provider of the rate.
  public let rateSource: String

  /// The rate's time by that source's own clock; the time of the request where the source does not state one.
  public let rateTime: Date

  /// The number of days of a series without a rate of their own, such as weekends; their prices are converted by the
  /// last rate before.
  public let carriedDays: Int

  /// The first day for which the source of the rates may still state one, which it has not yet; nil where none is left.
  package var openFrom: Date?

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
  /// Returns the answer with its prices in another currency.
  ///
  /// The result is as fresh as the older of the answer and the rate; the rate's own time is that of the conversion.
  ///
  /// - Parameters:
  ///   - value: The converted value.
  ///   - currency: The currency that it is in now.
  ///   - rate: The rate and its source.
  ///   - conversion: The conversion that was done.
  ///   - warnings: The warnings of the conversion.
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
  /// Returns the older of the two.
  package func staler(_ other: Freshness) -> Freshness {
    (other.age ?? .zero) > (age ?? .zero) || !isStale ? other : self
  }
}
