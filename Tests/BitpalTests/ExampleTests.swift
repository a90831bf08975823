import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import FoundationEssentials
import Testing

/// The examples in the comments of `PriceProvider` and `PriceService`.
@Suite struct `A provider in one function` {
  struct Peg: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "peg", name: "Peg", kind: "peg", capabilities: [.quotes], currencies: ["usd"], cacheIdentity: "peg")

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      guard case .quotes(let ids, _) = query else { throw unsupported(query) }
      let coins = try ids.map { try Coin(validating: $0, symbol: $0, name: $0, currentPrice: 1) }
      return ProviderAnswer(quotes: Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0) }))
    }
  }

  @Test func `has prices at once`() async throws {
    let cache = PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }
    let service = PriceService(providers: [Peg()], cache: cache)
    let answer = try await service.quotes(["dai", "usdc"], currency: "usd")
    #expect(answer.quotes.map(\.value.currentPrice) == [1, 1] && answer.failures.isEmpty)
  }

  private func printed(_ service: PriceService) async throws {
    let answer = try await service.quotes(["btc", "ethereum"], currency: "eur")
    for quote in answer.quotes { print(quote.value.name, quote.value.currentPrice, quote.source) }
  }
}
