import BitpalModel
import BitpalTesting
import FoundationEssentials
import Testing

@Suite struct `Time for tests` {
  @Test func `The machine's clock has whole milliseconds and is never ahead`() {
    for _ in 0..<10_000 {
      let now = SystemTime().now
      #expect(now == Date(milliseconds: now.milliseconds) && now <= Date())
    }
  }

  @Test func `Manual time wakes sleepers in order`() async throws {
    let time = ManualTime()
    let order = OrderLog()
    let tasks = [3, 1, 2].map { seconds in
      Task {
        try await time.sleep(for: .seconds(seconds))
        await order.append(seconds)
      }
    }
    await time.waitForSleepers(3)
    for _ in 1...3 {
      let before = await order.values.count
      time.advance(by: .seconds(1))
      while await order.values.count == before { await Task.yield() }
    }
    for task in tasks { try await task.value }
    #expect(await order.values == [1, 2, 3])
    #expect(time.sleeperCount == 0)
    #expect(time.monotonic == .seconds(3))
  }

  @Test func `Manual time can run by itself`() async throws {
    let time = ManualTime()
    time.autoAdvance()
    let start = time.now
    try await time.sleep(for: .seconds(3600))
    #expect(time.now.since(start) == .seconds(3600))
    #expect(time.slept == [.seconds(3600)])
  }

  @Test func `A cancelled sleep ends at once and leaves no sleeper`() async throws {
    let time = ManualTime()
    let task = Task { try await time.sleep(for: .seconds(3600)) }
    await time.waitForSleepers()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(time.sleeperCount == 0)
  }

  @Test func `Frozen time shows one instant`() async throws {
    let instant = Date(milliseconds: 1_736_937_000_000)
    let time = FrozenTime(at: instant, base: ManualTime())
    #expect(time.now == instant)
    #expect(time.monotonic == .zero)
  }

  private actor OrderLog {
    var values: [Int] = []
    func append(_ value: Int) { values.append(value) }
  }
}
