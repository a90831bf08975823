import BitpalCache
import BitpalModel
import BitpalRateLimit
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalService

@Suite struct `A source that keeps failing` {
  private let time = ManualTime()
  private let folder: TemporaryFolder
  private let down = BitpalError.network(host: "h", reason: "down")

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A service as another process would have it: only the file is shared.
  private func service(
    _ providers: ScriptedProvider..., file: String? = "budgets.db", trace: Trace = .silent
  ) -> PriceService {
    let time = time
    let clock = BudgetClock(bootID: "boot", now: { time.monotonic }, wall: { time.now })
    let budgets: any BudgetStore =
      file.map { BudgetFile(path: "\(folder.path)/\($0)", clock: clock) { Issue.record("\($0)") } }
      ?? MemoryBudgetStore(time: time)
    return PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }, budgets: budgets,
      settings: ServiceSettings(quotesTimeToLive: .zero), time: time, trace: trace, warn: { _ in })
  }

  private func failing(_ id: String, capabilities: Set<Capability> = Set(Capability.allCases)) -> ScriptedProvider {
    let provider = ScriptedProvider(id, prices: ["a": 1], capabilities: capabilities)
    let down = down
    provider.change { $0.failure = down }
    return provider
  }

  /// Asks for a coin so many times, a second apart.
  private func ask(_ count: Int, _ make: () -> PriceService, policy: FetchPolicy = .normal) async throws {
    for _ in 0..<count {
      time.advance(by: .seconds(1))
      _ = try await make().quotes(["a"], currency: "usd", policy: policy)
    }
  }

  @Test func `Five failures put it aside for five minutes, for all processes`() async throws {
    let (first, second) = (failing("first"), ScriptedProvider("second", prices: ["a": 2]))
    let events = Notes<TraceEvent>()
    try await ask(6, { service(first, second) })
    #expect(first.asked.all.count == 5)
    time.advance(by: .seconds(59))
    let answer = try await service(first, second, trace: Trace { events.add($0) }).quotes(["a"], currency: "usd")
    #expect(answer.quotes.map(\.source) == ["second"])
    let reason = "first is cooling down for 4m after 5 failures in a row, the last: cannot reach h: down"
    #expect(events.all.contains(.fellBack(provider: "first", reason: reason)))
    #expect(try await service(first, second).detail("a", currency: "usd").source == "second")
    #expect(first.asked.all.count == 5)
    time.advance(by: .seconds(240))
    try await ask(2, { service(first, second) })
    #expect(first.asked.all.count == 6)
  }

  @Test func `An answer clears the count, and so does the news that a coin is not there`() async throws {
    let (first, second) = (failing("first"), ScriptedProvider("second", prices: ["a": 2]))
    try await ask(4, { service(first, second) })
    first.change { $0.failure = nil }
    try await ask(1, { service(first, second) })
    let down = down
    first.change { $0.failure = down }
    try await ask(4, { service(first, second) })
    first.change { $0.failure = .notFound(coin: "a", provider: "first") }
    _ = try await service(first, second).detail("a", currency: "usd")
    first.change { $0.failure = down }
    try await ask(6, { service(first, second) })
    // 4 failures and an answer, 4 failures and news, 5 failures.
    #expect(first.asked.all.count == 15)
  }

  @Test func `A cooling source is asked with refresh, and when no other could answer`() async throws {
    let first = failing("first")
    let quotesOnly = ScriptedProvider("second", prices: ["a": 2], capabilities: [.quotes])
    try await ask(7, { service(first, quotesOnly) }, policy: .refresh)
    #expect(first.asked.all.count == 7)
    await #expect(throws: down) { try await service(first, quotesOnly).detail("a", currency: "usd") }
    #expect(first.asked.all.count == 8)
    let third = failing("third")
    try await ask(7, { service(first, third) })
    #expect(first.asked.all.count == 10)
    #expect(third.asked.all.count == 7)
  }

  @Test func `A source without alternatives never cools down`() async throws {
    let only = failing("only")
    try await ask(8, { service(only) })
    #expect(only.asked.all.count == 8)
  }

  @Test func `Without a file the process keeps count by itself`() async throws {
    let (first, second) = (failing("first"), ScriptedProvider("second", prices: ["a": 2]))
    let service = service(first, second, file: nil)
    try await ask(8, { service })
    #expect(first.asked.all.count == 5)
  }

  @Test(
    arguments: [
      (4, 0, nil), (5, 0, 300), (5, 299, 1), (5, 300, nil), (9, 10, 290), (5, -1, nil),
    ] as [(Int, Int, Int?)])
  func `Count and age of the failures decide`(failures: Int, age: Int, left: Int?) {
    let now = Date(milliseconds: 1_736_937_000_000)
    let record = SourceFailures(count: failures, last: now.adding(.seconds(-age)), reason: "r")
    let expected = left.map { Duration.seconds($0) }
    #expect(CoolDownRule().pauseLeft(record, now: now) == expected)
  }

  @Test(arguments: [(0, 5), (3600, 5), (3601, 1), (-301, 1)])
  func `A failure long ago does not count`(age: Int, failures: Int) {
    let now = Date(milliseconds: 1_736_937_000_000)
    let old = SourceFailures(count: 4, last: now.adding(.seconds(-age)), reason: "old")
    let new = CoolDownRule().after(old, failingAt: now, reason: "new")
    #expect(new == SourceFailures(count: failures, last: now, reason: "new"))
  }
}
