import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `Daily closes` {
  /// 2025-01-15 10:30Z.
  private let time = ManualTime()
  private let provider = ScriptedProvider(capabilities: [.line])

  private func service() -> PriceService {
    PriceService(
      providers: [provider],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") }, time: time)
  }

  /// Five minutes before the end of a day in January 2025.
  private static func january(_ day: Int) -> Date {
    Date(timeIntervalSince1970: 1_735_775_700 + Double(86_400 * (day - 1)))
  }

  init() {
    provider.change { script in
      script.points = (10...14).map { (Self.january($0), $0) } + [(Self.january(15).startOfDay, 14)]
    }
  }

  private func closes(_ first: Int, _ last: Int, _ service: PriceService) async throws -> [String] {
    try await service.history("c", from: Self.january(first), to: Self.january(last), currency: "usd").value
      .map { "\($0.dateText) \($0.price.plainText)" }
  }

  @Test func `Both ends are included`() async throws {
    #expect(try await closes(12, 13, service()) == ["2025-01-12 12", "2025-01-13 13"])
  }

  @Test func `A day that is over is not asked for again, however long ago it was fetched`() async throws {
    let service = service()
    _ = try await closes(12, 13, service)
    time.advance(by: .seconds(30 * 86_400))
    #expect(try await closes(10, 14, service).count == 5)
    #expect(provider.asked.all.count == 1)
  }

  @Test func `A day without a price is left out`() async throws {
    provider.change { script in script.points.removeAll { $0.price == 12 } }
    #expect(try await closes(11, 13, service()) == ["2025-01-11 11", "2025-01-13 13"])
  }

  @Test func `Before the source's first day there is nothing, and that day is named`() async throws {
    await #expect(
      throws: BitpalError.noData(question: "c in usd on 2025-01-09; it goes back to 2025-01-10", provider: "p")
    ) { try await closes(9, 13, service()) }
  }

  @Test func `Today has no close yet`() async throws {
    await #expect(
      throws: BitpalError.usage(
        "2025-01-15 is not over in UTC, so it has no close yet", hint: "the last day that has is 2025-01-14")
    ) { try await closes(14, 15, service()) }
    await #expect(throws: BitpalError.usage("the first day is after the last")) { try await closes(13, 12, service()) }
    #expect(provider.asked.all.isEmpty)
  }

  @Test func `A year is asked for when more is beyond the plan`() async throws {
    let failing = BeyondPlan(provider)
    let service = PriceService(
      providers: [failing],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") }, time: time)
    let first = Self.january(10).adding(.seconds(-400 * 86_400))
    await #expect(
      throws: BitpalError.noData(question: "c in usd on 2023-12-07; it goes back to 2025-01-10", provider: "p")
    ) { try await service.history("c", from: first, to: Self.january(13), currency: "usd") }
    #expect(provider.asked.all == ["line c 365d"])
  }
}

extension `Daily closes` {
  @Test func `A source of few rows per request is asked about the days alone, and about each day once`() async throws {
    let source = ScriptedProvider(
      capabilities: [.line],
      reach: [.line: SourceReach(.requests(24, rows: 1), longest: .seconds(24 * 86_400))])
    source.change { script in
      script.points = (1...14).filter { $0 != 6 }.map { (Self.january($0).startOfDay, $0) }
      script.isDaily = true
    }
    let service = PriceService(
      providers: [source],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { Issue.record("\($0)") }, time: time)
    #expect(try await closes(3, 4, service) == ["2025-01-03 3", "2025-01-04 4"])
    #expect(try await closes(8, 8, service) == ["2025-01-08 8"])
    #expect(try await closes(4, 4, service) == ["2025-01-04 4"], "it is stored")
    #expect(try await closes(5, 7, service) == ["2025-01-05 5", "2025-01-07 7"], "a day without a price is left out")
    #expect(source.asked.all == ["line c past 4d", "line c past 3d", "line c past 5d"])
    // The newest days are those of a window up to now.
    #expect(try await closes(14, 14, service) == ["2025-01-14 14"])
    #expect(source.asked.all.last == "line c 24d")
  }
}

/// Lets no line be longer than a year.
private struct BeyondPlan: PriceProvider {
  let base: ScriptedProvider

  init(_ base: ScriptedProvider) { self.base = base }

  var descriptor: ProviderDescriptor { base.descriptor }

  func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
    if case .line(_, _, let window) = query, window.length > .seconds(365 * 86_400) {
      throw BitpalError.planLimit(provider: "p", reason: "a year")
    }
    return try await base.answer(to: query)
  }
}
