import BitpalModel
import BitpalRateLimit
import Testing

@testable import fleet_simulation

@Suite struct `A price expires on 100 machines at once` {
  private func run(
    jitter: Bool = true, whileRenewing: Duration = .zero, behindRelay: Int? = nil
  ) -> Measurements {
    var simulation = Simulation(
      .hotExpiry(
        machines: 100, behindRelay: behindRelay, hasJitter: jitter, whileRenewing: whileRenewing, seed: 3))
    return simulation.run()
  }

  @Test func `The source gets one request, with and without jitter, directly and behind relays`() {
    #expect(run(jitter: false).requests == 1)
    #expect(run().requests == 1)
    #expect(run(jitter: false, behindRelay: 50).requests == 1)
    #expect(run(whileRenewing: .seconds(10), behindRelay: 50).requests == 1)
  }

  @Test func `With the settings of serve every question is answered within 5 ms`() throws {
    let result = run(whileRenewing: .seconds(10))
    #expect(result.requests == 1)
    #expect(result.stale + result.unanswered == 0)
    #expect(try #require(result.latency.quantile(1)) <= 5_000)
  }

  @Test func `Without renewal questions wait for the source, and for at most a second more`() throws {
    let longest = try #require(run(jitter: false).latency.quantile(1))
    #expect(longest > Cost.source && longest < Cost.source + 1_000_000)
  }

  @Test func `The same seed gives the same results`() {
    let (one, other) = (run(), run())
    #expect(one.latency == other.latency)
    #expect(one.mostCommands == other.mostCommands)
  }
}

@Suite struct `Many users ask a fleet` {
  /// Twenty machines, 400 coins and 200 questions per second at a source that answers 30 times per minute for ten coins.
  private func run(batch: Int = 10, behindRelay: Int? = nil) -> Measurements {
    var simulation = Simulation(
      Scenario(
        machines: 20, behindRelay: behindRelay, coins: 400, questionsPerSecond: 200, batch: batch,
        warmUp: .seconds(60), measured: .seconds(120), seed: 5))
    return simulation.run()
  }

  @Test(arguments: [nil, 5]) func `The budget is used up and never exceeded in any window`(behindRelay: Int?) {
    let result = run(behindRelay: behindRelay)
    #expect(!result.isExceeded)
    #expect(result.mostInWindow == 30)
    #expect(result.requests >= 54)
  }

  @Test func `Filled requests bring more coins and more fresh answers`() {
    let (filled, single) = (run(), run(batch: 1))
    #expect(filled.coinsFetched > single.coinsFetched * 5)
    #expect(filled.fresh > single.fresh)
    // Both draw from one sequence, in another order.
    #expect(abs(filled.questions - single.questions) * 50 < single.questions)
    #expect(filled.unanswered == 0)
  }
}

@Suite struct `The parts of the simulation` {
  @Test func `The source notices one request too many in a window of any phase`() {
    var source = SimulatedSource(limit: 2, window: 100)
    for time: Int64 in [0, 50, 100, 149] { source.receive(at: time) }
    #expect(source.mostInWindow == 3 && source.isExceeded)
    source = SimulatedSource(limit: 2, window: 100)
    for time: Int64 in [0, 50, 100, 150, 200] { source.receive(at: time) }
    #expect(source.mostInWindow == 2 && !source.isExceeded)
  }

  @Test func `Redis runs one command after the other`() {
    var redis = SimulatedRedis(coins: 1, limits: [])
    var ends = [redis.run(2, costing: 10, sentAt: 0)]
    ends.append(redis.run(1, costing: 5, sentAt: 3))
    ends.append(redis.run(1, costing: 5, sentAt: 1_000_000))
    #expect(ends == [260, 265, 1_000_255])
    #expect(redis.loads.map(\.commands) == [3, 1])
    #expect(redis.loads.map(\.busy) == [15, 5])
  }

  @Test func `A lock is held by one flight until it ends`() {
    var redis = SimulatedRedis(coins: 1, limits: [])
    var held = [redis.lock(0, for: 1, at: 0, life: 100)]
    held.append(redis.lock(0, for: 2, at: 99, life: 100))
    redis.unlock(0, by: 2)
    held.append(redis.lock(0, for: 2, at: 99, life: 100))
    redis.unlock(0, by: 1)
    held.append(redis.lock(0, for: 2, at: 99, life: 100))
    held.append(redis.lock(0, for: 3, at: 199, life: 100))
    #expect(held == [true, false, false, true, true])
  }

  @Test func `Events come by time, and at the same time in the order in which they were added`() {
    var heap = EventHeap()
    for (flight, time) in [(1, 30), (2, 10), (3, 20), (4, 10), (5, 10)] as [(Int, Int64)] { heap.add(flight, at: time) }
    var order: [Int] = []
    while let event = heap.removeFirst() { order.append(event.flight) }
    #expect(order == [2, 4, 5, 3, 1])
    #expect(heap.nextTime == .max)
  }

  @Test func `A quantile is at most a sixteenth above the true one`() throws {
    var histogram = Histogram()
    for time: Int64 in 1...10_000 { histogram.add(time) }
    for share in [0.5, 0.9, 0.99, 1] {
      let quantile = try #require(histogram.quantile(share))
      #expect(Double(quantile) >= share * 10_000 && Double(quantile) <= share * 10_000 * 17 / 16)
    }
    #expect(Histogram().quantile(0.5) == nil)
  }

  @Test func `The first coin is requested ten times as often as the tenth (Zipf's law)`() {
    let zipf = ZipfDraw(1000)
    var random = SeededRandom(seed: 7)
    var counts = Array(repeating: 0, count: 1000)
    for _ in 0..<1_000_000 { counts[zipf.draw(&random)] += 1 }
    // The harmonic number of 1000 is 7.485.
    #expect(abs(counts[0] - 133_600) < 2_000)
    #expect(abs(counts[9] - 13_360) < 700)
    #expect(abs(counts[99] - 1_336) < 200)
  }
}
