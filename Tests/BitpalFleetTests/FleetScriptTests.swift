import BitpalModel
import BitpalRateLimit
import FoundationEssentials
import TestFleet
import TestSupport
import Testing

@testable import BitpalFleet

/// Compares the budget's script with the budget itself, on a real server.
@Suite(.enabled(if: TestFleet.address != nil)) struct `A budget on the server` {
  private let folder: TemporaryFolder
  private let name = String(UInt64.random(in: .min ... .max), radix: 36)

  init() throws {
    folder = try TemporaryFolder()
  }

  /// A machine of a fleet of the test's own, with a file of its own.
  private func store(_ machine: String, members: Int = 3, rate: (Int, Int)...) throws -> Machine {
    let limits = rate.compactMap { RateLimit(limit: $0.0, window: .seconds($0.1)) }
    try folder.write("", to: machine + "/file")
    let made = TestFleet.machine(in: folder.path + "/" + machine, members: members, named: name) {
      Issue.record("\($0)")
    }
    let (fleet, file) = try #require(made)
    return Machine(fleet: fleet, store: FleetBudgetStore(fleet, local: file), limits: limits)
  }

  private struct Machine {
    let fleet: Fleet
    let store: FleetBudgetStore
    let limits: [RateLimit]

    /// The number of tokens that are taken of so many wanted.
    func takes(_ count: Int) throws -> Int {
      // Under a long window a machine that is busy has time for the exchange, so that the token is one of its own use.
      let margin: Duration = limits.contains { $0.window < .seconds(60) } ? .zero : .seconds(5)
      return try (0..<count).count { _ in
        if case .taken = try store.apply(.take(within: margin), to: "a", limits: limits).outcome { true } else { false }
      }
    }

    /// The wait for the next token.
    func wait() throws -> Duration? {
      let reply = try store.apply(.take(), to: "a", limits: limits)
      guard case .refused(let refusal) = reply.outcome else { return .zero }
      return refusal.earliest.map { $0 - reply.now }
    }

    func ask(_ words: String...) throws {
      try fleet.perform { connection throws(FleetFault) in _ = try connection.ask(words) }
    }

    var key: String { fleet.keys.budget("a") }
    func list(_ index: Int) -> String { fleet.keys.tokens("a") + store.share(of: "a", limits).names[index] }
  }

  private static let lists: [[(Int, Int)]] = [
    [(1, 100)], [(5, 200)], [(3, 100), (9, 600)], [(9, 600), (3, 100)], [(200, 256)], [(150, 128), (400, 512)],
  ]

  @Test(arguments: lists) func `counts as one in memory does, whatever is done`(list: [(Int, Int)]) async throws {
    let limits = list.compactMap { RateLimit(limit: $0.0, window: .milliseconds($0.1)) }
    let store = try store("one").store
    var budget = RequestBudget(limits)
    var stamps: [Duration] = []
    var random = SystemRandomNumberGenerator()
    for step in 0..<600 {
      let margin = Duration.microseconds(Int64.random(in: 0...20_000, using: &random))
      let change: BudgetChange =
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<7: .take(within: margin, patience: .milliseconds(Int64.random(in: 0...400, using: &random)))
        case 7..<9: .take(within: margin, hasWaited: true)
        case 9: .take(within: margin, patience: nil)
        case 10..<13: .take(Int.random(in: 1...4, using: &random), within: margin)
        case 13..<16:
          stamps.randomElement(using: &random).map { .giveBack($0, count: Int.random(in: 1...4, using: &random)) }
            ?? .take()
        case 16 where step % 7 == 0: .block(.milliseconds(Int64.random(in: 1...60, using: &random)))
        default: .take()
        }
      let there = try store.apply(change, to: "a", limits: limits)
      let here = budget.apply(change, at: there.now)
      try #require(there.outcome == here.outcome, "step \(step): \(change)")
      if case .taken(let stamp) = there.outcome { stamps.append(stamp) }
      if stamps.count > 30 { stamps.removeFirst() }
      if step % 10 == 0 { try await TestFleet.pass(.milliseconds(Int64.random(in: 0...40, using: &random))) }
    }
  }

  @Test func `continues under other limits, and all machines keep to the strictest`() throws {
    let few = try store("few", rate: (2, 60))
    let more = try store("more", rate: (3, 60))
    #expect(try few.takes(2) == 2)
    #expect(try more.takes(1) == 0)
    #expect(try more.fleet.health().differing == ["a": ["2/1m", "3/1m"]])
  }

  /// Losses of a budget, and the commands that cause them.
  static let losses: [(name: String, commands: [[String]])] = [
    ("DEL", [["DEL", "KEY"]]), ("eviction of a list", [["DEL", "LIST"]]), ("wrong type", [["SET", "KEY", "x"]]),
    ("wrong type of a list", [["SET", "LIST", "x"]]), ("garbage", [["HSET", "KEY", "state", "x"]]),
    ("another generation of the server", [["HSET", "KEY", "generation", "other 1"]]),
    ("a longer list", [["RPUSH", "LIST", "1"]]), ("everything", [["DEL", "KEY", "LIST"]]),
  ]

  @Test(arguments: losses.indices) func `is waited out for one window when it is lost, and comes back`(index: Int)
    async throws
  {
    let machine = try store("one", rate: (4, 1))
    #expect(try machine.takes(4) == 4)
    for command in Self.losses[index].commands {
      let words = command.map { $0 == "KEY" ? machine.key : $0 == "LIST" ? machine.list(0) : $0 }
      try machine.fleet.perform { connection throws(FleetFault) in _ = try connection.ask(words) }
    }
    let wait = try #require(try machine.wait())
    #expect(wait > .milliseconds(500) && wait <= .seconds(1), "\(Self.losses[index].name): \(wait)")
    // Other machines find it as it is.
    #expect(try store("two", rate: (4, 1)).takes(4) == 0)
    try await TestFleet.pass(.milliseconds(1100))
    #expect(try machine.takes(6) == 4)
  }

  @Test(arguments: [[80, 1, 1], [30, 30, 30], [0, 100, 0], [1, 0, 0]])
  func `of a long window continues with what each machine has used itself`(use: [Int]) throws {
    let machines = try use.indices.map { try store("machine-\($0)", rate: (100, 600)) }
    var sum = 0
    for (machine, count) in zip(machines, use) { sum += try machine.takes(count) }
    // Every machine has counted with the others before.
    for machine in machines { sum += try machine.takes(1) }
    try machines[0].ask("DEL", machines[0].key)
    for machine in machines { sum += try machine.takes(200) }
    for machine in machines.reversed() { sum += try machine.takes(200) }
    #expect(sum == 100)
  }

  @Test func `waits five seconds for reports, then holds the share of machines that have not reported`() async throws {
    let busy = try store("busy", rate: (100, 600))
    let idle = try store("idle", rate: (100, 600))
    #expect(try busy.takes(70) == 70)
    #expect(try idle.takes(1) == 1)
    try busy.ask("DEL", busy.key)
    for machine in [busy, idle] {
      let wait = try #require(try machine.wait())
      #expect(wait > .seconds(4) && wait <= .seconds(5))
    }
    try await TestFleet.pass(.milliseconds(5100))
    // Of the 29 that they do not know of, one of three machines may have used its share.
    #expect(try busy.takes(100) == 20)
    #expect(try store("third", rate: (100, 600)).takes(100) == 9)
  }

  @Test func `that a machine without a memory has begun is lost for those that remember`() async throws {
    let machine = try store("one", rate: (2, 1))
    #expect(try machine.takes(2) == 2)
    try machine.ask("DEL", machine.key)
    #expect(try store("stranger", rate: (2, 1)).takes(2) == 2)
    #expect(try machine.takes(2) == 0)
    try await TestFleet.pass(.milliseconds(1100))
    #expect(try machine.takes(4) == 2)
  }

  @Test func `counts a report of a machine once, whichever of its processes makes it`() throws {
    let process = try store("one", members: 1, rate: (100, 600))
    let other = try store("one", members: 1, rate: (100, 600))
    #expect(try process.takes(20) + other.takes(1) == 21)
    try process.ask("DEL", process.key)
    #expect(try process.takes(1) == 1)
    #expect(try other.takes(200) == 78)
  }
}
