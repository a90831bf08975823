import Bitpal
import BitpalCache
import BitpalModel
import BitpalRateLimit
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

/// With a budget of one request a minute, which the first question uses up.
@Suite struct `Waiting for a budget` {
  private let time = ManualTime()

  private func limiter(_ provider: String) throws -> BudgetLimiter {
    BudgetLimiter(provider: provider, limits: [.perMinute(1)], time: time)
  }

  private func service(_ providers: [ScriptedProvider]) -> PriceService {
    PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, time: time)
  }

  /// Asks as a command does that may wait so long for budgets.
  private func price(
    _ coin: String, _ service: PriceService, patience: Duration
  ) async throws -> Result<Sourced<Coin>, BitpalError> {
    let answer = try await Deadline.independent(.seconds(15), patience: patience, on: time) {
      try await service.quotes([coin], currency: "usd")
    }
    if let quote = answer.quotes.first { return .success(quote) }
    return .failure(try #require(answer.failures.first?.error))
  }

  @Test func `A question waits as long as it may, though its deadline is nearer`() async throws {
    let provider = ScriptedProvider(prices: ["a": 1, "b": 2], limiter: try limiter("p"))
    let service = service([provider])
    _ = try await price("a", service, patience: .zero).get()
    let refused = BitpalError.budgetUsed(provider: "p", used: 1, limit: .perMinute(1), wait: .seconds(61))
    #expect(try await price("b", service, patience: .seconds(60)) == .failure(refused))
    #expect(time.slept.isEmpty)
    time.autoAdvance()
    #expect(try await price("b", service, patience: .seconds(65)).get().value.currentPrice == 2)
    #expect(time.slept == [.milliseconds(60_100)])
  }

  @Test func `An old answer goes before any wait`() async throws {
    let service = service([ScriptedProvider(prices: ["a": 1], limiter: try limiter("p"))])
    _ = try await price("a", service, patience: .zero).get()
    time.advance(by: .milliseconds(60_010))
    let answer = try await price("a", service, patience: .seconds(65)).get()
    #expect(answer.freshness.isStale && time.slept.isEmpty)
  }

  @Test func `Another source that has room goes before any wait`() async throws {
    let first = ScriptedProvider("p", prices: ["a": 1, "b": 2], limiter: try limiter("p"))
    let service = service([first, ScriptedProvider("q", prices: ["b": 3])])
    _ = try await price("a", service, patience: .seconds(65)).get()
    #expect(try await price("b", service, patience: .seconds(65)).get().source == "q")
    #expect(time.slept.isEmpty)
  }

  @Test func `The source with the shortest wait of several without room is waited for`() async throws {
    let (p, q) = (try limiter("p"), try limiter("q"))
    let service = service([
      ScriptedProvider("p", prices: ["a": 1], limiter: p), ScriptedProvider("q", prices: ["a": 2], limiter: q),
    ])
    try await q.acquire(deadline: nil)
    time.advance(by: .seconds(20))
    try await p.acquire(deadline: nil)
    time.autoAdvance()
    #expect(try await price("a", service, patience: .seconds(65)).get().source == "q")
    #expect(time.slept == [.milliseconds(40_100)])
  }

  @Test func `A used budget is not a failure of the source, which does not cool down`() async throws {
    let budgets = MemoryBudgetStore(time: time)
    let provider = ScriptedProvider("p", prices: ["a": 1], limiter: try limiter("p"))
    let service = PriceService(
      providers: [provider, ScriptedProvider("q")],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1) { _ in }, budgets: budgets,
      settings: ServiceSettings(), time: time, trace: .silent, warn: { _ in })
    _ = try await price("a", service, patience: .zero).get()
    for coin in ["b", "c", "d", "e", "f", "g"] { _ = try await price(coin, service, patience: .zero) }
    #expect(budgets.failures(of: "p") == nil)
  }
}
