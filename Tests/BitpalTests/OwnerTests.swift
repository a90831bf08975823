import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import Bitpal

@Suite struct `The owner of a coin` {
  private let time = ManualTime()

  private func service(_ providers: [ScriptedProvider]) -> PriceService {
    PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time)
  }

  private func source(
    _ id: String, _ prices: [String: Int], _ capabilities: Set<Capability> = [.quotes, .line, .detail],
    coins: CoinScope = .any, carriesFigures: Bool = false
  ) -> ScriptedProvider {
    let source = ScriptedProvider(
      id, prices: prices, capabilities: capabilities, coins: coins, carriesFigures: carriesFigures)
    let end = time.now
    source.change {
      $0.coins = Set(prices.keys)
      $0.points = (0..<24).map { (end.adding(.seconds(-3600 * (24 - $0))), 5 + $0) }
    }
    return source
  }

  private func error(_ body: () async throws -> Void) async throws -> BitpalError {
    do {
      try await body()
    } catch let error as BitpalError {
      return error
    }
    throw BitpalError.usage("there is an answer")
  }

  /// Every pair of sources, of which each has some coins and answers some questions, in both orders: the source of the
  /// price answers what it can, and a source without the coin is never named where the other one has it.
  @Test(arguments: 0..<64) func `The source of a price answers everything that it can`(choice: Int) async throws {
    func chosen(_ bit: Int) -> Bool { choice >> bit & 1 == 1 }
    let abilities: [Set<Capability>] = [[.quotes], [.quotes, .line, .detail]]
    let first = source(
      "first", chosen(0) ? ["a": 1] : ["b": 2], abilities[chosen(1) ? 1 : 0], carriesFigures: chosen(2))
    let second = source("second", chosen(3) ? ["a": 1] : ["b": 2], abilities[chosen(4) ? 1 : 0])
    let service = service(chosen(5) ? [second, first] : [first, second])
    for coin in ["a", "b"] {
      guard let quote = try await service.quotes([coin], currency: "usd").quotes.first else { continue }
      let owner = quote.source == "first" ? first : second
      let other = quote.source == "first" ? second : first
      let hasOther = other.prices[coin] != nil
      if owner.descriptor.capabilities.contains(.line) {
        #expect(try await service.line(coin, range: .standard[3], currency: "usd").source == quote.source)
        #expect(try await service.detail(coin, currency: "usd").source == quote.source)
      } else if !hasOther || !other.descriptor.capabilities.contains(.line) {
        let failure = try await error { _ = try await service.line(coin, range: .standard[3], currency: "usd") }
        #expect(!failure.description.contains("no coin"), "\(failure)")
      }
    }
  }

  @Test func `A share has its figures and its week from its own source, or that source's reason`() async throws {
    let coins = source("coins", ["bitcoin": 1], coins: .smallLetters, carriesFigures: true)
    let shares = source("shares", ["AAPL": 2], [.quotes, .line], coins: .capitals)
    for sources in [[coins, shares], [shares, coins]] {
      let service = service(sources)
      _ = try await service.quotes(["AAPL", "bitcoin"], currency: "usd")
      #expect(
        try await error { _ = try await service.detail("AAPL", currency: "usd") }.description
          == "shares has no market figures; -p coingecko has those of coins")
      let weeks = try await service.weeks(ofIDs: ["AAPL", "bitcoin"], currency: "usd")
      #expect(weeks.values.allSatisfy { (try? $0.get())?.points.isEmpty == false })
    }
    #expect(!coins.asked.all.contains { $0.contains("AAPL") } && !shares.asked.all.contains { $0.contains("bitcoin") })
  }
}
