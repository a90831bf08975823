import BitpalModel
import TestSupport
import Testing

@testable import BitpalRateLimit

/// Holds a budget to a plain log of times, which knows no slots and forgets nothing.
@Suite struct `A request budget` {
  /// Budgets that are kept exactly, and such whose requests share slots.
  static let exact: [[RateLimit]] = [
    limits((1, 10)), limits((2, 10)), limits((5, 60)), limits((30, 60)), limits((128, 60)), limits((3, 10), (7, 60)),
    limits((5, 1), (20, 60), (100, 86_400)),
  ]
  static let coarse: [[RateLimit]] = [limits((129, 10)), limits((300, 60)), limits((5, 1), (200, 600))]

  private static func limits(_ pairs: (Int, Int)...) -> [RateLimit] {
    pairs.compactMap { RateLimit(limit: $0.0, window: .seconds($0.1)) }
  }

  /// When requests went or will go, and when one more may.
  private struct PlainLog {
    let limits: [RateLimit]
    var times: [Int64] = []

    func allows(_ time: Int64) -> Bool {
      limits.allSatisfy { limit in
        let away = WindowLog(limit).allowance + Nanoseconds.of(limit.window)
        let all = (times.filter { abs($0 - time) < away } + [time]).sorted()
        // Of so many in a row and one more, the last is a window after the first.
        return all.indices.dropFirst(limit.limit).allSatisfy { all[$0] - all[$0 - limit.limit] >= away }
      }
    }

    /// The first instant from `start` on that is allowed; there is one when nothing has gone for a window.
    func earliest(from start: Int64) -> Int64 {
      let returns = limits.flatMap { limit in
        times.map { $0 + WindowLog(limit).allowance + Nanoseconds.of(limit.window) }
      }
      return ([start] + returns.filter { $0 > start }).sorted().first { allows($0) } ?? .max
    }
  }

  /// Asks, waits, gives up and goes on at random; calls `check` with each place that was booked.
  private func play(
    _ limits: [RateLimit], steps: Int, seed: UInt64, check: (_ place: Int64, _ now: Int64, _ log: PlainLog) -> Void
  ) {
    var random = SplitMix(seed: seed)
    var budget = RequestBudget(limits)
    var log = PlainLog(limits: limits)
    var now: Int64 = 1_000_000_000_000
    let step = limits.map { Nanoseconds.of($0.window) / Int64($0.limit) }.min() ?? 1
    for _ in 0..<steps {
      if Bool.random(using: &random) { now += Int64.random(in: 0...(2 * step), using: &random) }
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        // Whoever has not gone yet may give up, and a request that never left counts for nothing.
        guard let index = log.times.indices.filter({ log.times[$0] >= now }).randomElement(using: &random) else {
          continue
        }
        budget.giveBack(.nanoseconds(log.times.remove(at: index)))
      default:
        let patience = Duration.nanoseconds(Int64.random(in: 0...(5 * step), using: &random))
        switch budget.take(at: .nanoseconds(now), patience: patience) {
        case .booked(let place), .bookedLater(let place, _):
          check(Nanoseconds.of(place), now, log)
          log.times.append(Nanoseconds.of(place))
        case .refused(let wait, _):
          guard let wait else { continue }
          check(now + Nanoseconds.of(wait), now, log)
        }
      }
    }
    #expect(log.times.count > 10)
  }

  @Test(arguments: exact) func `lets each request go as soon as a plain log of all times would, and no sooner`(
    limits: [RateLimit]
  ) {
    for seed in 0..<3 {
      var mistakes: [Int64] = []
      play(limits, steps: 150, seed: UInt64(seed)) { place, now, log in
        let late = place - log.earliest(from: now)
        if late != 0 { mistakes.append(late) }
      }
      #expect(mistakes == [])
    }
  }

  @Test(arguments: coarse) func `of many requests never has more in a window than the limit, and is little late`(
    limits: [RateLimit]
  ) {
    let slot = limits.map { Nanoseconds.of($0.window) / Int64(WindowLog.exactLimit) }.max() ?? 0
    var tooEarly = 0
    var tooLate: [Int64] = []
    var count = 0
    play(limits, steps: 700, seed: 1) { place, now, log in
      count += 1
      if !log.allows(place) { tooEarly += 1 }
      // The plain log is slow.
      guard place > now, count % 20 == 0 else { return }
      let late = place - log.earliest(from: now)
      if late > 2 * slot { tooLate.append(late) }
    }
    #expect(tooEarly == 0 && tooLate == [])
  }

  @Test func `All may go at once, and each token is back one window after it was taken`() throws {
    let limit = try #require(RateLimit(limit: 3, window: .seconds(60)))
    var budget = RequestBudget([limit])
    for second in [0, 10, 20] {
      #expect(budget.take(at: .seconds(second), patience: .zero) == .booked(.seconds(second)))
    }
    #expect(
      budget.take(at: .seconds(30), patience: .zero)
        == .refused(wait: .milliseconds(30_100), .budget(limit, used: 3)))
    #expect(budget.take(at: .milliseconds(60_100), patience: .zero) == .booked(.milliseconds(60_100)))
    #expect(
      budget.take(at: .milliseconds(60_200), patience: .seconds(10))
        == .bookedLater(.milliseconds(70_100), .budget(limit, used: 3)))
    #expect(budget.usage(at: .milliseconds(60_200)) == [RequestBudget.Usage(limit: limit, used: 4)])
  }

  @Test func `Hundreds of waiters are kept in bounded space`() throws {
    let limit = try #require(RateLimit(limit: 1, window: .milliseconds(1)))
    var budget = RequestBudget([limit])
    var refused = 0
    for _ in 0..<600 {
      if case .refused(nil, _) = budget.take(at: .seconds(1), patience: nil) { refused += 1 }
    }
    #expect(refused == 600 - WindowLog.mostSlots)
  }

  @Test func `A request that comes too late for its place books again`() throws {
    let limit = try #require(RateLimit(limit: 1, window: .seconds(60)))
    var budget = RequestBudget([limit])
    #expect(!budget.isUsable(.seconds(5), at: .seconds(5)), "nobody has booked it")
    #expect(budget.take(at: .seconds(5), patience: nil) == .booked(.seconds(5)))
    #expect(budget.isUsable(.seconds(5), at: .milliseconds(5100)))
    #expect(!budget.isUsable(.seconds(5), at: .milliseconds(5101)))
    budget.block(for: .seconds(10), at: .zero)
    #expect(!budget.isUsable(.seconds(5), at: .seconds(5)))
    #expect(budget.pauseLeft(at: .seconds(4)) == .seconds(6))
    budget.block(for: .seconds(1), at: .seconds(4))
    #expect(budget.pauseLeft(at: .seconds(4)) == .seconds(6))
  }

  @Test func `What others may have used is all of it, though some is this machine's own and comes back before`() throws
  {
    let limit = try #require(RateLimit(limit: 3, window: .seconds(1)))
    var budget = RequestBudget([limit])
    for time in [100, 500, 900] { budget.count(at: .milliseconds(time)) }
    budget.useUp(windowsUpTo: .seconds(300), at: .seconds(1))
    let decision = budget.take(at: .seconds(1), patience: nil)
    let back = Duration.seconds(2) + .nanoseconds(WindowLog(limit).allowance)
    #expect(decision == .bookedLater(back, .budget(limit, used: 3)))
  }

  @Test(arguments: exact + coarse) func `comes back from its text as it was`(limits: [RateLimit]) throws {
    for limit in limits {
      var log = WindowLog(limit)
      for index in 0..<300 { log.add(at: Int64(index) * Nanoseconds.of(limit.window) / 100) }
      #expect(WindowLog(text: log.text) == log)
    }
  }

  @Test(arguments: [
    "", "5", "5/60:", "5/60", "x/60:1 1 1", "5/60:1 1", "5/60:2 1 1", "5/60:1 1 0", "5/60:1 1 1099511627777",
    "5/60:3 3 1,1 1 1", "5/0:1 1 1", "0/60:1 1 1", "5/60:9223372036854775807 9223372036854775807 1",
  ])
  func `What is no log is none`(text: String) {
    #expect((WindowLog(text: text) == nil) == (text != "5/60:"))
  }
}

/// The most of `times` that lie in one stretch `[t, t + window)`.
func mostInAnyWindow(_ times: [Duration], _ window: Duration) -> Int {
  let times = times.sorted()
  var most = 0
  var first = 0
  for last in times.indices {
    while times[last] - times[first] >= window { first += 1 }
    most = max(most, last - first + 1)
  }
  return most
}

/// A small seeded generator, so that a failure can be had again.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
