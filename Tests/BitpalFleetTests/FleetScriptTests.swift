import BitpalModel
import BitpalRateLimit
import FoundationEssentials
import TestFleet
import TestSupport
import Testing

@testable import BitpalFleet

/// The budget's script against the budget itself, on a real server.
@Suite(.enabled(if: TestFleet.address != nil)) struct `A budget on the server` {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  private static let lists: [[(Int, Int)]] = [
    [(1, 100)], [(5, 200)], [(3, 100), (9, 600)], [(9, 600), (3, 100)], [(200, 256)], [(150, 128), (400, 512)],
  ]

  @Test(arguments: lists) func `counts as one in memory does, whatever is done`(list: [(Int, Int)]) async throws {
    let limits = list.compactMap { RateLimit(limit: $0.0, window: .milliseconds($0.1)) }
    let (fleet, file) = try #require(TestFleet.machine(in: folder.path) { Issue.record("\($0)") })
    let store = FleetBudgetStore(fleet, local: file)
    var budget = RequestBudget(limits)
    var places: [Duration] = []
    var random = SystemRandomNumberGenerator()
    for step in 0..<400 {
      let change: BudgetChange =
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<9: .take(patience: .milliseconds(Int64.random(in: 0...400, using: &random)))
        case 9: .take(patience: nil)
        case 10..<13: places.randomElement(using: &random).map { .giveBack($0) } ?? .count
        case 13..<17: places.randomElement(using: &random).map { .confirm($0, within: store.distance) } ?? .count
        case 17: .count
        case 18 where step % 7 == 0: .block(.milliseconds(Int64.random(in: 1...60, using: &random)))
        default: .take(patience: .zero)
        }
      let there = try store.apply(change, to: "a", limits: limits)
      let here = budget.apply(change, at: there.now)
      try #require(there == here, "step \(step): \(change)")
      switch there.result {
      case .decision(.booked(let place)), .decision(.bookedLater(let place, _)): places.append(place)
      default: break
      }
      if places.count > 30 { places.removeFirst() }
      if step % 10 == 0 { try await Task.sleep(for: .milliseconds(Int64.random(in: 0...40, using: &random))) }
    }
  }

  @Test func `goes on under other limits with what was counted`() throws {
    let (fleet, file) = try #require(TestFleet.machine(in: folder.path) { Issue.record("\($0)") })
    let store = FleetBudgetStore(fleet, local: file)
    let few = [RateLimit(limit: 2, window: .seconds(60))].compactMap { $0 }
    let more = [RateLimit(limit: 3, window: .seconds(60))].compactMap { $0 }
    for _ in 0..<2 { _ = try store.apply(.take(patience: .zero), to: "a", limits: few) }
    #expect(try Self.isBooked(store, more))
    #expect(try !Self.isBooked(store, more))
  }

  @Test func `is not whole when the server has lost it, for those who remember`() throws {
    let limits = [RateLimit(limit: 2, window: .seconds(1))].compactMap { $0 }
    let name = String(UInt64.random(in: .min ... .max), radix: 36)
    let machine = try #require(TestFleet.machine(in: folder.path, named: name) { Issue.record("\($0)") })
    let store = FleetBudgetStore(machine.fleet, local: machine.file)
    #expect(try Self.isBooked(store, limits))
    // Others who begin believe the mark of those who began.
    let other = try TemporaryFolder()
    let beginner = try #require(TestFleet.machine(in: other.path, named: name) { Issue.record("\($0)") })
    #expect(try Self.isBooked(FleetBudgetStore(beginner.fleet, local: beginner.file), limits))
    try machine.fleet.perform { connection throws(FleetFault) in
      _ = try connection.ask(["DEL", machine.fleet.keys.mark, machine.fleet.keys.budget("a")])
    }
    // A machine that remembers nothing makes a new one, and the next that does remembers better.
    let third = try TemporaryFolder()
    let stranger = try #require(TestFleet.machine(in: third.path, named: name) { Issue.record("\($0)") })
    #expect(try Self.isBooked(FleetBudgetStore(stranger.fleet, local: stranger.file), limits))
    #expect(throws: BudgetTrouble.incomplete) { try Self.isBooked(store, limits) }
    #expect(throws: BudgetTrouble.incomplete) {
      try Self.isBooked(FleetBudgetStore(stranger.fleet, local: stranger.file), limits)
    }
    // What others have used until then is not known: the share is used up.
    let share = store.share(of: "a", limits)
    let reply = try machine.file.apply(.take(patience: .zero), to: share.key, limits: share.limits)
    #expect(reply.result != .decision(.booked(reply.now)))
  }

  @Test func `counts of a long window what the others have likely used, where it is not known`() throws {
    let limits = [RateLimit(limit: 10, window: .seconds(86_400))].compactMap { $0 }
    let (fleet, file) = try #require(TestFleet.machine(in: folder.path, members: 3) { Issue.record("\($0)") })
    let store = FleetBudgetStore(fleet, local: file)
    let share = store.share(of: "a", limits)
    for _ in 0..<3 { share.count() }
    // Three of its own, so nine of all.
    #expect(try Self.isBooked(store, limits))
    #expect(try !Self.isBooked(store, limits))
  }

  private static func isBooked(_ store: FleetBudgetStore, _ limits: [RateLimit]) throws -> Bool {
    if case .decision(.booked) = try store.apply(.take(patience: .zero), to: "a", limits: limits).result {
      true
    } else {
      false
    }
  }
}
