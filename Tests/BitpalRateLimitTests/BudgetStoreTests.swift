import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestSupport
import Testing

@testable import BitpalRateLimit

/// What ``BudgetStore`` promises, of each store there is.
@Suite struct `Every store of budgets` {
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let make: @Sendable (_ folder: String, _ time: ManualTime) -> any BudgetStore
  }

  static let kinds = [
    Kind(testDescription: "memory") { _, time in MemoryBudgetStore(time: time) },
    Kind(testDescription: "sqlite") { folder, time in
      let clock = BudgetClock(bootID: "boot", now: { time.monotonic }, wall: { time.now })
      return BudgetFile(path: folder + "/budgets.db", clock: clock) { Issue.record("\($0)") }
    },
  ]

  private let folder: TemporaryFolder
  private let time = ManualTime()
  private let limits = [RateLimit(limit: 3, window: .seconds(60))].compactMap { $0 }

  init() throws {
    folder = try TemporaryFolder()
  }

  private func takes(_ store: any BudgetStore, _ key: String, _ limits: [RateLimit]) throws -> Bool {
    if case .decision(.booked) = try store.apply(.take(patience: .zero), to: key, limits: limits).result {
      true
    } else {
      false
    }
  }

  @Test(arguments: kinds) func `counts each key apart, and forgets nothing within a window`(kind: Kind) throws {
    let store = kind.make(folder.path, time)
    for _ in 0..<3 { #expect(try takes(store, "a", limits)) }
    #expect(try !takes(store, "a", limits))
    #expect(try takes(store, "b", limits))
    time.advance(by: .seconds(59))
    #expect(try !takes(store, "a", limits))
    time.advance(by: .seconds(2))
    #expect(try takes(store, "a", limits))
  }

  @Test(arguments: kinds) func `keeps a budget that another has as well`(kind: Kind) throws {
    let store = kind.make(folder.path, time)
    let both = limits + [RateLimit(limit: 4, window: .seconds(600))].compactMap { $0 }
    for _ in 0..<3 { #expect(try takes(store, "a", both)) }
    time.advance(by: .seconds(61))
    #expect(try takes(store, "a", both))
    #expect(try !takes(store, "a", both))
    time.advance(by: .seconds(61))
    #expect(try !takes(store, "a", both))
  }

  @Test(arguments: kinds) func `lets nobody between reading and keeping`(kind: Kind) async throws {
    let store = kind.make(folder.path, time)
    let limits = [RateLimit(limit: 40, window: .seconds(60))].compactMap { $0 }
    let taken = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          for _ in 0..<10 where try takes(store, "a", limits) { count += 1 }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(taken == 40)
  }

  @Test(arguments: kinds) func `remembers the failures of each source until it is told otherwise`(kind: Kind)
    async throws
  {
    let store = kind.make(folder.path, time)
    let now = Date(milliseconds: 1_736_937_000_000)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<20 {
        group.addTask {
          store.changeFailures(of: "p") {
            SourceFailures(count: ($0?.count ?? 0) + 1, last: now, reason: "HTTP 503")
          }
        }
      }
    }
    #expect(store.failures(of: "p") == SourceFailures(count: 20, last: now, reason: "HTTP 503"))
    #expect(store.failures(of: "q") == nil)
    store.changeFailures(of: "p") { _ in nil }
    #expect(store.failures(of: "p") == nil)
  }
}
