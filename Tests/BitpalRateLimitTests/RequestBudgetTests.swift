import BitpalModel
import TestSupport
import Testing

@testable import BitpalRateLimit

/// Compares a budget with a plain list of stamps, which rounds nothing and forgets nothing.
@Suite struct `A request budget` {
  /// Limits whose stamps are kept exactly, and limits whose stamps are rounded.
  static let exact: [[RateLimit]] = [
    limits((1, 10)), limits((2, 10)), limits((5, 60)), limits((30, 60)), limits((128, 60)), limits((3, 10), (7, 60)),
    limits((5, 1), (20, 60), (100, 86_400)),
  ]
  static let coarse: [[RateLimit]] = [limits((129, 10)), limits((300, 60)), limits((5, 1), (200, 600))]

  private static func limits(_ pairs: (Int, Int)...) -> [RateLimit] {
    pairs.compactMap { RateLimit(limit: $0.0, window: .seconds($0.1)) }
  }

  private struct PlainLog {
    let limits: [RateLimit]
    var stamps: [Duration] = []

    /// The first instant from `now` on at which `count` more tokens are free under every limit.
    func earliest(for count: Int, at now: Duration) -> Duration {
      limits.map { limit in
        let counting = stamps.filter { $0 + limit.window > now }.sorted()
        let missing = counting.count + count - limit.limit
        return missing <= 0 ? now : counting[missing - 1] + limit.window
      }.max() ?? now
    }
  }

  /// Takes and returns tokens at random; calls `check` with each decision and the earliest instant of a plain log.
  private func play(
    _ limits: [RateLimit], steps: Int, seed: UInt64,
    check: (_ outcome: RequestBudget.Outcome, _ now: Duration, _ earliest: Duration) -> Void
  ) {
    var random = SplitMix(seed: seed)
    var budget = RequestBudget(limits)
    var log = PlainLog(limits: limits)
    var left: [Duration] = []
    var now = Duration.seconds(1000)
    let step = limits.map { $0.window.wholeMicroseconds / Int64($0.limit) }.min() ?? 1
    for _ in 0..<steps {
      if Bool.random(using: &random) { now += .microseconds(Int64.random(in: 0...(2 * step), using: &random)) }
      if Int.random(in: 0..<8, using: &random) == 0, let stamp = log.stamps.randomElement(using: &random) {
        budget.giveBack(stamp)
        guard let index = log.stamps.firstIndex(of: stamp) else { continue }
        log.stamps.remove(at: index)
        left.remove(at: index)
        continue
      }
      let count = Int.random(in: 1...min(3, limits.map(\.limit).min() ?? 1), using: &random)
      let margin = Duration.microseconds(Int64.random(in: 0...step / 2, using: &random))
      let earliest = log.earliest(for: count, at: now)
      let outcome = budget.take(count, at: now, within: margin, patience: .zero)
      check(outcome, now, earliest)
      guard case .taken(let stamp) = outcome else { continue }
      for _ in 0..<count {
        log.stamps.append(stamp)
        left.append(now + .microseconds(Int64.random(in: 0...margin.wholeMicroseconds, using: &random)))
      }
    }
    #expect(log.stamps.count > 10)
    for limit in limits { #expect(mostInAnyWindow(left, limit.window) <= limit.limit, "on the wire") }
  }

  @Test(arguments: exact) func `takes a token as soon as a plain log would, and names that instant`(limits: [RateLimit])
  {
    for seed in 0..<3 {
      var mistakes: [Duration] = []
      play(limits, steps: 300, seed: UInt64(seed)) { outcome, now, earliest in
        switch outcome {
        case .taken: if earliest != now { mistakes.append(earliest - now) }
        case .refused(let refusal):
          if refusal.earliest != earliest || refusal.turn < earliest { mistakes.append(earliest - now) }
        }
      }
      #expect(mistakes == [])
    }
  }

  @Test(arguments: coarse) func `of many tokens is never early and at most a slot late`(limits: [RateLimit]) {
    let slot = Duration.microseconds(limits.map { $0.window.wholeMicroseconds / 128 }.max() ?? 0)
    var early = 0
    var late: [Duration] = []
    play(limits, steps: 700, seed: 1) { outcome, now, earliest in
      switch outcome {
      case .taken: if earliest > now { early += 1 }
      case .refused(let refusal):
        guard let named = refusal.earliest else { return }
        if named < earliest { early += 1 }
        if named - earliest > slot { late.append(named - earliest) }
      }
    }
    #expect(early == 0 && late == [])
  }

  @Test func `All tokens can be taken at once, and each is back one window after its request has left`() throws {
    let limit = try #require(RateLimit(limit: 3, window: .seconds(60)))
    var budget = RequestBudget([limit])
    for second in [0, 10, 20] {
      let outcome = budget.take(at: .seconds(second), within: .milliseconds(100))
      #expect(outcome == .taken(.milliseconds(second * 1000 + 100)))
    }
    let refusal = RequestBudget.Refusal(
      earliest: .milliseconds(60_100), turn: .milliseconds(60_100), cause: .limit(limit, used: 3))
    #expect(budget.take(at: .seconds(30)) == .refused(refusal))
    #expect(budget.take(at: .milliseconds(60_100)) == .taken(.milliseconds(60_100)))
    #expect(budget.usage(at: .milliseconds(60_200)) == [RequestBudget.Usage(limit: limit, used: 3)])
  }

  @Test func `Waiting callers get different instants, and a caller without patience delays no other`() throws {
    let limit = try #require(RateLimit(limit: 2, window: .seconds(10)))
    var budget = RequestBudget([limit])
    for second in [0, 1] { #expect(budget.take(at: .seconds(second)) == .taken(.seconds(second))) }
    func turn(_ patience: Duration?) -> Duration? {
      if case .refused(let refusal) = budget.take(at: .seconds(2), patience: patience) { refusal.turn } else { nil }
    }
    #expect(turn(.zero) == .seconds(10))
    #expect([nil, nil, nil, .seconds(60)].map { turn($0) } == [10, 11, 20, 21].map { .seconds($0) })
    #expect(turn(.seconds(20)) == .seconds(30))
    #expect(turn(nil) == .seconds(30), "too late for the one before")
    // Each take is the turn of one of them.
    #expect(budget.take(at: .seconds(10), hasWaited: true) == .taken(.seconds(10)))
    #expect(turn(nil) == .seconds(31))
  }

  @Test func `A token that has just come back is for a caller that has waited, for 100 ms`() throws {
    var budget = RequestBudget(Self.limits((1, 10)))
    #expect(budget.take(at: .zero) == .taken(.zero))
    _ = budget.take(at: .seconds(1), patience: nil)
    guard case .refused(let refusal) = budget.take(at: .milliseconds(10_099)) else {
      Issue.record("taken")
      return
    }
    #expect(refusal.earliest == .milliseconds(10_100))
    var other = budget
    #expect(budget.take(at: .milliseconds(10_099), hasWaited: true) == .taken(.milliseconds(10_099)))
    #expect(other.take(at: .milliseconds(10_100)) == .taken(.milliseconds(10_100)), "that caller does not come")
  }

  @Test func `More tokens than a limit has can never be taken`() throws {
    var budget = RequestBudget(Self.limits((2, 10)))
    guard case .refused(let refusal) = budget.take(3, at: .zero) else {
      Issue.record("taken")
      return
    }
    #expect(refusal.earliest == nil)
    #expect(budget.take(2, at: .zero) == .taken(.zero))
  }

  @Test func `A pause holds all requests, and its end never moves forward`() throws {
    var budget = RequestBudget(Self.limits((1, 60)))
    budget.block(for: .seconds(10), at: .zero)
    let refusal = RequestBudget.Refusal(earliest: .seconds(10), turn: .seconds(10), cause: .pause)
    #expect(budget.take(at: .seconds(5)) == .refused(refusal))
    #expect(budget.pauseLeft(at: .seconds(4)) == .seconds(6))
    budget.block(for: .seconds(1), at: .seconds(4))
    #expect(budget.pauseLeft(at: .seconds(4)) == .seconds(6))
    #expect(budget.take(at: .seconds(10)) == .taken(.seconds(10)))
  }

  @Test func `A share begins used up until the given instant, and its own tokens count beside`() throws {
    var budget = RequestBudget(Self.limits((3, 1), (9, 600)))
    let now = Duration.seconds(1000)
    for time in [100, 500, 900] { budget.count(1, at: now - .milliseconds(time)) }
    budget.exhaust { now + min($0, .seconds(10)) }
    guard case .refused(let refusal) = budget.take(at: now) else {
      Issue.record("taken")
      return
    }
    #expect(refusal.earliest == now + .seconds(10))
    let later = now + .seconds(10)
    #expect(budget.take(at: later) == .taken(later))
    let tokens = budget.tokens(windowsLongerThan: .seconds(60), at: later)
    #expect(tokens.map { $0.map(\.age) } == [[], [10_900_000, 10_500_000, 10_100_000, 0]])
  }

  @Test(arguments: exact + coarse) func `is read from its text as it was written`(limits: [RateLimit]) throws {
    for limit in limits {
      var log = WindowLog(limit)
      for index in 0..<300 { log.add(1 + index % 2, at: Int64(index) * limit.window.wholeMicroseconds / 100) }
      #expect(WindowLog(text: log.text) == log)
    }
  }

  @Test func `A log that counts beyond its limit is kept in bounded space, and forgets nothing`() throws {
    var log = WindowLog(try #require(RateLimit(limit: 1, window: .seconds(60))))
    for index in 0..<2000 { log.add(1, at: Int64(index)) }
    #expect(log.slots.count == WindowLog.mostSlots && log.used == 2000)
  }

  @Test(arguments: [
    "", "5", "5/60:", "5/60", "x/60:1 1", "5/60:1", "5/60:2 0", "5/60:1 1099511627777", "5/60:3 1,1 1", "5/0:1 1",
    "0/60:1 1", "5/60:9223372036854775807 1", "5/60:-1 1",
  ])
  func `A text that is not a log is refused`(text: String) {
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
