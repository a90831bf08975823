import Bitpal
import BitpalCache
import BitpalModel
import BitpalProviders
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@Suite struct `One flight per key` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Answers when told to, and notes who asked and who gave up.
  private final class Gate: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "p", name: "P", kind: "test", capabilities: [.quotes], cacheIdentity: "p")
    let asked = Notes<String>()
    let cancelled = Notes<String>()
    private let opened = Locked(false)

    func open() { opened.withLock { $0 = true } }

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      let coins = query.coins
      asked.add(coins.joined(separator: ","))
      while !opened.withLock({ $0 }) {
        if Task.isCancelled {
          cancelled.add(coins.joined(separator: ","))
          throw CancellationError()
        }
        await Task.yield()
      }
      let found = try coins.map { ($0, try Coin(validating: $0, symbol: "s", name: "n", currentPrice: 1)) }
      return ProviderAnswer(quotes: Dictionary(found) { $1 })
    }
  }

  private func service(_ provider: Gate, trace: Trace = .silent) -> PriceService {
    PriceService(
      providers: [provider],
      cache: PriceCache(path: folder.path + "/c.db", memoryLimit: 1 << 20, diskLimit: 1 << 20) {
        Issue.record("\($0)")
      },
      trace: trace)
  }

  private func wait(until condition: () -> Bool) async {
    while !condition() { await Task.yield() }
  }

  @Test func `A hundred tasks that ask for one cold coin cause one request`() async throws {
    let gate = Gate()
    let joined = Notes<TraceEvent>()
    let service = service(gate, trace: Trace { if case .joinedFlight = $0 { joined.add($0) } })
    let tasks = (0..<100).map { _ in Task { try await service.quotes(["a"], currency: "usd") } }
    await wait { joined.all.count == 99 }
    gate.open()
    for task in tasks { #expect(try await task.value.quotes.count == 1) }
    #expect(gate.asked.all == ["a"])
  }

  @Test func `Only coins of a batch that are not being fetched are requested`() async throws {
    let gate = Gate()
    let service = service(gate)
    let first = Task { try await service.quotes(["a", "b"], currency: "usd") }
    await wait { gate.asked.all.count == 1 }
    let second = Task { try await service.quotes(["b", "c"], currency: "usd") }
    await wait { gate.asked.all.count == 2 }
    gate.open()
    #expect(try await first.value.quotes.map(\.value.id) == ["a", "b"])
    #expect(try await second.value.quotes.map(\.value.id) == ["b", "c"])
    #expect(gate.asked.all == ["a,b", "c"])
  }

  @Test func `A waiter that is cancelled leaves at once and harms no one`() async throws {
    let gate = Gate()
    let joined = Notes<TraceEvent>()
    let service = service(gate, trace: Trace { if case .joinedFlight = $0 { joined.add($0) } })
    let starter = Task { try await service.quotes(["a"], currency: "usd") }
    await wait { gate.asked.all.count == 1 }
    let waiter = Task { try await service.quotes(["a"], currency: "usd") }
    await wait { joined.all.count == 1 }
    starter.cancel()
    await #expect(throws: CancellationError.self) { try await starter.value }
    gate.open()
    #expect(try await waiter.value.quotes.count == 1)
    #expect(gate.asked.all == ["a"] && gate.cancelled.all.isEmpty)
  }

  @Test func `When the last waiter leaves, the flight is cancelled, and the next one asks again`() async throws {
    let gate = Gate()
    let service = service(gate)
    let task = Task { try await service.quotes(["a"], currency: "usd") }
    await wait { gate.asked.all.count == 1 }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    await wait { gate.cancelled.all == ["a"] }
    gate.open()
    #expect(try await service.quotes(["a"], currency: "usd").quotes.count == 1)
    #expect(gate.asked.all == ["a", "a"])
  }

  @Test func `A batch that is cancelled in another caller's flight cancels its own`() async throws {
    let gate = Gate()
    let service = service(gate)
    let other = Task { try await service.quotes(["a"], currency: "usd") }
    await wait { gate.asked.all.count == 1 }
    let batch = Task { try await service.quotes(["a", "b"], currency: "usd") }
    await wait { gate.asked.all.count == 2 }
    batch.cancel()
    await #expect(throws: CancellationError.self) { try await batch.value }
    await wait { gate.cancelled.all == ["b"] }
    gate.open()
    #expect(try await other.value.quotes.count == 1)
    #expect(gate.cancelled.all == ["b"])
  }

  /// Throws what only the caller's own task may throw.
  private struct Quitter: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "p", name: "P", kind: "test", capabilities: [.quotes], cacheIdentity: "p")

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer { throw CancellationError() }
  }

  @Test func `A provider that ends its own task fails, and does not cancel the caller`() async throws {
    let service = PriceService(
      providers: [Quitter()],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") })
    let answer = try await service.quotes(["a"], currency: "usd")
    #expect(answer.failures.map(\.error.code) == [.unreadable])
  }

  /// Does not end when cancelled, only when told to.
  private final class Stubborn: PriceProvider {
    let descriptor = ProviderDescriptor(
      id: "p", name: "P", kind: "test", capabilities: [.quotes], cacheIdentity: "p")
    let opened = Locked(0)
    let asked = Locked(0)

    func answer(to query: ProviderQuery) async throws -> ProviderAnswer {
      let coins = query.coins
      let number = asked.withLock { asked in
        asked += 1
        return asked
      }
      while opened.withLock({ $0 < number }) { await Task.yield() }
      let found = try coins.map { ($0, try Coin(validating: $0, symbol: "s", name: "n", currentPrice: 1)) }
      return ProviderAnswer(quotes: Dictionary(found) { $1 })
    }
  }

  @Test func `A flight that all have left ends without taking the next one with it`() async throws {
    let provider = Stubborn()
    let joined = Notes<TraceEvent>()
    let service = PriceService(
      providers: [provider],
      cache: PriceCache(path: nil, memoryLimit: 1 << 20, diskLimit: 1 << 20) { Issue.record("\($0)") },
      trace: Trace { if case .joinedFlight = $0 { joined.add($0) } })
    // A refresh, because the first flight's answer is kept, too.
    func ask() -> Task<QuotesAnswer, any Error> {
      Task { try await service.quotes(["a"], currency: "usd", policy: .refresh) }
    }
    let first = ask()
    await wait { provider.asked.withLock { $0 } == 1 }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    let second = ask()
    await wait { provider.asked.withLock { $0 } == 2 }
    provider.opened.withLock { $0 = 1 }
    for _ in 0..<1000 { await Task.yield() }
    let third = ask()
    await wait { joined.all.count == 1 || provider.asked.withLock { $0 } == 3 }
    provider.opened.withLock { $0 = .max }
    _ = try await (second.value, third.value)
    #expect(provider.asked.withLock { $0 } == 2)
  }

  @Test func `The second of two processes that share only the cache file finds the answer of the first`() async throws {
    let gate = Gate()
    // As two processes would: each with its own memory, board and connection.
    let services = [service(gate), service(gate)]
    // On a machine with much to do the first may take long.
    let tasks = services.map { service in
      Task {
        try await Deadline.independent(.seconds(3600), on: SystemTime()) {
          try await service.quotes(["a"], currency: "usd")
        }
      }
    }
    await wait { gate.asked.all.count == 1 }
    for _ in 0..<1000 { await Task.yield() }
    gate.open()
    for task in tasks { #expect(try await task.value.quotes.count == 1) }
    #expect(gate.asked.all == ["a"])
  }
}
