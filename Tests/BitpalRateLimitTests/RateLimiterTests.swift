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
      case .local:
        return BudgetLimiter(provider: "coingecko", limits: [limit], time: time, trace: trace)
      case .shared:
        let time = time
        return BudgetLimiter(
          provider: "coingecko", key: "coingecko", limits: [limit], path: folder.path + "/limits.db", time: time,
          clock: BudgetClock(bootID: "boot-1", now: { time.monotonic }, wall: { time.now }), trace: trace)
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func `Those who ask first go first, as the budget comes back`(_ kind: Kind) async throws {
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
  func `A wait that is cancelled ends at once and leaves its place to the next`(_ kind: Kind) async throws {
    let fixture = try Fixture()
    let limiter = try fixture.limiter(kind, RateLimit(limit: 1, window: .seconds(10)))
    try await limiter.acquire(deadline: nil)
    let first = Task { _ = try await limiter.acquire(deadline: nil) }
    await fixture.time.waitForSleepers(1)
    let second = Task { _ = try await limiter.acquire(deadline: nil) }
    await fixture.time.waitForSleepers(2)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let third = Task { _ = try await limiter.acquire(deadline: nil) }
    await fixture.time.waitForSleepers(2)
    #expect(fixture.time.slept == [.milliseconds(10_100), .milliseconds(20_200), .milliseconds(10_100)])
    fixture.time.advance(by: .milliseconds(10_100))
    try await third.value
    fixture.time.advance(by: .milliseconds(10_100))
    try await second.value
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
  func `A pause holds back newcomers and those who wait already`(_ kind: Kind) async throws {
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
    #expect(fixture.time.monotonic == .seconds(60))
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
