import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials

/// The owner of a coin, the source that gave its last price: it explains what it lacks, and its line is the coin's week.
///
/// Sources before it in the list are asked first all the same, unless they lack the coin or have just failed.
extension Asker {
  /// Returns the outcome of a question about a coin, with the owner's reason where no source knows the coin.
  func explained(_ coin: String, _ outcome: Outcome, _ question: Question) -> Outcome {
    guard case .failure(let error) = outcome, error.code == .notFound,
      let descriptor = owner(of: coin, in: question.currency)?.descriptor
    else { return outcome }
    let capability = question.capability(descriptor)
    guard !descriptor.capabilities.contains(capability) else { return outcome }
    return .failure(.unsupported(capability, provider: descriptor.id, others: []))
  }

  /// Returns the source that gave the last price of a coin; nil when none did.
  func owner(of coin: String, in currency: String) -> (any PriceProvider)? {
    guard CurrencyCoin.currency(of: coin) == nil else { return nil }
    let currencies = ([currency, settings.currency] + CurrencyConverter.pivots)
      .reduce(into: [String]()) { if !$1.isEmpty, !$0.contains($1) { $0.append($1) } }
    func lastPriced(_ provider: any PriceProvider) -> Date? {
      currencies.lazy.compactMap { currency in
        cache.answer(for: .quote(coin, in: currency, from: provider))?.answer.fetchedAt
      }.first
    }
    var owner: (provider: any PriceProvider, priced: Date)?
    for provider in sources.providers {
      if let priced = lastPriced(provider), owner.map({ priced > $0.priced }) ?? true { owner = (provider, priced) }
    }
    return owner.flatMap { time.now.since($0.priced) <= settings.maxStale ? $0.provider : nil }
  }
}
