import BitpalCache
import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import Bitpal

@Suite struct `Renewal while an older answer is served` {
  private static let start = Date(milliseconds: 1_800_000_000_000)

  private func service(_ provider: ScriptedProvider, _ time: ManualTime, whileRenewing: Duration) -> PriceService {
    var settings = ServiceSettings()
    settings.whileRenewing = whileRenewing
    return PriceService(
      providers: [provider],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") },
      settings: settings, time: time)
  }

  private func price(_ service: PriceService) async throws -> Sourced<Coin> {
    try #require(try await service.quotes(["a"], currency: "usd").quotes.first)
  }

  @Test func `An expired answer is served at once and marked, and one request renews it`() async throws {
    let time = ManualTime(Self.start)
    let provider = ScriptedProvider(prices: ["a": 1])
    let service = service(provider, time, whileRenewing: .seconds(10))
    _ = try await price(service)
    provider.change { $0.prices["a"] = 2 }
    time.advance(by: .seconds(65))
    let old = try await price(service)
    #expect(old.value.currentPrice == 1)
    #expect(old.freshness == .stale(age: .seconds(65), because: .renewing))
    while try await price(service).value.currentPrice != 2 { await Task.yield() }
    #expect(try await price(service).freshness == .fresh)
    #expect(provider.asked.all == ["quotes a", "quotes a"])
  }

  @Test func `An answer that expired longer ago is waited for, and so is any where nothing was set`() async throws {
    for (renewing, age) in [(Duration.seconds(10), Duration.seconds(71)), (.zero, .seconds(61))] {
      let time = ManualTime(Self.start)
      let provider = ScriptedProvider(prices: ["a": 1])
      let service = service(provider, time, whileRenewing: renewing)
      _ = try await price(service)
      provider.change { $0.prices["a"] = 2 }
      time.advance(by: age)
      #expect(try await price(service).value.currentPrice == 2)
    }
  }

  @Test(arguments: [(0.0, 54), (0.5, 60), (1.0, 66)])
  func `A machine among others has times to live of its own`(_ draw: Double, _ seconds: Int) {
    let shared = Renewals(whileRenewing: .zero, isShared: true, draw: draw)
    #expect(shared.spread(.seconds(60)) == .seconds(seconds))
    #expect(Renewals(whileRenewing: .zero, isShared: false, draw: draw).spread(.seconds(60)) == .seconds(60))
  }
}
