package import BitpalModel
package import BitpalProviders
import FoundationEssentials

/// The prices of all providers beside each other, and the price on which they agree.
extension PriceService {
  /// The prices of one provider, by the ids of the coins.
  package struct Ballot: Sendable {
    /// The provider that was asked.
    package let provider: ProviderDescriptor

    /// Its price of each coin, or the reason why it has none.
    package let prices: [String: Result<Sourced<Coin>, BitpalError>]
  }

  /// Returns the prices of ids on which the providers agree.
  ///
  /// A coin of which no provider has a price fails as it does without a rule; an exchange rate that none has is asked of the
  /// sources of rates.
  ///
  /// - Throws: `CancellationError`.
  func agreedPrices(
    _ ids: [String], currency: String, policy: FetchPolicy, by rule: AgreementRule
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    let ballots = try await ballots(ids, currency: currency, policy: policy)
    var outcomes = Dictionary(ids.map { ($0, rule.outcome(of: $0, ballots)) }) { first, _ in first }
    let rates = ids.filter { id in
      CurrencyCoin.currency(of: id) != nil && !ballots.contains { (try? $0.prices[id]?.get()) != nil }
    }
    if !rates.isEmpty {
      let question = Question.quotes(rates, currency: currency, timeToLive: asker.settings.quotesTimeToLive)
      outcomes.merge(try await asker.ask(question, for: Coin.self, policy: policy)) { $1 }
    }
    return outcomes
  }

  /// Returns the prices of ids at every provider, which are asked at the same time.
  ///
  /// Each is asked as if it were the only one: from the cache, within its budget, and converted where it lacks the currency.
  /// A price in a coin that stands for the currency, such as Tether, is converted by that coin's own price.
  ///
  /// - Returns: A ballot for each provider, in their order.
  /// - Throws: `CancellationError`.
  package func ballots(
    _ ids: [String], currency: String, policy: FetchPolicy = .normal
  ) async throws -> [Ballot] {
    try await BlockingPool.run {
      try await withThrowingTaskGroup(of: (Int, Ballot).self) { group in
        for (place, provider) in asker.sources.providers.enumerated() {
          group.addTask { (place, try await ballot(of: provider, ids, currency: currency, policy: policy)) }
        }
        var ballots: [(place: Int, ballot: Ballot)] = []
        for try await ballot in group { ballots.append(ballot) }
        return ballots.sorted { $0.place < $1.place }.map(\.ballot)
      }
    }
  }

  private func ballot(
    of provider: any PriceProvider, _ ids: [String], currency: String, policy: FetchPolicy
  ) async throws -> Ballot {
    // The price of the coin that stands for the currency is asked for meanwhile.
    async let usual = standInPrice(for: currency, at: provider, policy: policy)
    var prices = try await prices(ids, currency: currency, policy: policy, of: provider)
    for case (let id, .success(let quote)) in prices {
      let asked = quote.conversion?.from ?? currency
      guard let ticker = provider.descriptor.standIns[asked] else { continue }
      let rate = try await asked == currency ? usual : standInPrice(for: asked, at: provider, policy: policy)
      prices[id] = converted(quote, from: ticker, to: currency, by: rate)
    }
    return Ballot(provider: provider.descriptor, prices: prices)
  }

  private func prices(
    _ ids: [String], currency: String, policy: FetchPolicy, of provider: any PriceProvider
  ) async throws -> [String: Result<Sourced<Coin>, BitpalError>] {
    let asker = asker.asking([provider])
    let question = Question.quotes(ids, currency: currency, timeToLive: asker.settings.quotesTimeToLive)
    let (coins, rates) = (
      ids.filter { CurrencyCoin.currency(of: $0) == nil }, ids.filter { CurrencyCoin.currency(of: $0) != nil }
    )
    var prices = try await asker.ask(question.about(coins), of: [provider], policy: policy)
    if !rates.isEmpty, provider.descriptor.hasCurrencies ?? true {
      prices.merge(try await asker.ask(question.about(rates).keptAsRates, of: [provider], policy: policy)) { $1 }
    }
    return try await CurrencyConverter(asker: asker).converting(
      prices.mapValues { $0.flatMap { $0.holding(Coin.self) } }, to: currency, policy: policy)
  }

  /// Returns the price of the coin that stands for a currency at a provider, from the providers that answer in the currency
  /// itself; nil where this one does.
  private func standInPrice(
    for currency: String, at provider: any PriceProvider, policy: FetchPolicy
  ) async throws -> Result<Sourced<Coin>, BitpalError>? {
    guard let coin = provider.descriptor.standIns[currency].flatMap({ WellKnownCoins.coin(ticker: $0)?.id })
    else { return nil }
    let others = asker.sources.providers.filter { $0.descriptor.standIns[currency] == nil }
    let question = Question.quotes([coin], currency: currency, timeToLive: asker.settings.quotesTimeToLive)
    return try await asker.asking(others).ask(question, of: others, policy: policy)[coin]?.flatMap {
      $0.holding(Coin.self)
    }
  }

  private func converted(
    _ quote: Sourced<Coin>, from ticker: String, to currency: String, by rate: Result<Sourced<Coin>, BitpalError>?
  ) -> Result<Sourced<Coin>, BitpalError> {
    guard case .success(let rate)? = rate else {
      let reason = "its \(currency) is \(ticker.uppercased()), of which no other source here has a price"
      return .failure(.noPrice(coin: quote.value.id, provider: quote.source, reason: reason))
    }
    return converter.converted(quote, from: ticker, to: currency, by: rate.map { ExchangeRate($0) })
  }
}

extension [PriceService.Ballot] {
  /// Returns the failure of a coin of which no provider has a price.
  package func failure(of coin: String) -> BitpalError {
    let failures = compactMap { ballot -> ProviderFailure? in
      guard case .failure(let error)? = ballot.prices[coin] else { return nil }
      return ProviderFailure(provider: ballot.provider.id, error: error)
    }
    return failures.combined ?? .noPrice(coin: coin, provider: Agreement.source)
  }
}

extension AgreementRule {
  /// Returns which of the providers' prices of a coin count.
  package func agreement(on coin: String, _ ballots: [PriceService.Ballot]) -> Agreement {
    judge(ballots.map { Vote($0, try? $0.prices[coin]?.get(), of: coin) })
  }

  /// Returns the price of a coin on which the providers agree, or the reason why there is none.
  func outcome(of coin: String, _ ballots: [PriceService.Ballot]) -> Result<Sourced<Coin>, BitpalError> {
    let quotes = ballots.map { try? $0.prices[coin]?.get() }
    guard quotes.contains(where: { $0 != nil }) else { return .failure(ballots.failure(of: coin)) }
    let agreement = agreement(on: coin, ballots)
    let counted = zip(ballots, quotes).compactMap { ballot, quote in
      agreement.counted.contains { $0.source == ballot.provider.id } ? quote : nil
    }
    if agreement.isReached, let answer = Sourced(counted, agreement) { return .success(answer) }
    let failure = BitpalError.sourcesDisagree(coin: coin, agreement)
    guard otherwise == .first, let first = quotes.lazy.compactMap(\.self).first else { return .failure(failure) }
    return .success(first.adding([.sourcesDisagree(coin: coin, agreement)]).counted(by: agreement))
  }
}

extension AgreementRule.Vote {
  /// Creates the vote of a provider; an answer that is old, for another reason than that nothing newer may be asked for, must
  /// not count.
  fileprivate init(_ ballot: PriceService.Ballot, _ quote: Sourced<Coin>?, of coin: String) {
    let id = ballot.provider.id
    guard let quote else {
      let failure: BitpalError? = if case .failure(let error)? = ballot.prices[coin] { error } else { nil }
      self.init(source: id, price: nil, fault: failure?.message)
      return
    }
    let fault: String? =
      switch quote.freshness {
      case .fresh, .stale(_, because: .offline), .stale(_, because: .renewing): nil
      case .stale(_, because: .sourceFailed), .outdated: quote.freshness.text
      }
    self.init(
      source: id, origin: ballot.provider.republishes ?? quote.source, price: quote.value.currentPrice, fault: fault)
  }
}

extension Sourced<Coin> {
  /// Creates the answer on which sources agree: the median of their prices and of their changes, as old as the oldest of
  /// them; nil where none counts.
  fileprivate init?(_ counted: [Sourced<Coin>], _ agreement: Agreement) {
    guard let first = counted.first, let price = agreement.median,
      let coin = try? Coin(
        validating: first.value.id, symbol: first.value.symbol, name: first.value.name, currentPrice: price,
        priceChangePercentage24h: counted.compactMap(\.value.priceChangePercentage24h).median,
        lastUpdated: counted.compactMap(\.value.lastUpdated).min())
    else { return nil }
    self.init(
      coin, about: first.about, source: Agreement.source, fetchedAt: counted.map(\.fetchedAt).min() ?? first.fetchedAt,
      freshness: counted.dropFirst().reduce(first.freshness) { $0.staler($1.freshness) },
      warnings: counted.flatMap(\.warnings)
        + (agreement.leftOut.contains { $0.isFar } ? [.sourcesDisagree(coin: first.value.id, agreement)] : []))
    self.agreement = agreement
  }
}
