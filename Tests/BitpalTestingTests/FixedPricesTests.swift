import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Fixed prices` {
  @Test func `A test states a price and gets it by any name of the coin`() async throws {
    let service = FixedPrices(["bitcoin": 50_000]).service()
    let quote = try #require(try await service.quotes(["btc"], currency: "usd").quotes.first)
    #expect(quote.price == 50_000)
    #expect(quote.id == "bitcoin" && quote.priceChangePercentage24h == nil && quote.source == "fixed")
  }

  @Test func `Other coins, other currencies and prices that are not above zero are failures`() async throws {
    let service = FixedPrices(["bitcoin": 50_000, "dust": 0]).service()
    let answer = try await service.quotes(["bitcoin", "dust", "nope"], currency: "usd")
    #expect(answer.quotes.map(\.id) == ["bitcoin"])
    #expect(answer.failures.map(\.error.code) == [.noPrice, .notFound])
    let other = try await service.quotes(["bitcoin"], currency: "eur")
    #expect(other.failures.map(\.error.code) == [.unsupportedCurrency])
    await #expect(throws: BitpalError.self) { _ = try await service.detail("bitcoin", currency: "usd") }
  }

  /// A provider whose price rises with each request, and which then loses its coin.
  private struct Rising: PriceProvider {
    let descriptor = FixedPrices([:]).descriptor
    let asked = Notes<Int>()

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      asked.add(1)
      // A price that has not changed is not an update.
      let prices: [Decimal] = [1, 1, 2]
      guard asked.all.count <= prices.count else { return try await FixedPrices([:]).answer(to: query) }
      return try await FixedPrices(["one": prices[asked.all.count - 1]]).answer(to: query)
    }

    func knows(_ name: String) -> Bool { true }
  }

  @Test func `Updates are the changes alone, and end when no coin is left`() async throws {
    let (time, source) = (ManualTime(), Rising())
    time.autoAdvance()
    let service = PriceService(
      providers: [source], cache: PriceCache(path: nil, memoryLimit: 1 << 16, diskLimit: 0) { _ in }, time: time)
    var seen: [String] = []
    for await answer in service.updates(of: ["one"], every: .seconds(90)) {
      seen.append(
        answer.quotes.map { $0.price.plainText }.joined() + answer.failures.map(\.error.code.rawValue).joined())
    }
    #expect(seen.first == "1" && seen.last == "not_found" && !zip(seen, seen.dropFirst()).contains { $0 == $1 })
    #expect(source.asked.all.count == 4)
  }
}
