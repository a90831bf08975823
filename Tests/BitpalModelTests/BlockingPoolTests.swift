import BitpalModel
import Glibc
import Testing

@Suite struct `Threads that may wait` {
  /// A pipe whose reader waits in the kernel.
  private final class Pipe: Sendable {
    let reader: Int32
    let writer: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      (reader, writer) = (ends[0], ends[1])
    }

    deinit {
      close(reader)
      close(writer)
    }

    func wait() {
      var byte: UInt8 = 0
      while read(reader, &byte, 1) != 1 {}
    }

    func signal() { _ = write(writer, [1], 1) }
  }

  @Test func `A job runs while thirty others wait in the kernel, and those end when they may`() async throws {
    let pipe = try Pipe()
    let began = Locked(0)
    let blocked = (0..<30).map { _ in
      Task(executorPreference: BlockingPool.shared) {
        began.withLock { $0 += 1 }
        pipe.wait()
      }
    }
    while began.withLock({ $0 < 30 }) { await Task.yield() }
    #expect(await BlockingPool.run { 7 } == 7)
    for _ in blocked { pipe.signal() }
    for task in blocked { await task.value }
  }

  @Test func `With all threads in use a job waits for one`() async throws {
    let pool = BlockingPool(limit: 1)
    let pipe = try Pipe()
    let order = Locked<[Int]>([])
    let first = Task(executorPreference: pool) {
      pipe.wait()
      order.withLock { $0.append(1) }
    }
    let second = Task(executorPreference: pool) { order.withLock { $0.append(2) } }
    pipe.signal()
    await first.value
    await second.value
    #expect(order.withLock { Set($0) } == [1, 2])
  }

  @Test func `A lock that another thread keeps is not waited for longer than allowed`() async throws {
    let pipe = try Pipe()
    let locked = Locked(1)
    let holds = Locked(false)
    let holder = Task(executorPreference: BlockingPool.shared) {
      locked.withLock { _ in
        holds.withLock { $0 = true }
        pipe.wait()
      }
    }
    while !holds.withLock({ $0 }) { await Task.yield() }
    #expect(locked.withLock(within: .milliseconds(5)) { $0 } == nil)
    pipe.signal()
    await holder.value
    #expect(locked.withLock(within: .zero) { $0 } == 1)
  }
}
