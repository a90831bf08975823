import BitpalCache
import BitpalConfig
import BitpalModel
import BitpalProviders
package import FoundationEssentials

/// The knowledge of this machine about a source's prices of a coin, found without a request.
package struct CoinCoverage: Sendable {
  /// The states of that knowledge, the most certain first.
  package enum Verdict: String, CaseIterable, Sendable {
    /// A price from the source is in the cache.
    case priced

    /// The source's list of coins has it, or its file names all of its coins, with this one.
    case listed

    /// The file has the source's name for the coin, which does not prove that the source trades it.
    case named

    /// Only a request would show it.
    case unknown

    /// The source does not have the coin, or does not answer in the currency.
    case absent
  }

  /// The source.
  package let source: ProviderSummary

  /// The knowledge.
  package let verdict: Verdict

  /// The ground for it, in a few words.
  package let reason: String
}

extension Assembly {
  /// Returns what is known about a coin at every source that answers quotes, the most certain knowledge first.
  ///
  /// - Parameters:
  ///   - name: An alias, a well-known ticker or an id.
  ///   - currency: The currency, lower case; nil for any.
  ///   - now: The instant from which the age of coin lists counts.
  package func coverage(of name: String, in currency: String?, now: Date) -> [CoinCoverage] {
    let coin =
      CoinNames.forcedID(name) ?? settings.aliases[name.lowercased()] ?? WellKnownCoins.coin(ticker: name)?.id ?? name
    let cache = cache()
    let found = providers().compactMap { source -> CoinCoverage? in
      guard !source.isShadowed, let descriptor = source.descriptor, descriptor.capabilities.contains(.quotes) else {
        return nil
      }
      let (verdict, reason) = knowledge(of: coin, in: currency, at: descriptor, source.specification, cache, now)
      return CoinCoverage(source: source, verdict: verdict, reason: reason)
    }
    return CoinCoverage.Verdict.allCases.flatMap { verdict in found.filter { $0.verdict == verdict } }
  }

  private func knowledge(
    of coin: String, in currency: String?, at source: ProviderDescriptor, _ file: ProviderSpecification?,
    _ cache: PriceCache, _ now: Date
  ) -> (CoinCoverage.Verdict, String) {
    if let currency, !source.mayAnswer(in: currency) { return (.absent, "it has no prices in \(currency)") }
    guard source.coins.has(coin) else { return (.absent, "its file excludes it") }
    for currency in currency.map({ [$0] }) ?? source.currencies {
      let key = AnswerKey(provider: source.cacheIdentity, kind: .quote, coin: coin, currency: currency)
      if let stamp = cache.stamp(of: key) { return (.priced, "in \(currency) on \(stamp.fetchedAt.dayText)") }
    }
    if case .listed = source.coins { return (.listed, "its file names its coins") }
    let symbol = file?.symbols[coin] ?? WellKnownCoins.coin(ofID: coin)?.symbol
    let ownName = file?.declared?.ids[coin] ?? file?.symbols[coin]
    if source.capabilities.contains(.coinList),
      let list = cache.stamp(of: AnswerKey(provider: source.cacheIdentity, kind: .coinList))
    {
      let name = source.listedIDs == .tickers ? symbol ?? coin : coin
      let day = list.fetchedAt.dayText
      if cache.coins(named: name.lowercased(), provider: source.cacheIdentity).contains(where: {
        $0.id == coin || source.listedIDs == .tickers
      }) {
        return (.listed, "in its list of \(day)")
      }
      let isNew = now.since(list.fetchedAt) <= ServiceSettings.absenceTimeToLive
      return isNew && source.listedIDs != .tickers
        ? (.absent, "not in its list of \(day)") : (.unknown, "not in its list of \(day)")
    }
    if let ownName { return (.named, "as \(ownName)") }
    guard source.needsNetwork else { return (.unknown, "it answers from this machine, at once") }
    return (.unknown, source.capabilities.contains(.coinList) ? "its list was not fetched yet" : "it has no list")
  }
}
