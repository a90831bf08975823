import BitpalModel
import BitpalProviders
import FoundationEssentials

/// Exchange rates of currencies: the currency to ask in, the sources to ask, and the rate.
extension CurrencyConverter {
  /// The currencies in which nearly every source answers, the first one preferred.
  static let pivots = ["usd", "eur"]

  /// Returns the currency to ask in instead; nil where a failure does not concern the currency, or no provider
  /// converts.
  ///
  /// - Parameters:
  ///   - tried: The currencies that have been tried.
  ///   - isOfQuotes: Whether the question is one for prices, of which one in another currency may be at hand when the budget is
  ///     used up.
  func pivot(after error: BitpalError, tried: Set<String>, isOfQuotes: Bool = false) -> String? {
    guard !sources.converters.isNone else { return nil }
    if isOfQuotes, error.code == .rateLimited { return Self.pivots.first { !tried.contains($0) } }
    guard let supported = error.supportedCurrencies else {
      // An exchange may trade a coin in dollars and only some coins in francs; some say so by an empty answer.
      guard [.notFound, .noPrice].contains(error.code) else { return nil }
      return Self.pivots.first { currency in
        !tried.contains(currency)
          && sources.providers.contains { $0.descriptor.hasPairs && $0.descriptor.mayAnswer(in: currency) }
      }
    }
    let usual = ([settings.currency] + Self.pivots).filter { !tried.contains($0) }
    if !supported.isEmpty {
      // A unit in mixed case is not the currency of its letters: `GBp` is a penny.
      let currencies = supported.filter { $0 == $0.lowercased() }
      return usual.first { currencies.contains($0) } ?? currencies.first { !tried.contains($0) }
    }
    return usual.first { currency in
      sources.providers.contains { $0.descriptor.mayAnswer(in: currency) }
    }
  }

  /// Returns the rate of a currency in another; a source that has only the opposite pair gives the inverse.
  ///
  /// - Parameter prices: The prices to convert. Where one has a change over 24 hours and the source states none of the
  ///   rate, that is the change since the rate by which a chart converts the instant a day ago; nil without one.
  /// - Throws: `CancellationError`.
  func rate(
    from: String, to: String, for prices: [Coin] = [], policy: FetchPolicy
  ) async throws -> Result<Sourced<ExchangeRate>, BitpalError> {
    let rate = try await rateOfNow(from: from, to: to, policy: policy)
    guard prices.contains(where: { $0.priceChangePercentage24h != nil }), case .success(let answer) = rate,
      answer.value.change24h == nil
    else { return rate }
    let before = asker.time.now.adding(.seconds(-86_400))
    do {
      let rates = try await rates(from: from, to: to, since: before, policy: policy)
      guard rates.about.provider == answer.about.provider, let start = rates.value.rate(at: before)?.price else {
        return rate
      }
      return .success(
        answer.map { ExchangeRate($0.applied, time: $0.time, change24h: $0.rate.percentChange(since: start)) })
    } catch is BitpalError {
      return rate
    }
  }

  /// Returns the rate of now, with the change that the source states.
  private func rateOfNow(
    from: String, to: String, policy: FetchPolicy
  ) async throws -> Result<Sourced<ExchangeRate>, BitpalError> {
    do throws(BitpalError) { _ = try sources.converters.all() } catch { return .failure(error) }
    func quote(of coin: String, in currency: String) async throws -> Result<Sourced<Coin>, BitpalError> {
      let id = CurrencyCoin.id(of: coin)
      let question = Question.quotes([id], currency: currency, timeToLive: settings.quotesTimeToLive).forConversion
      return try await asker.ask(question, for: Coin.self, policy: policy)[id]
        ?? .failure(.noPrice(coin: id, provider: "?"))
    }
    let direct = try await quote(of: from, in: to)
    guard case .failure(let error) = direct else {
      return direct.flatMap { current($0, from, to).map { $0.map { ExchangeRate($0) } } }
    }
    guard case .success(let inverse) = try await quote(of: to, in: from),
      let rate = AppliedRate(inverting: inverse.value.currentPrice)
    else { return .failure(error.ofRate(from, to)) }
    return current(inverse, from, to).map { inverse in
      inverse.map { ExchangeRate(rate, time: $0.lastUpdated, change24h: nil) }
    }
  }

  /// Returns a rate that is new enough for conversions, or the failure that names its day.
  func current(_ rate: Sourced<Coin>, _ from: String, _ to: String) -> Result<Sourced<Coin>, BitpalError> {
    guard let time = rate.value.lastUpdated,
      asker.time.now.startOfDay.since(time.startOfDay) > maxAge(ofRatesOf: rate.about)
    else { return .success(rate) }
    return .failure(
      .noData(question: "\(from) in \(to); its latest rate is of \(time.dayText)", provider: rate.source))
  }

  /// Returns the longest time for which a source's exchange rate counts: the `max_age` of its file, otherwise a week.
  func maxAge(ofRatesOf key: AnswerKey) -> Duration {
    let stated = sources.provider(of: key)?.descriptor.maxAge
    guard let stated, ![ProviderDescriptor.usualMaxAge, ProviderDescriptor.noMaxAge].contains(stated) else {
      return ExchangeRates.usualMaxAge
    }
    return stated
  }

  /// The shortest span for which rates are asked: the European Central Bank has a file of 90 days.
  static let shortRates = Duration.seconds(90 * 86_400)

  /// Returns the rates of a currency in another, day by day, since an instant.
  ///
  /// - Throws: `BitpalError` when no source has the pair in either direction; `CancellationError`.
  func rates(
    from: String, to: String, since first: Date, policy: FetchPolicy
  ) async throws -> Sourced<ExchangeRates> {
    _ = try sources.converters.all()
    // One more week, so that the first day has a rate even at the end of several holidays. Few lengths, so that charts
    // of different ranges share an answer.
    let needed = asker.time.now.since(first) + .seconds(7 * 86_400)
    let length = [Self.shortRates, .seconds(400 * 86_400)].first { needed <= $0 }
    let window =
      length.map { TimeWindow(ending: asker.time.now, length: $0) }
      ?? TimeWindow(start: min(ChartTimeRange.firstDay, asker.time.now.adding(.zero - needed)), end: asker.time.now)
    func line(of coin: String, in currency: String) async throws -> Sourced<LineSeries> {
      let id = CurrencyCoin.id(of: coin)
      let question = Question.line(
        id, currency: currency, window: window, key: length?.unitText ?? "all",
        timeToLive: ServiceSettings.ratesTimeToLive, description: "the rates of \(coin) in \(currency)"
      ).forConversion
      var line: Sourced<LineSeries> = try await asker.answer(question, policy: policy)
      // A source with the latest days alone is followed by one that has those of before.
      var others = sources.sources(of: question)[...]
      while let oldest = line.value.points.first?.timestamp, oldest.startOfDay > first.startOfDay {
        others = others.drop { $0.descriptor.cacheIdentity != line.about.provider }.dropFirst()
        let outcome = others.isEmpty ? nil : try await asker.ask(question, of: Array(others), policy: policy)[id]
        guard let older = try? outcome?.get().holding(LineSeries.self).get() else { break }
        guard let start = older.value.points.first?.timestamp, start < oldest else { break }
        line = older
      }
      return line
    }
    let end = [from, to].compactMap { CurrencyCoin.end(of: $0) }.min()
    do {
      let line = try await line(of: from, in: to)
      return line.map { ExchangeRates($0, maxAge: maxAge(ofRatesOf: line.about), end: end) }
    } catch let error as BitpalError where error.supportedCurrencies != nil || error.has(.mayBeTicker) {
      guard let inverse = try? await line(of: to, in: from) else { throw error.ofRate(from, to) }
      return inverse.map { ExchangeRates(inverting: $0, maxAge: maxAge(ofRatesOf: inverse.about), end: end) }
    }
  }
}

/// The price of one unit of a currency in another.
struct ExchangeRate: Sendable {
  let applied: AppliedRate

  /// The time by the source's own clock; nil where the source gives none.
  let time: Date?

  /// The change over 24 hours in percent; nil where the source gives none.
  let change24h: Decimal?

  var rate: Decimal { applied.price }

  init(_ applied: AppliedRate, time: Date?, change24h: Decimal?) {
    self.applied = applied
    self.time = time
    self.change24h = change24h
  }

  init(_ coin: Coin) {
    self.init(
      AppliedRate(price: coin.currentPrice), time: coin.lastUpdated, change24h: coin.priceChangePercentage24h)
  }
}

extension BitpalError {
  /// Returns the failure of a currency's price with both currencies named, because the source does not say which one it
  /// lacks.
  func ofRate(_ from: String, _ to: String) -> BitpalError {
    switch self {
    case .notFound(_, let provider, _), .noPrice(_, let provider, _):
      .noData(
        question: "\(from) in \(to)"
          + CurrencyCoin.reason(ofNoRateFrom: from, to: to),
        provider: provider)
    case .allFailed(let causes):
      .allFailed(causes.map { ProviderFailure(provider: $0.provider, error: $0.error.ofRate(from, to)) })
    default: self
    }
  }
}
