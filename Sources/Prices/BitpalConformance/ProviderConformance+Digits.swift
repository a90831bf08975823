import BitpalModel
import BitpalProviders
import FoundationEssentials

extension ProviderConformance {
  /// Checks that every digit arrives: a price is made longer in the source's own answer, and must be returned
  /// unchanged.
  ///
  /// A number that went through a `Double` anywhere loses the digits after the 17th.
  ///
  /// - Throws: `Verdict` when the rule is broken or cannot be checked, or the failure of the provider.
  func keepsDigits() async throws {
    _ = try anyQuestion()
    let hasLong = try await comparePrices()
    guard let make, let source = sample.source else {
      if sample.prices.isEmpty { throw Verdict.skipped("no price is known to compare with") }
      return
    }
    for question in questions {
      var isTried = question.capability == .quotes && hasLong
      for price in try await prices(in: question, of: provider) {
        guard let longer = LongerPrice(source, price: price) else { continue }
        let asked = try make(longer, StoppedClock(now: sample.now))
        let found = try? await prices(in: question, of: asked)
        guard longer.isSent.withLock({ $0 }) else { continue }
        isTried = true
        guard let wanted = try? Decimal(strict: longer.longer), found?.contains(wanted) ?? false else {
          throw Verdict.failed(
            "when the source sends \(longer.longer), \(Self.difference(found ?? [], price)) comes out"
              + " (\(question.capability.rawValue))")
        }
      }
      guard !isTried else { continue }
      let kind = question.capability.rawValue
      let example = ": add an example with ask: \(asks(for: question.capability)) and such a price"
      throw Verdict.skipped(
        "no price of three digits or more stands in the answer as it comes out (\(kind))"
          + (sample.isOfExamples ? example : ""))
    }
    try expectBothSeries()
  }

  /// Compares the provider's prices with the known ones.
  ///
  /// - Returns: Whether one of them has more digits than a `Double` holds.
  private func comparePrices() async throws -> Bool {
    guard has(.quotes), !sample.prices.isEmpty else { return false }
    let answer = try await quotes(sample.prices.keys.sorted())
    var hasLong = false
    for (coin, digits) in sample.prices.sorted(by: { $0.key < $1.key }) {
      let price = answer.coins[coin]?.currentPrice
      guard let wanted = try? Decimal(strict: digits), price == wanted else {
        throw Verdict.failed("\(coin) costs \(price?.plainText ?? "nothing"), not \(digits)")
      }
      hasLong = hasLong || LongerPrice.significantDigits(wanted) > 17
    }
    return hasLong
  }

  /// Returns the prices of all quotes, of the last point, or of the last candle.
  private func prices(in question: ProviderQuery, of provider: any PriceProvider) async throws -> [Decimal] {
    switch question {
    case .quotes(let coins, let currency):
      let found = try await quotes(coins, in: currency, of: provider).coins
      return coins.compactMap { found[$0]?.currentPrice }
    case .line:
      return try await provider.value(question, as: LineSeries.self).points.suffix(1).map(\.price)
    case .candles:
      let series = try await provider.value(question, as: CandleSeries.self)
      return series.candles.suffix(1).flatMap { [$0.open, $0.high, $0.low, $0.close] }
    case .coinList, .top, .detail: return []
    }
  }

  /// Returns the price nearest to the longer one, for the message.
  private static func difference(_ found: [Decimal], _ price: Decimal) -> String {
    found.min { abs($0 - price) < abs($1 - price) }?.plainText ?? "nothing"
  }
}
