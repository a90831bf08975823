import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Providers that have to agree` {
  private let time = ManualTime()
  private let warnings = Notes<String>()

  private func service(
    _ providers: [any PriceProvider], rates: [any PriceProvider] = [],
    by rule: AgreementRule = AgreementRule(atLeast: 2)
  ) -> PriceService {
    var settings = ServiceSettings(aliases: ["btc": "bitcoin"])
    settings.agreement = rule
    return PriceService(
      providers: providers, converters: rates,
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") },
      settings: settings, time: time)
  }

  private func source(_ id: String, _ price: Int?, capabilities: Set<Capability> = [.quotes]) -> ScriptedProvider {
    ScriptedProvider(id, prices: price.map { ["bitcoin": $0] } ?? [:], capabilities: capabilities)
  }

  @Test func `Each is asked once, and the cache of each serves the next question`() async throws {
    let sources = [source("a", 100), source("b", 101), source("c", 300)]
    for order in [sources, sources.reversed()] {
      let service = service(order)
      for _ in 0..<2 {
        let quote = try #require(try await service.quotes(["btc"], currency: "usd").quotes.first)
        #expect(quote.value.currentPrice == Decimal(string: "100.5"))
        #expect(quote.source == "agreement" && quote.freshness == .fresh)
        #expect(Set(quote.agreement?.counted.map(\.source) ?? []) == ["a", "b"])
        #expect(quote.agreement?.leftOut.map(\.source) == ["c"])
        #expect(quote.warnings.count == 1)
      }
    }
    #expect(sources.map(\.asked.all.count) == [2, 2, 2])
  }

  @Test func `All are asked at the same time`() async throws {
    let meeting = Meeting(of: 3)
    let sources = ["a", "b", "c"].map { Guest($0, meeting) }
    let answer = try await service(sources).quotes(["bitcoin"], currency: "usd")
    #expect(answer.quotes.first?.agreement?.counted.count == 3)
  }

  @Test func `Too few that agree are an error with all figures, or the first one with a warning`() async throws {
    let sources = [source("a", 100), source("b", 200), source("c", nil)]
    let failure = try #require(try await service(sources).quotes(["bitcoin"], currency: "usd").failures.first)
    #expect(failure.error.code == .sourcesDisagree)
    for part in ["a 100", "b 200", "c (no coin"] { #expect(failure.error.message.contains(part)) }

    let first = service(sources, by: AgreementRule(atLeast: 2, otherwise: .first))
    let quote = try #require(try await first.quotes(["bitcoin"], currency: "usd").quotes.first)
    #expect(quote.source == "a" && quote.value.currentPrice == 100)
    #expect(quote.agreement?.isReached == false && quote.warnings.count == 1)
  }

  @Test func `A coin that none has is unknown, and one that all fail on has their failures`() async throws {
    let sources = [source("a", nil), source("b", nil)]
    let service = service(sources)
    #expect(try await service.quotes(["bitcoin"], currency: "usd").failures.map(\.error.code) == [.notFound])
    for source in sources { source.change { $0.failure = .network(host: "h", reason: "down") } }
    #expect(try await service.quotes(["ethereum"], currency: "usd").failures.map(\.error.code) == [.network])
  }

  @Test func `An answer that stands in for a failed one does not count`() async throws {
    let sources = [source("a", 100), source("b", 100), source("c", 100)]
    let service = service(sources)
    _ = try await service.quotes(["bitcoin"], currency: "usd")
    time.advance(by: .seconds(120))
    sources[1].change { $0.failure = .network(host: "h", reason: "down") }
    let quote = try #require(try await service.quotes(["bitcoin"], currency: "usd").quotes.first)
    #expect(quote.agreement?.counted.map(\.source) == ["a", "c"])
    #expect(quote.agreement?.leftOut.first?.reason?.hasPrefix("stale") == true)
  }

  @Test func `The market figures of a coin come with the agreed price`() async throws {
    let sources = [source("a", 100, capabilities: [.quotes, .detail]), source("b", 101), source("c", 101)]
    sources[0].change { $0.ranks = ["bitcoin": 1] }
    let detail = try await service(sources).detail("bitcoin", currency: "usd")
    #expect(detail.value.coin.currentPrice == 101 && detail.value.rank == 1)
    #expect(detail.agreement?.counted.count == 3)
  }

  @Test func `A rate that none of them has is that of the source of rates`() async throws {
    let bank = ScriptedProvider("bank", prices: ["fx:eur": 2], capabilities: [.quotes])
    let answer = try await service([source("a", 1), source("b", 1)], rates: [bank]).quotes(["fx:eur"], currency: "usd")
    #expect(answer.quotes.map(\.source) == ["bank"])
    #expect(answer.quotes.first?.agreement == nil)
  }
}

/// A place where all have to be before any leaves.
private final class Meeting: Sendable {
  private let missing: Locked<Int>

  init(of count: Int) { missing = Locked(count) }

  func arrive() async throws {
    missing.withLock { $0 -= 1 }
    while missing.withLock({ $0 > 0 }) {
      try Task.checkCancellation()
      await Task.yield()
    }
  }
}

/// A provider that answers when all others have been asked.
private struct Guest: PriceProvider {
  let descriptor: ProviderDescriptor
  let meeting: Meeting

  init(_ id: String, _ meeting: Meeting) {
    descriptor = ProviderDescriptor(id: id, name: id, kind: "test", capabilities: [.quotes], cacheIdentity: id)
    self.meeting = meeting
  }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    try await meeting.arrive()
    let coins = try query.coins.map { try Coin(validating: $0, symbol: $0, name: $0, currentPrice: 1) }
    return ProviderAnswer(quotes: Dictionary(uniqueKeysWithValues: coins.map { ($0.id, $0) }))
  }
}
