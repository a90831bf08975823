import BitpalModel
import BitpalTesting
import TestSupport
import Testing

@testable import BitpalRateLimit

@Suite struct `A rate limiter` {
  /// Counting in memory and in a file, on a clock that a test moves.
  enum Kind: CaseIterable {
    case local
    case shared
  }

  struct Fixture: ~Copyable {
    let time = ManualTime()
    let folder: TemporaryFolder
    let heard = Notes<TraceEvent>()

    init() throws { folder = try TemporaryFolder() }

    func limiter(_ kind: Kind, _ limit: RateLimit?) throws -> any RateLimiter {
      let limit = try #require(limit)
      let heard = heard
      let trace = Trace { heard.add($0) }
      switch kind {
      case .local: return limiter([limit], MemoryBudgetStore(time: time), trace)
      case .shared:
        let clock = BudgetClock(bootID: "boot-1", now: { [time] in time.monotonic }, wall: { [time] in time.now })
        return limiter([limit], BudgetFile(path: folder.path + "/limits.db", clock: clock), trace)
      }
    }

    /// The jitter is always the longest.
    private func limiter(_ limits: [RateLimit], _ store: any BudgetStore, _ trace: Trace) -> BudgetLimiter {
      BudgetLimiter(
        provider: "coingecko", key: "coingecko", limits: limits, store: store, time: time, trace: trace,
        random: { 999_999 })
    }
  }

  @Test(arguments: Kind.allCases)
  func `The first requests are sent first as the budget comes back`(_ kind: Kind) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(10)))
    let time = fixture.time
    let gone = Locked<[String]>([])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<4 {
        group.addTask {
          try await limiter.acquire(deadline: nil)
          gone.withLock { $0.append("\(index) at \(time.monotonic.unitText)") }
        }
        // The next one asks only when this one waits or has gone.
        if index > 0 {
          await time.waitForSleepers(index)
        } else {
          try await group.next()
        }
      }
      for _ in 1..<4 {
        time.advance(by: .milliseconds(10_100))
        try await group.next()
      }
    }
    #expect(gone.withLock { $0 } == ["0 at 0s", "1 at 10100ms", "2 at 20200ms", "3 at 30300ms"])
    #expect(
      fixture.heard.all.contains(
        .limiterWaited(
          provider: "coingecko", wait: .milliseconds(30_300),
          reason: "1 of 1 requests to coingecko in 10s are used")))
    #expect(time.sleeperCount == 0)
  }

  @Test(arguments: Kind.allCases)
  func `A wait that cannot fit the deadline fails at once, says how long, and books nothing`(_ kind: Kind) async throws
  {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(60)))
    try await limiter.acquire(deadline: .zero)
    for _ in 1...2 {
      await #expect(
        throws: BitpalError.budgetUsed(
          provider: "coingecko", used: 1, limit: .perMinute(1), wait: .seconds(61))
      ) {
        try await limiter.acquire(deadline: .seconds(60))
      }
    }
    fixture.time.advance(by: .milliseconds(59_600))
    await #expect(
      throws: BitpalError.budgetUsed(
        provider: "coingecko", used: 1, limit: .perMinute(1), wait: .milliseconds(500))
    ) {
      try await limiter.acquire(deadline: .milliseconds(60_000))
    }
    #expect(fixture.time.slept.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func `A wait that is cancelled ends at once and holds nothing`(_ kind: Kind) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(10)))
    try await limiter.acquire(deadline: nil)
    let first = Task { _ = try await limiter.acquire(deadline: nil) }
    await fixture.time.waitForSleepers(1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // A little later than the token is back: it might have come.
    fixture.time.advance(by: .milliseconds(10_200))
    try await limiter.acquire(deadline: fixture.time.monotonic)
    #expect(fixture.time.slept == [.milliseconds(10_100)])
  }

  /// A store that gives scripted replies.
  private final class ScriptedStore: BudgetStore {
    let replies: Locked<[BudgetReply]>
    let changes = Locked<[BudgetChange]>([])

    init(_ replies: [BudgetReply]) { self.replies = Locked(replies) }

    func apply(_ change: BudgetChange, to key: String, limits: [RateLimit]) -> BudgetReply {
      changes.withLock { $0.append(change) }
      if case .take = change { return replies.withLock { $0.removeFirst() } }
      return BudgetReply(nil, at: .zero)
    }

    func note(_ name: String) -> String? { nil }
    func changeNote(_ name: String, _ change: (String?) -> String?) {}
  }

  @Test(arguments: Kind.allCases)
  func `A heavy request takes several tokens, at most the whole budget, and gives all of them back`(
    kind: Kind
  ) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 10, window: .seconds(60)))
    let now = fixture.time.monotonic
    let heavy = try await limiter.acquire(7, deadline: now)
    await #expect(throws: BitpalError.self, "4 of the 10 are not free") { try await limiter.acquire(4, deadline: now) }
    try await limiter.acquire(3, deadline: now)
    await #expect(throws: BitpalError.self) { try await limiter.acquire(deadline: now) }
    limiter.giveBack(heavy)
    try await limiter.acquire(7, deadline: now)
    await #expect(throws: BitpalError.self) { try await limiter.acquire(1, deadline: now) }
    fixture.time.advance(by: .seconds(61))
    try await limiter.acquire(1_000, deadline: fixture.time.monotonic)
    await #expect(throws: BitpalError.self) { try await limiter.acquire(deadline: fixture.time.monotonic) }
  }

  @Test func `A caller sleeps until its turn, and after a missed one until the earliest instant, never much longer`()
    async throws
  {
    let time = ManualTime()
    let limit = RateLimit.perMinute(1)
    let refusal = RequestBudget.Refusal(earliest: .seconds(1), turn: .seconds(5), cause: .limit(limit, used: 1))
    let store = ScriptedStore(
      Array(repeating: BudgetReply(.refused(refusal), at: .zero), count: 8) + [BudgetReply(.taken(.zero), at: .zero)])
    let limiter = BudgetLimiter(
      provider: "p", key: "k", limits: [limit], store: store, time: time, random: { 999_999_999 })
    time.autoAdvance()
    try await limiter.acquire(deadline: nil)
    let jitter = Duration.microseconds(999_999_999 % 5_000)
    #expect(time.slept == [.seconds(5)] + Array(repeating: .seconds(1) + jitter, count: 7))
    let first = BudgetChange.take(within: .milliseconds(100), patience: nil)
    let later = BudgetChange.take(within: .milliseconds(100), patience: nil, hasWaited: true)
    #expect(
      store.changes.withLock { $0 } == [first] + Array(repeating: later, count: 8), "it is counted as waiting once")
  }

  @Test func `A store that gives no outcome is asked again after growing pauses, and not beyond the deadline`()
    async throws
  {
    let time = ManualTime()
    let store = ScriptedStore(Array(repeating: BudgetReply(nil, at: .zero), count: 20))
    let limiter = BudgetLimiter(provider: "p", key: "k", limits: [.perMinute(1)], store: store, time: time)
    time.autoAdvance()
    await #expect(throws: BitpalError.timedOut(provider: "p", limit: .zero)) {
      try await limiter.acquire(deadline: time.monotonic + .seconds(1))
    }
    #expect(Array(time.slept.prefix(6)) == [10, 20, 40, 80, 160, 160].map { Duration.milliseconds($0) })
    #expect(store.changes.withLock { $0.count } < 12)
  }

  @Test func `A token whose answer took longer than the margin is given back, and the next has a margin that fits`()
    async throws
  {
    let late = BudgetReply(.taken(.seconds(7)), at: .seconds(7), age: .milliseconds(300))
    let store = ScriptedStore([late, BudgetReply(.taken(.seconds(8)), at: .seconds(8), age: .milliseconds(600))])
    let limiter = BudgetLimiter(provider: "p", key: "k", limits: [.perMinute(1)], store: store, time: ManualTime())
    try await limiter.acquire(deadline: nil)
    #expect(
      store.changes.withLock { $0 } == [
        .take(within: .milliseconds(100), patience: nil), .giveBack(.seconds(7)),
        .take(within: .milliseconds(600), patience: nil),
      ])
  }

  @Test(arguments: Kind.allCases)
  func `A task cancelled before it asks takes nothing`(_ kind: Kind) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(10)))
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      try await limiter.acquire(deadline: nil)
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await limiter.acquire(deadline: .zero)
  }

  @Test(arguments: Kind.allCases)
  func `A pause delays new and waiting requests`(_ kind: Kind) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(10)))
    try await limiter.acquire(deadline: nil)
    let waiting = Task { _ = try await limiter.acquire(deadline: nil) }
    await fixture.time.waitForSleepers(1)
    limiter.block(for: .seconds(60))
    await #expect(
      throws: BitpalError.rateLimited(
        provider: "coingecko", wait: .seconds(60), reason: "the source asked for a pause")
    ) {
      try await limiter.acquire(deadline: .seconds(15))
    }
    fixture.time.autoAdvance()
    try await waiting.value
    #expect(fixture.time.monotonic >= .seconds(60) && fixture.time.monotonic < .milliseconds(60_020))
  }

  @Test(arguments: Kind.allCases)
  func `Whatever tasks do, no window holds more than the limit`(_ kind: Kind) async throws {
    for limit in [1, 3, 5] {
      let fixture = try Fixture()
      let window = Duration.seconds(10)
      let limiter = try fixture.limiter(kind, RateLimit(limit: limit, window: window))
      let time = fixture.time
      let gone = Locked<[Duration]>([])
      let tasks = 12
      let running = Locked(tasks)
      time.autoAdvance(sleepers: tasks)
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<tasks {
          group.addTask {
            var random = SplitMix(seed: UInt64(index))
            for _ in 0..<6 {
              let deadline = time.monotonic + .seconds(Int.random(in: 0...20, using: &random))
              if (try? await limiter.acquire(deadline: deadline)) != nil { gone.withLock { $0.append(time.monotonic) } }
              try? await time.sleep(for: .milliseconds(Int.random(in: 1...9000, using: &random)))
            }
            // From here on the others have the clock to themselves.
            running.withLock { count in
              count -= 1
              if count > 0 { time.autoAdvance(sleepers: count) }
            }
          }
        }
      }
      #expect(mostInAnyWindow(gone.withLock { $0 }, window) <= limit)
      #expect(gone.withLock { $0.count } > limit)
    }
  }
}
