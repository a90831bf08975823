import BitpalModel
import BitpalProviders

/// The providers in order of fallback, and the sources of exchange rates for currencies that they lack.
struct PriceSources: Sendable {
  /// At least one; each is asked when those before it fail.
  let providers: [any PriceProvider]

  /// The sources of exchange rates, in order of fallback.
  let converters: ConvertingProviders

  /// The sources with a coin list, in order of fallback.
  var listProviders: [any PriceProvider] {
    providers.filter { $0.descriptor.capabilities.contains(.coinList) }
  }

  /// The sources whose quotes include market figures and weeks.
  var figureSources: [any PriceProvider] { providers.filter { $0.descriptor.quotesCarryFigures } }

  /// Whether some source has no coin list, so that the lists together do not have every coin.
  var hasSourceWithoutList: Bool {
    providers.contains { !$0.descriptor.capabilities.contains(.coinList) }
  }

  /// Returns the provider that gave an answer.
  ///
  /// A relay passes on the answers of other sources, so this need not be the answer's source.
  func provider(of key: AnswerKey) -> (any PriceProvider)? {
    (providers + converters.cached).first { $0.descriptor.cacheIdentity == key.provider }
  }

  /// Returns a series with warnings of what is implausible in its prices.
  ///
  /// - Parameters:
  ///   - isDaily: Whether each price is the close of a day.
  ///   - window: The window that the series is of; nil for one that need not reach to its end.
  ///   - points: Returns the prices.
  func doubting<Series>(
    _ series: Sourced<Series>, isDaily: Bool, in window: TimeWindow? = nil, _ points: (Series) -> [ChartDataPoint]
  ) -> Sourced<Series> {
    let isRate = CurrencyCoin.currency(of: series.about.coin) != nil
    let source = provider(of: series.about)?.descriptor
    let points = points(series.value)
    let hasPauses = source?.hasPauses(of: series.about.coin) == true
    var findings = Plausibility.findings(in: points, isDaily: isDaily, pauses: !isRate && hasPauses, isRate: isRate)
    let times = points.map(\.timestamp)
    if let window, source?.hasStepPrices != true,
      let hole = Plausibility.hole(in: times, of: window, pause: hasPauses ? ProviderDescriptor.longestPause : .zero)
    {
      findings.append(hole)
    }
    if let window, let source, !series.freshness.isServedStale,
      let last = Plausibility.end(of: times, in: window, maxAge: source.maxAge(of: series.about.coin))
    {
      findings.append(.ended(last))
    }
    return series.adding(findings.map { .implausible(coin: series.about.coin, $0) })
  }

  /// Returns daily closes with warnings of what is implausible in them.
  func doubting(_ closes: Sourced<[Resampling.DailyClose]>) -> Sourced<[Resampling.DailyClose]> {
    doubting(closes, isDaily: true) { $0.map { ChartDataPoint(timestamp: $0.day, price: $0.price) } }
  }

  /// Returns the sources that can answer, in order of fallback; all of them when none can, so that each states its
  /// refusal.
  func sources(of question: Question) -> [any PriceProvider] {
    let asked = question.isOfRates ? currencySources(isConversion: question.isConversion) : providers
    let able = asked.filter { $0.descriptor.capabilities.contains(question.capability($0.descriptor)) }
    return able.isEmpty ? asked : able
  }

  /// Returns the sources of exchange rates: the providers that have them, then the converting ones.
  ///
  /// - Parameter isConversion: Whether the rate converts another answer. Otherwise the user asks for the currency
  ///   itself, and the providers are asked unless they are known to have none.
  private func currencySources(isConversion: Bool) -> [any PriceProvider] {
    let converting = (try? converters.all()) ?? []
    let chosen = providers.filter { $0.descriptor.hasCurrencies ?? !isConversion }
    let known = Set(chosen.map(\.descriptor.id))
    let all = chosen + converting.filter { !known.contains($0.descriptor.id) }
    return all.isEmpty ? providers : all
  }

  /// Refuses, before anything is sent, a question that a provider cannot answer.
  ///
  /// - Throws: ``/BitpalModel/BitpalError`` `.unsupported` for a missing capability, `.unsupportedCurrency` for a
  ///   missing currency.
  func checkAbility(of provider: any PriceProvider, for question: Question) throws(BitpalError) {
    let descriptor = provider.descriptor
    let capability = question.capability(descriptor)
    guard descriptor.capabilities.contains(capability) else {
      let others = providers.map(\.descriptor).filter { $0.capabilities.contains(capability) }.map(\.id)
      throw .unsupported(capability, provider: descriptor.id, others: others)
    }
    let currency = question.currency
    if !currency.isEmpty, !descriptor.mayAnswer(in: currency) {
      throw .unsupportedCurrency(currency, provider: descriptor.id, supported: descriptor.currencies)
    }
  }
}
