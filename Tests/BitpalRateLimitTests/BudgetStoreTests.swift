import BitpalFleet
import BitpalModel
import BitpalTesting
import FoundationEssentials
import TestFleet
import TestSupport
import Testing

@testable import BitpalRateLimit

/// What ``BudgetStore`` promises, of each store there is.
@Suite struct `Every store of budgets` {
  struct Kind: CustomTestStringConvertible, Sendable {
    let testDescription: String

    /// A length that all windows of a test are measured by.
    let window: Duration

    let make: @Sendable (_ folder: String, _ time: ManualTime) -> any BudgetStore

    /// Lets time pass for the store.
    var pass: @Sendable (_ time: ManualTime, _ duration: Duration) async throws -> Void = { $0.advance(by: $1) }
  }

  static let kinds =
    [
      Kind(testDescription: "memory", window: .seconds(60)) { _, time in MemoryBudgetStore(time: time) },
      Kind(testDescription: "sqlite", window: .seconds(60)) { folder, time in
        let clock = BudgetClock(bootID: "boot", now: { time.monotonic }, wall: { time.now })
        return BudgetFile(path: folder + "/budgets.db", clock: clock) { Issue.record("\($0)") }
      },
    ] + (TestFleet.address == nil ? [] : [redis])

  /// A real server has a clock of its own.
  private static let redis = Kind(testDescription: "redis", window: .seconds(4)) { folder, _ in
    let machine = TestFleet.machine(in: folder) { Issue.record("\($0)") }
    return machine.map { FleetBudgetStore($0.fleet, local: $0.file) } ?? MemoryBudgetStore(time: ManualTime())
  } pass: { _, duration in
    try await TestFleet.pass(duration)
  }

  private let folder: TemporaryFolder
  private let time = ManualTime()

  init() throws {
    folder = try TemporaryFolder()
  }

  private func limit(_ count: Int, _ window: Duration) -> [RateLimit] {
    [RateLimit(limit: count, window: window)].compactMap { $0 }
  }

  private func takes(_ store: any BudgetStore, _ key: String, _ limits: [RateLimit]) throws -> Bool {
    if case .taken = try store.apply(.take(), to: key, limits: limits).outcome { true } else { false }
  }

  @Test func `names the wait for the next token`() throws {
    let store = MemoryBudgetStore(time: time)
    var wait = Duration.zero
    for _ in 0..<6 {
      let reply = try store.apply(.take(), to: "coingecko", limits: [.perMinute(5)])
      if case .refused(let refusal) = reply.outcome, let earliest = refusal.earliest {
        wait = earliest - reply.now
      }
    }
    #expect(wait > .seconds(59) && wait <= .seconds(61))
  }

  @Test(arguments: kinds) func `counts each key apart, and forgets nothing within a window`(kind: Kind) async throws {
    let store = kind.make(folder.path, time)
    let limits = limit(3, kind.window)
    for _ in 0..<3 { #expect(try takes(store, "a", limits)) }
    #expect(try !takes(store, "a", limits))
    #expect(try takes(store, "b", limits))
    try await kind.pass(time, kind.window / 2)
    #expect(try !takes(store, "a", limits))
    try await kind.pass(time, kind.window * 6 / 10)
    #expect(try takes(store, "a", limits))
  }

  @Test(arguments: kinds) func `keeps a budget that another has as well`(kind: Kind) async throws {
    let store = kind.make(folder.path, time)
    let both = limit(3, kind.window) + limit(4, kind.window * 10)
    for _ in 0..<3 { #expect(try takes(store, "a", both)) }
    try await kind.pass(time, kind.window * 11 / 10)
    #expect(try takes(store, "a", both))
    #expect(try !takes(store, "a", both))
    try await kind.pass(time, kind.window * 11 / 10)
    #expect(try !takes(store, "a", both))
  }

  @Test(arguments: kinds) func `returns the token of a request that never left, and holds all requests for a pause`(
    kind: Kind
  ) async throws {
    let store = kind.make(folder.path, time)
    let limits = limit(1, kind.window)
    let first = try store.apply(.take(), to: "a", limits: limits)
    guard case .taken(let stamp) = first.outcome else {
      Issue.record("\(first)")
      return
    }
    #expect(try !takes(store, "a", limits))
    try store.apply(.giveBack(stamp), to: "a", limits: limits)
    try store.apply(.block(kind.window / 2), to: "a", limits: limits)
    let held = try store.apply(.take(patience: kind.window), to: "a", limits: limits)
    guard case .refused(let refusal) = held.outcome, let end = refusal.earliest else {
      Issue.record("\(held)")
      return
    }
    #expect(refusal.cause == .pause && refusal.turn == end)
    try await kind.pass(time, end - held.now + .milliseconds(10))
    #expect(try takes(store, "a", limits))
    #expect(try !takes(store, "a", limits))
  }

  @Test(arguments: kinds) func `takes several tokens at once or none, and names the instant for them`(kind: Kind)
    throws
  {
    let store = kind.make(folder.path, time)
    let limits = limit(5, kind.window)
    guard case .taken(let stamp) = try store.apply(.take(3), to: "a", limits: limits).outcome,
      case .refused(let refusal) = try store.apply(.take(3), to: "a", limits: limits).outcome
    else {
      Issue.record("three of five are there, and three more are not")
      return
    }
    #expect(refusal.earliest == stamp + kind.window && refusal.cause == .limit(limits[0], used: 3))
    for _ in 0..<2 { #expect(try takes(store, "a", limits)) }
    #expect(try !takes(store, "a", limits))
  }

  @Test(arguments: kinds) func `holds nothing for a caller that waits`(kind: Kind) async throws {
    let store = kind.make(folder.path, time)
    let limits = limit(2, kind.window)
    for _ in 0..<2 { #expect(try takes(store, "a", limits)) }
    for _ in 0..<50 { try store.apply(.take(patience: nil), to: "a", limits: limits) }
    try await kind.pass(time, kind.window * 11 / 10)
    for _ in 0..<2 { #expect(try takes(store, "a", limits)) }
  }

  @Test(arguments: kinds) func `reads and stores without another change in between`(kind: Kind) async throws {
    let store = kind.make(folder.path, time)
    let limits = limit(40, .seconds(60))
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

  @Test(arguments: kinds) func `remembers the failures of each source until a success`(kind: Kind)
    async throws
  {
    let store = kind.make(folder.path, time)
    let now = Date(milliseconds: 1_736_937_000_000)
    var failure = SourceFailures.Failure(
      first: now, last: now, end: now.adding(.seconds(5)), pauses: 1, code: .refused, message: "p answered:\tHTTP\n503")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<20 {
        group.addTask { [failure] in
          store.changeFailures(of: "p") { known in
            var failures = known ?? SourceFailures()
            failures.whole = failure
            failures.questions["quote \(number)"] = failure
            failures.suspects = ["quote 1", "quote 2"]
            return failures
          }
        }
      }
    }
    let known = store.failures(of: "p")
    failure.message = known?.whole?.message.replacing(" HTTP 503", with: "\tHTTP\n503") ?? ""
    #expect(known?.whole?.end == failure.end && failure.message == "p answered:\tHTTP\n503")
    #expect(known?.questions.count == 20 && known?.suspects.intersection(["quote 1", "quote 2"]).count == 2)
    #expect(store.failures(of: "q") == nil)
    store.changeFailures(of: "p") { _ in nil }
    #expect(store.failures(of: "p") == nil)
  }
}
