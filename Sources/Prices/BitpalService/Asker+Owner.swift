import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The owner of a coin, the source that gave its last price, which is asked first for its week, figures, chart and history.
///
/// This is the only place that prefers a source of the list to those before it.
extension Asker {
  /// Returns the coins of a question with the source that owns them, in groups that are asked together.
  ///
  /// A question for prices has no owner, so that a source that has recovered gives the price again.
  func groups(of question: Question) -> [(owner: (any PriceProvider)?, coins: [String])] {
    guard question.asksOwners, sources.providers.count > 1 else { return [(nil, question.coins)] }
    var groups: [(owner: (any PriceProvider)?, coins: [String])] = []
    for coin in question.coins {
      let owner = owner(of: coin, for: question)
      let identity = owner?.descriptor.cacheIdentity
      if let index = groups.firstIndex(where: { $0.owner?.descriptor.cacheIdentity == identity }) {
        groups[index].coins.append(coin)
      } else {
        groups.append((owner, [coin]))
      }
    }
    return groups
  }

  /// Returns the sources that can answer about coins of an owner: the owner, then the others in order of fallback.
  func sources(of question: Question, ownedBy owner: (any PriceProvider)?) -> [any PriceProvider] {
    let able = sources.sources(of: question)
    guard let identity = owner?.descriptor.cacheIdentity,
      let first = able.first(where: { $0.descriptor.cacheIdentity == identity })
    else { return able }
    return [first] + able.filter { $0.descriptor.cacheIdentity != identity }
  }

  /// Returns the reason for which the owner of a coin has no answer, where no other source knows the coin.
  func reason(_ outcome: Outcome, _ question: Question, ownedBy owner: (any PriceProvider)?) -> Outcome {
    guard let descriptor = owner?.descriptor, case .failure(let error) = outcome, error.code == .notFound else {
      return outcome
    }
    let capability = question.capability(descriptor)
    guard !descriptor.capabilities.contains(capability) else { return outcome }
    return .failure(.unsupported(capability, provider: descriptor.id, others: []))
  }

  /// Returns the source that gave the last price of a coin; nil when none did, and when the answer of a source before it
  /// is fresh.
  func owner(of coin: String, for question: Question) -> (any PriceProvider)? {
    guard CurrencyCoin.currency(of: coin) == nil else { return nil }
    let currencies = ([question.currency, settings.currency] + CurrencyConverter.pivots)
      .reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    func lastPriced(_ provider: any PriceProvider) -> Date? {
      currencies.lazy.compactMap { currency in
        cache.answer(
          for: AnswerKey(
            provider: provider.descriptor.cacheIdentity, kind: .quote, coin: coin, currency: currency)
        )?.answer.fetchedAt
      }.first
    }
    var owner: (provider: any PriceProvider, priced: Date)?
    for provider in sources.providers {
      if let found = cached(question, coin, at: provider)?.answer,
        time.now.since(found.fetchedAt) <= question.timeToLive
      {
        return owner == nil ? nil : provider
      }
      if let priced = lastPriced(provider), owner.map({ priced > $0.priced }) ?? true { owner = (provider, priced) }
    }
    return owner.flatMap { time.now.since($0.priced) <= settings.maxStale ? $0.provider : nil }
  }
}

extension Question {
  /// Whether the source that gave a coin's price is asked first.
  fileprivate var asksOwners: Bool { query != .coinList && kind != .quote }
}
