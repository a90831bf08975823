import BitpalModel
import BitpalPortfolio
import BitpalProviders
import BitpalService

extension PortfolioContext {
  /// The id of a coin that exists: it is in the portfolio, in the coin list, or has a price.
  func existingCoin(_ name: String) async throws -> String {
    let policy = session.options.policy
    let id = try await service.resolve(name, policy: policy)
    if try !store.transactions(of: id).isEmpty { return id }
    if let known = await listedCoins() {
      if known.contains(id) { return id }
      let suggestion = NearestName.match(name, among: known.sorted())
      throw BitpalError.notFound(coin: name, provider: service.descriptors.first?.id ?? "", suggestion: suggestion)
    }
    let answer = try await service.quotes([id], currency: currency, policy: policy)
    if let failure = answer.failures.first { throw failure.error }
    return id
  }

  /// The ids of all coins; nil when the source has no list or it cannot be had.
  func listedCoins() async -> Set<String>? {
    let policy = session.options.policy
    // A list is not asked for again for the sake of one look.
    guard let list = try? await service.coinList(policy: policy == .refresh ? .normal : policy) else { return nil }
    return Set(list.value.map(\.id))
  }
}
