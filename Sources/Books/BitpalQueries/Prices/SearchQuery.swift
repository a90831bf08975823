package import Bitpal
package import BitpalModel

/// The question for coins by a part of their id, symbol or name.
package struct SearchQuery: Sendable {
  package static let limit = ParameterSpec(
    "limit", .count(1...100_000), "print at most N coins (those that fit the screen, or 50)", short: "n")

  package let text: String

  /// The largest number of coins.
  package let limit: Int

  /// Reads the parameters.
  ///
  /// - Parameter usual: The limit without the parameter.
  /// - Throws: ``BitpalError/usage(_:hint:)`` for a bad limit.
  package init(_ text: String, _ parameters: some Parameters, usual: Int = 50) throws(BitpalError) {
    self.text = text
    limit = try parameters.number(Self.limit) ?? usual
  }

  /// Returns the coins that match.
  ///
  /// - Parameter suggests: Whether the nearest name is looked for where nothing matches, which compares every name.
  /// - Throws: The error of the source.
  package func answer(
    by service: PriceService, policy: FetchPolicy = .normal, suggests: Bool = true
  ) async throws -> SearchAnswer {
    // One coin more than is returned shows whether more match.
    let found = try await service.search(text, limit: limit + 1, policy: policy)
    let coins = found.map { Array($0.prefix(limit)) }
    return SearchAnswer(
      text: text, coins: coins, hasMore: found.value.count > limit, prices: service.cachedPrices(of: coins.value),
      suggestion: suggests && coins.value.isEmpty ? service.nearestCoin(to: text) : nil, name: service.name(ofID:))
  }
}

/// The coins that a search found.
package struct SearchAnswer: Sendable {
  package let text: String
  package let coins: Sourced<[CoinListItem]>

  /// Whether there are more coins than were asked for.
  package let hasMore: Bool

  /// The cached prices of the coins, at any age.
  package let prices: CandidatePrices?

  /// The nearest known name when nothing was found; nil for none.
  package let suggestion: String?

  /// Returns the name that stands for the coin of an id: `id:beam` where a ticker or an alias hides the id.
  package let name: @Sendable (String) -> String

  /// The sentence on a coin that is found by a former id or ticker; nil for none.
  package var renaming: String? {
    coins.value.lazy.filter { WellKnownCoins.isSuccessor($0.id) }
      .compactMap { WellKnownCoins.renaming(of: text, to: $0.id, at: coins.source) }.first
  }

  package init(
    text: String, coins: Sourced<[CoinListItem]>, hasMore: Bool = false, prices: CandidatePrices? = nil,
    suggestion: String? = nil, name: @escaping @Sendable (String) -> String = WellKnownCoins.name(ofID:)
  ) {
    self.text = text
    self.coins = coins
    self.hasMore = hasMore
    self.prices = prices
    self.suggestion = suggestion
    self.name = name
  }
}
