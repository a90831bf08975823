import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalRateLimit
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import Bitpal

@Suite struct `A source that fails` {
  private let time = ManualTime()
  private let folder: TemporaryFolder
  private static let down = BitpalError.network(host: "h", reason: "down", isSent: false)
  private static let failures: [BitpalError] = [
    down, .refused(provider: "p", status: 503, reason: "down"), .refused(provider: "p", status: 500, reason: "down"),
    .refused(provider: "p", status: 400, reason: "bad"), .unauthorized(provider: "p", reason: "HTTP 401"),
    .unreadable(provider: "p", reason: "a web page instead of JSON"), .timedOut(provider: "p", limit: .seconds(15)),
    .noPrice(coin: "a", provider: "p"), .network(host: "h", reason: "broke off"),
  ]

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A service as another process would have it: only the files are shared.
  private func service(
    _ providers: [ScriptedProvider], file: String? = "budgets.db", timeToLive: Duration = .seconds(1),
    trace: Trace = .silent
  ) -> PriceService {
    let time = time
    let clock = BudgetClock(bootID: "boot", now: { time.monotonic }, wall: { time.now })
    let budgets: any BudgetStore =
      file.map { BudgetFile(path: "\(folder.path)/\($0)", clock: clock) { Issue.record("\($0)") } }
      ?? MemoryBudgetStore(time: time)
    return PriceService(
      providers: providers, cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 0) { _ in }, budgets: budgets,
      settings: ServiceSettings(quotesTimeToLive: timeToLive), time: time, trace: trace, warn: { _ in })
  }

  private func failing(_ id: String, with failure: BitpalError = down) -> ScriptedProvider {
    let provider = ScriptedProvider(id, prices: ["a": 1])
    provider.change { $0.failure = failure }
    return provider
  }

  // MARK: Outages

  @Test(arguments: [1, 5, 60, 600], failures)
  func `An outage costs a handful of requests, and recovery is seen within 30 s`(
    seconds: Int, failure: BitpalError
  ) async throws {
    for count in 1...2 {
      let sources = (0..<count).map { ScriptedProvider("p\($0)", prices: ["a": 1]) }
      let service = service(sources, file: nil)
      _ = try await service.quotes(["a"], currency: "usd")
      for source in sources { source.change { $0.failure = failure } }
      let before = sources.map(\.asked.all.count)
      // A long outage is asked about every 5 s, on whose pauses no request is late.
      let step = seconds < 600 ? 1 : 5
      for _ in 0..<(seconds / step) {
        time.advance(by: .seconds(step))
        let quotes = try await service.quotes(["a"], currency: "usd").quotes
        // An older price stands in, at once and with its mark.
        #expect(quotes.count == 1)
      }
      for (source, before) in zip(sources, before) {
        #expect(source.asked.all.count - before <= (seconds == 600 ? 26 : 1 + seconds / 5))
        source.change { $0.failure = nil }
      }
      var waited = 0
      while try await service.quotes(["a"], currency: "usd").quotes.first?.freshness != .fresh, waited < 100 {
        time.advance(by: .seconds(1))
        waited += 1
      }
      #expect(waited <= 30)
    }
  }

  @Test(arguments: [false, true])
  func `A list passes over the source that fails, in any order`(isFirst: Bool) async throws {
    let (bad, good) = (failing("bad"), ScriptedProvider("good", prices: ["a": 2]))
    let events = Notes<TraceEvent>()
    let service = service(isFirst ? [bad, good] : [good, bad], file: nil, trace: Trace { events.add($0) })
    for _ in 0..<300 {
      time.advance(by: .seconds(2))
      let quotes = try await service.quotes(["a"], currency: "usd").quotes
      #expect(quotes.map(\.source) == ["good"] && quotes.first?.freshness == .fresh)
    }
    #expect(bad.asked.all.count <= (isFirst ? 26 : 0))
    let reason = "cannot reach h: down (asked again in 4s)"
    #expect(events.all.contains(.fellBack(provider: "bad", reason: reason)) == isFirst)
  }

  @Test func `A failure of one process holds all others back, also with refresh`() async throws {
    let source = failing("p")
    _ = try await service([source]).quotes(["a"], currency: "usd")
    for policy in [FetchPolicy.normal, .refresh] {
      let other = try await service([source]).quotes(["b"], currency: "usd", policy: policy)
      #expect(other.failures.first?.error.code == .coolingDown)
    }
    #expect(source.asked.all == ["quotes a"])
  }

  @Test func `A failed question holds back the same question alone, two of them the source`() async throws {
    let source = failing("p", with: .refused(provider: "p", status: 500, reason: "odd coin"))
    let service = service([source], file: nil)
    _ = try await service.quotes(["odd"], currency: "usd")
    source.change { $0.failure = nil }
    #expect(try await service.quotes(["a"], currency: "usd").quotes.count == 1)
    source.change { $0.failure = .refused(provider: "p", status: 500, reason: "odd coin") }
    for coin in ["odd", "odder", "oddest"] { _ = try await service.quotes([coin], currency: "usd") }
    #expect(source.asked.all == ["quotes odd", "quotes a", "quotes odder", "quotes oddest"])
    _ = try await service.quotes(["strange"], currency: "usd")
    #expect(source.asked.all.count == 4)
  }

  @Test func `An unknown currency is an answer, which is kept for a minute and longer each time`() async throws {
    let source = failing("p", with: .unsupportedCurrency("xyz", provider: "p", supported: []))
    let service = service([source], file: nil)
    for _ in 0..<720 {
      time.advance(by: .seconds(5))
      let answer = try await service.quotes(["a", "b"], currency: "xyz")
      #expect(Set(answer.failures.map(\.error.code)) == [.unsupportedCurrency])
    }
    #expect(source.asked.all.count < 45)
    source.change { $0.failure = nil }
    #expect(try await service.quotes(["a"], currency: "usd").quotes.count == 1)
  }

  @Test func `One of many callers is the probe, and a caller that leaves does not keep the others waiting`()
    async throws
  {
    let time = time
    let limiter = Gatekeeper(time)
    let source = ScriptedProvider("p", prices: ["a": 1, "b": 2], limiter: limiter)
    source.change { $0.failure = Self.down }
    let service = service([source], file: nil)
    _ = try await service.quotes(["a"], currency: "usd")
    source.change { $0.failure = nil }
    time.advance(by: .seconds(5))
    limiter.close()
    let probe = Task { try await service.quotes(["a"], currency: "usd") }
    await limiter.waitForCaller()
    for coin in ["a", "b"] {
      #expect(try await service.quotes([coin], currency: "usd").failures.first?.error.code == .coolingDown)
    }
    probe.cancel()
    _ = try? await probe.value
    limiter.open()
    // The next caller is the probe; its answer ends the outage.
    while try await service.quotes(["b"], currency: "usd").quotes.isEmpty { await Task.yield() }
    #expect(try await service.quotes(["a"], currency: "usd").quotes.count == 1)
  }

  // MARK: The rule

  private let rule = CoolDownRule()
  private let start = Date(milliseconds: 1_736_937_000_000)

  @Test func `Pauses double up to 30 s, then grow with the outage, up to five minutes`() {
    var failure: SourceFailures.Failure?
    var pauses: [Int] = []
    var now = start
    while now.since(start) < .seconds(86_400) {
      failure = rule.after(failure, failingAt: now, Self.down)
      pauses.append(Int(rule.pauseLeft(failure, now: now)?.components.seconds ?? 0))
      now = failure?.end ?? now
    }
    #expect(pauses.prefix(5) == [5, 10, 20, 30, 30])
    #expect(pauses.dropFirst(3).prefix(18).allSatisfy { $0 == 30 } && pauses.last == 300)
    #expect(pauses.count < 400)
  }

  @Test func `A refused key is tried again after 30 s, later once an hour`() {
    let refused = BitpalError.unauthorized(provider: "p", reason: "r")
    #expect(rule.pause(1, after: .zero, because: refused) == .seconds(30))
    #expect(rule.pause(9, after: .seconds(600), because: refused) == .seconds(30))
    #expect(rule.pause(9, after: .seconds(6000), because: refused) == .seconds(300))
    #expect(rule.pause(99, after: .seconds(864_000), because: refused) == .seconds(3600))
  }

  @Test func `A clock that was set back ends a pause`() {
    let failure = rule.after(nil, failingAt: start, Self.down)
    #expect(rule.pauseLeft(failure, now: start.adding(.seconds(4))) == .seconds(1))
    #expect(rule.pauseLeft(failure, now: start.adding(.seconds(5))) == nil)
    #expect(rule.pauseLeft(failure, now: start.adding(.seconds(-1))) == nil)
    #expect(rule.after(failure, failingAt: start.adding(.seconds(-60)), Self.down).pauses == 1)
  }

  @Test func `Failures within a pause are one failure`() {
    var failure = rule.after(nil, failingAt: start, Self.down)
    for second in 0..<5 { failure = rule.after(failure, failingAt: start.adding(.seconds(second)), Self.down) }
    #expect(failure.pauses == 1)
    failure = rule.probed(failure, at: start.adding(.seconds(5)))
    #expect(rule.pauseLeft(failure, now: start.adding(.seconds(6))) == .seconds(14))
    #expect(rule.after(failure, failingAt: start.adding(.seconds(6)), Self.down).end == start.adding(.seconds(16)))
  }
}

/// A limiter that holds callers back while it is closed.
private final class Gatekeeper: RateLimiter {
  private let time: ManualTime
  private let isClosed = Locked(false)

  init(_ time: ManualTime) { self.time = time }

  func close() { isClosed.withLock { $0 = true } }
  func open() { isClosed.withLock { $0 = false } }
  func waitForCaller() async { await time.waitForSleepers() }

  func acquire(deadline: Duration?) async throws -> RequestPermit {
    while isClosed.withLock({ $0 }) { try await time.sleep(for: .seconds(3600)) }
    return try await BudgetLimiter(provider: "p", limits: [], time: time).acquire(deadline: nil)
  }

  func giveBack(_ permit: RequestPermit) {}
  func block(for pause: Duration) {}
}
