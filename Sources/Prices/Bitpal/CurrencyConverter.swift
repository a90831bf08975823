import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The conversion of answers in another currency into one that the providers lack, by the rate of the converting
/// providers.
struct CurrencyConverter: Sendable {
  let asker: Asker

  var sources: PriceSources { asker.sources }
  var settings: ServiceSettings { asker.settings }

  // MARK: Quotes

  /// Returns the outcomes, with converted quotes in the place of failures that concern the currency.
  ///
  /// - Throws: `CancellationError`.
  func converting(
    _ outcomes: [String: Result<Sourced<Coin>, BitpalError>], to currency: String, policy: FetchPolicy
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    // Nearly always every coin has its quote, and no table is needed.
    if outcomes.values.allSatisfy({ (try? $0.get()) != nil }) { return outcomes }
    var outcomes = outcomes
    var failures = outcomes.compactMapValues { outcome in
      if case .failure(let error) = outcome { error } else { nil }
    }.filter { !CurrencyCoin.isRate($0.key) }
    var tried: Set<String> = [currency]
    // The second round uses the currency that the source names as its own.
    for _ in 0..<2 {
      var coins: [String: [String]] = [:]
      for (coin, error) in failures {
        if let pivot = pivot(after: error, tried: tried, isOfQuotes: true) { coins[pivot, default: []].append(coin) }
      }
      failures = [:]
      for (pivot, coins) in coins.sorted(by: { $0.key < $1.key }) {
        tried.insert(pivot)
        let question = Question.quotes(coins.sorted(), currency: pivot, timeToLive: settings.quotesTimeToLive)
        let quotes = try await asker.ask(question, for: Coin.self, policy: policy)
        let priced = quotes.values.compactMap { try? $0.get().value }
        let rate = priced.isEmpty ? nil : try await self.rate(from: pivot, to: currency, for: priced, policy: policy)
        for (coin, outcome) in quotes {
          switch (outcome, rate) {
          case (.failure(let error), _):
            failures[coin] = error
            if !error.isOfAnyCurrency, error.supportedCurrencies == nil { outcomes[coin] = outcome }
          case (.success(let quote), .success(let rate)?):
            // Without having been asked, a source may have the pair itself; then the caller asks.
            if policy != .offline, case .failure(.offline)? = outcomes[coin], mayAnswer(in: currency, like: quote) {
              break
            }
            outcomes[coin] = converted(quote, from: pivot, to: currency, by: rate)
          case (.success, .failure(let error)?):
            if case .failure(let original)? = outcomes[coin] { outcomes[coin] = .failure(original.orAlso(error)) }
          case (.success, nil): break
          }
        }
      }
      if failures.isEmpty { break }
    }
    return outcomes
  }

  /// Returns whether the source of a quote may have its coin in another currency as well.
  func mayAnswer(in currency: String, like quote: Sourced<Coin>) -> Bool {
    guard let source = sources.provider(of: quote.about)?.descriptor else { return false }
    return !source.hasOwnCurrencies && source.mayAnswer(in: currency)
  }

  /// Returns a quote in another currency, or the failure of a price that does not fit.
  func converted(
    _ quote: Sourced<Coin>, from pivot: String, to currency: String, by rate: Sourced<ExchangeRate>
  ) -> Result<Sourced<Coin>, BitpalError> {
    let coin = quote.value
    let change = coin.priceChangePercentage24h.flatMap { change in
      rate.value.change24h.flatMap { change.compounded(with: $0) }
    }
    guard let price = coin.currentPrice.converted(at: rate.value.applied),
      let value = try? Coin(
        validating: coin.id, symbol: coin.symbol, name: coin.name, currentPrice: price,
        priceChangePercentage24h: change,
        lastUpdated: coin.lastUpdated
      ).with(volume: coin.volume)
    else {
      return .failure(
        .noPrice(coin: coin.id, provider: quote.source, reason: "its price in \(currency) is too large or too small"))
    }
    return .success(
      quote.converted(
        value, to: currency, by: rate,
        Conversion(
          from: pivot, price: coin.currentPrice, rate: rate.value.rate, rateSource: rate.source,
          rateTime: rate.value.time ?? rate.fetchedAt)))
  }

  // MARK: Answers about one coin

  /// Returns a detail in a currency, converted where the providers lack that currency.
  ///
  /// Changes and extremes apply to the source's own currency only, and are omitted with a warning.
  ///
  /// - Throws: `BitpalError` without a detail, or without a rate for it.
  func converting(
    _ coin: String, to currency: String, policy: FetchPolicy,
    _ ask: (String) async throws -> Sourced<CoinDetail>
  ) async throws -> Sourced<CoinDetail> {
    try await converting(coin, to: currency, ask) { answer, pivot in
      let detail = answer.value
      let rate = try await rate(from: pivot, to: currency, for: [detail.coin], policy: policy).get()
      let quote = try converted(answer.map { $0.coin }, from: pivot, to: currency, by: rate).get()
      func amount(_ value: Decimal?) -> Decimal? { value.flatMap { $0.converted(at: rate.value.applied) } }
      let value = try CoinDetail(
        validating: quote.value, marketCap: amount(detail.marketCap), totalVolume: amount(detail.totalVolume),
        circulatingSupply: detail.circulatingSupply, totalSupply: detail.totalSupply,
        maximumSupply: detail.maximumSupply, rank: detail.rank, image: detail.image)
      let hasMore =
        detail.changes != PeriodChanges() || detail.allTimeHigh != nil || detail.allTimeLow != nil
      return Sourced(
        value, about: quote.about, source: quote.source, fetchedAt: quote.fetchedAt, freshness: quote.freshness,
        warnings: quote.warnings + (hasMore ? [.unconverted("changes and extremes", coin: coin)] : []),
        conversion: quote.conversion)
    }
  }

  /// Returns a line in a currency; each point is converted by the rate of its day where the providers lack the
  /// currency.
  ///
  /// - Throws: `BitpalError` without a line, or without a rate for it.
  func converting(
    _ coin: String, to currency: String, policy: FetchPolicy,
    _ ask: (String) async throws -> Sourced<LineSeries>
  ) async throws -> Sourced<LineSeries> {
    try await converting(coin, to: currency, ask) { answer, pivot in
      let instant = answer.value.instantOfRate
      return try await converted(
        answer, answer.value.points, from: pivot, to: currency, policy: policy, at: instant
      ) {
        $0.converting($1, at: instant) { $0.converted(at: $1) }
      }.map { answer.value.with($0) }
    }
  }

  /// Returns candles in a currency; each is converted by the rates of its days where the providers lack the currency.
  ///
  /// - Throws: `BitpalError` without candles, or without a rate for them.
  func converting(
    _ coin: String, to currency: String, policy: FetchPolicy,
    _ ask: (String) async throws -> Sourced<CandleSeries>
  ) async throws -> Sourced<CandleSeries> {
    try await converting(coin, to: currency, ask) { answer, pivot in
      try await converted(
        answer, answer.value.candles, from: pivot, to: currency, policy: policy, at: \.timestamp
      ) { $0.converting($1, width: answer.value.width) }.map { answer.value.with($0) }
    }
  }

  /// Returns daily closes in a currency; each is converted by the rate of its day where the providers lack the
  /// currency.
  ///
  /// - Throws: `BitpalError` without closes, or without a rate for them.
  func converting(
    _ coin: String, to currency: String, policy: FetchPolicy,
    _ ask: (String) async throws -> Sourced<[Resampling.DailyClose]>
  ) async throws -> Sourced<[Resampling.DailyClose]> {
    try await converting(coin, to: currency, ask) { answer, pivot in
      try await converted(answer, answer.value, from: pivot, to: currency, policy: policy, at: \.day) { rates, closes in
        rates.converting(closes, at: \.day) { close, rate in
          close.price.converted(at: rate).map {
            Resampling.DailyClose(
              day: close.day, price: $0, carriedFrom: close.carriedFrom, isProvisional: close.isProvisional)
          }
        }
      }
    }
  }

  /// Asks in a currency; where the providers lack it, asks in another one and converts.
  ///
  /// - Parameter convert: Makes the answer from one in the other currency.
  /// - Throws: `BitpalError`: the first failure, followed by that of the rate where there is one.
  private func converting<Value>(
    _ coin: String, to currency: String, _ ask: (String) async throws -> Sourced<Value>,
    _ convert: (_ answer: Sourced<Value>, _ pivot: String) async throws -> Sourced<Value>
  ) async throws -> Sourced<Value> {
    do {
      return try await ask(currency)
    } catch let original as BitpalError {
      if CurrencyCoin.isRate(coin) { throw original }
      var tried: Set<String> = [currency]
      var last = original
      while tried.count <= 2, let pivot = pivot(after: last, tried: tried) {
        tried.insert(pivot)
        let answer: Sourced<Value>
        do {
          answer = try await ask(pivot)
        } catch let error as BitpalError {
          guard error.isOfAnyCurrency || error.supportedCurrencies != nil else { throw error }
          last = error
          continue
        }
        do {
          return try await convert(answer, pivot)
        } catch let error as BitpalError {
          throw original.orAlso(error)
        }
      }
      throw original
    }
  }

  private func converted<Value, Price>(
    _ answer: Sourced<Value>, _ prices: [Price], from pivot: String, to currency: String, policy: FetchPolicy,
    at instant: (Price) -> Date, _ convert: (ExchangeRates, [Price]) -> ConvertedPrices<Price>
  ) async throws -> Sourced<[Price]> {
    let first = prices.first.map(instant) ?? asker.time.now
    let line = try await rates(from: pivot, to: currency, since: first, policy: policy)
    guard let newest = line.value.points.last else {
      throw BitpalError.noData(question: "\(pivot) in \(currency)", provider: line.source)
    }
    let result = convert(line.value, prices)
    let last = prices.last.flatMap { line.value.rate(at: instant($0)) } ?? newest
    guard !result.prices.isEmpty || prices.isEmpty else {
      throw BitpalError.noData(
        question: "\(pivot) in \(currency) since \(first.dayText); its latest rate is of \(newest.timestamp.dayText)"
          + CurrencyCoin.reason(ofNoRateFrom: pivot, to: currency),
        provider: line.source)
    }
    var conversion = Conversion(
      from: pivot, price: nil, rate: last.price, rateSource: line.source, rateTime: last.timestamp,
      carriedDays: result.carriedDays.count)
    // Prices of one's own hold until the next one.
    if sources.provider(of: line.about)?.descriptor.hasStepPrices != true { conversion.openFrom = line.value.openFrom }
    return answer.converted(
      result.prices, to: currency, by: line, conversion,
      warnings: result.withoutRate > 0 ? [.withoutRate(count: result.withoutRate, source: line.source)] : [])
  }
}

extension LineSeries {
  /// The instant of whose day in UTC the rate of a point is: the price at midnight is the close of the day that ends.
  var instantOfRate: (ChartDataPoint) -> Date {
    isDaily ? \.timestamp : { $0.timestamp.adding(.milliseconds(-1)) }
  }
}

extension Decimal {
  /// Returns the change in percent that results from this change and then another; nil when it does not fit.
  fileprivate func compounded(with other: Decimal) -> Decimal? {
    (self + 100).converted(at: other + 100).map { ($0 / 100 - 100).rounded(scale: 18) }
  }
}

extension BitpalError {
  /// Returns the failure followed by that of the rate, unless the rate fails only because nothing is cached or
  /// recorded.
  fileprivate func orAlso(_ ofRate: BitpalError) -> BitpalError {
    ofRate.isOfAnyCurrency ? self : followed(by: ofRate)
  }

  /// Whether the failure holds for every currency: a recording or the cache has nothing.
  fileprivate var isOfAnyCurrency: Bool { code == .notRecorded || code == .offline }
}
