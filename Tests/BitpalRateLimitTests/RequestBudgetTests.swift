import BitpalModel
import Testing

@testable import BitpalRateLimit

@Suite struct `A request budget` {
  /// Every budget up to 9 with every burst, and some that do not divide.
  static let limits: [RateLimit] =
    (1...9).flatMap { limit in
      (1...limit).compactMap { RateLimit(limit: limit, window: .seconds(10), burst: $0) }
    }
    + [(30, 60, 7), (7, 3, 5), (250, 1, 125), (100, 60, 100)].compactMap {
      RateLimit(limit: $0.0, window: .seconds($0.1), burst: $0.2)
    }

  @Test(arguments: limits)
  func `Whatever is asked for and cancelled, no window holds more than the limit`(_ limit: RateLimit) {
    var random = SplitMix(seed: UInt64(limit.limit * 1000 + limit.burst))
    var budget = RequestBudget(bucket: TokenBucket(limit))
    var now = Duration.seconds(100)
    var booked: [TokenBucket.Reservation] = []
    let step = Int(limit.window.milliseconds) / limit.limit
    for _ in 0..<(20 * limit.limit + 200) {
      now += .milliseconds(Int.random(in: 0...(3 * step), using: &random) * (Bool.random(using: &random) ? 1 : 0))
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        // Whoever has not gone yet may give up.
        let waiting = booked.indices.filter { booked[$0].time > now }
        if let index = waiting.randomElement(using: &random) {
          budget.cancel(booked.remove(at: index), at: now)
        }
      case 1 where Int.random(in: 0..<20, using: &random) == 0:
        budget.block(for: .milliseconds(Int.random(in: 0...(2 * step), using: &random)), at: now)
        let blocked = budget.blockedUntil
        booked.removeAll { $0.time > now && $0.time < blocked }
      default:
        if case .booked(let reservation) = budget.take(at: now, maxWait: limit.window * 2) {
          #expect(reservation.time >= max(now, budget.blockedUntil))
          booked.append(reservation)
        }
      }
    }
    // Everyone goes as late as is still allowed, or at once: both must hold.
    let late = budget.bucket.tolerance - .nanoseconds(1)
    let gone = booked.map { $0.time + (Bool.random(using: &random) ? late : .zero) }
    #expect(mostInAnyWindow(booked.map(\.time), limit.window) <= limit.limit)
    #expect(mostInAnyWindow(gone, limit.window) <= limit.limit)
    #expect(booked.count > limit.limit)
  }

  @Test func `A budget of the largest numbers is none, and a bucket of them is counted without overflow`() {
    #expect(RateLimit(limit: .max, window: .milliseconds(1)) == nil)
    #expect(RateLimit(limit: .max, window: .milliseconds(1), burst: .max) == nil)
    #expect(RateLimit.perMinute(.max) == RateLimit(limit: RateLimit.largest, window: .seconds(60)))
    for refill in [TokenBucket.Refill.every(.seconds(Int64.max)), .whole(after: .seconds(Int64.max)), .never] {
      var bucket = TokenBucket(capacity: .max, refill: refill)
      for now in [Duration.zero, .seconds(Int64.max), .seconds(Int64.min), .seconds(1)] {
        if case .booked(let reservation) = bucket.take(.max, at: now) { bucket.cancel(reservation, at: now) }
        _ = bucket.take(.max, at: now)
        _ = bucket.tokens(at: now)
        bucket.change(capacity: .max, refill: .every(.nanoseconds(1)), at: now)
        bucket.change(capacity: .max, refill: refill, at: now)
      }
    }
  }

  @Test func `The burst goes at once and the rest comes back over the window`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 5, window: .seconds(60), burst: 3))))
    #expect((0..<5).map { _ in budget.take(at: .zero, maxWait: nil).seconds } == [0, 0, 0, 30, 60])
  }

  @Test func `A burst that is the whole limit comes back whole, a window after the last`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 2, window: .seconds(50), burst: 2))))
    #expect(budget.take(at: .zero, maxWait: nil).seconds == 0)
    #expect(budget.take(at: .seconds(10), maxWait: nil).seconds == 10)
    #expect(budget.take(at: .seconds(20), maxWait: nil).seconds == 61)
    #expect(budget.take(at: .seconds(20), maxWait: nil).seconds == 61)
    #expect(budget.take(at: .seconds(20), maxWait: nil).seconds == 112)
  }

  @Test func `A place given back in the middle of the queue goes to the next who asks`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 2, window: .seconds(10), burst: 1))))
    let places = (0..<4).map { _ in budget.take(at: .zero, maxWait: nil) }
    #expect(places.map(\.seconds) == [0, 10, 20, 30])
    budget.cancel(try #require(places[1].reservation), at: .seconds(1))
    #expect(budget.take(at: .seconds(2), maxWait: nil).seconds == 10)
    #expect(budget.take(at: .seconds(2), maxWait: nil).seconds == 40)
  }

  @Test(arguments: [1, 2])
  func `When everyone who waits gives up, in any order, it is as if they had never come`(_ burst: Int) throws {
    let limit = try #require(RateLimit(limit: 2, window: .seconds(10), burst: burst))
    for order in [[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1], [1, 3, 2], [3, 1, 2]] {
      var budget = RequestBudget(bucket: TokenBucket(limit))
      for _ in 1...burst { _ = budget.take(at: .zero, maxWait: nil) }
      let untouched = budget
      let places = (0..<3).map { _ in budget.take(at: .zero, maxWait: nil) }
      for index in order { budget.cancel(try #require(places[index - 1].reservation), at: .seconds(1)) }
      var expected = untouched
      #expect(budget.take(at: .seconds(1), maxWait: nil) == expected.take(at: .seconds(1), maxWait: nil), "\(order)")
      #expect(budget.freed.isEmpty)
    }
  }

  @Test func `During a pause nothing goes, and afterwards no more than the burst`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 5, window: .seconds(60), burst: 3))))
    budget.block(for: .seconds(90), at: .zero)
    budget.block(for: .seconds(20), at: .zero)
    #expect((0..<5).map { _ in budget.take(at: .seconds(1), maxWait: nil).seconds } == [90, 90, 90, 120, 150])
    #expect(budget.take(at: .seconds(1), maxWait: .seconds(5)) == .refused(wait: .seconds(179), .pause))
  }

  @Test func `A refusal says what the wait would have been and books nothing`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 2, window: .seconds(10), burst: 1))))
    #expect(budget.take(at: .zero, maxWait: .zero).seconds == 0)
    let before = budget
    #expect(budget.take(at: .seconds(1), maxWait: .seconds(8)) == .refused(wait: .seconds(9), .budget))
    #expect(budget == before)
    #expect(budget.take(at: .seconds(1), maxWait: .seconds(9)).seconds == 10)
  }

  @Test func `A place is void after a pause that came in between, and when it is used far too late`() throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 2, window: .seconds(10), burst: 1))))
    _ = budget.take(at: .zero, maxWait: nil)
    let place = try #require(budget.take(at: .zero, maxWait: nil).reservation)
    #expect(budget.isUsable(place, at: .seconds(10)))
    #expect(!budget.isUsable(place, at: .seconds(20)))
    budget.block(for: .seconds(12), at: .zero)
    #expect(!budget.isUsable(place, at: .seconds(10)))
    #expect(budget.isUsable(place, at: .seconds(12)))
  }

  @Test(arguments: [(30, 60, 15), (5, 60, 5), (1, 10, 1)])
  func `Another budget starts from what is left of this one`(_ wanted: (Int, Int, Int)) throws {
    var budget = RequestBudget(bucket: TokenBucket(try #require(RateLimit(limit: 5, window: .seconds(60), burst: 3))))
    for _ in 0..<3 { _ = budget.take(at: .zero, maxWait: nil) }
    let limit = try #require(RateLimit(limit: wanted.0, window: .seconds(wanted.1), burst: wanted.2))
    budget.adopt(limit, at: .zero)
    #expect(budget.bucket.tokens(at: .zero) == 0)
    let next = try #require(budget.take(at: .zero, maxWait: nil).seconds)
    #expect((1...62).contains(next))
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

extension RequestBudget.Decision {
  var reservation: TokenBucket.Reservation? {
    if case .booked(let reservation) = self { reservation } else { nil }
  }

  var seconds: Int64? { reservation.map { $0.time.milliseconds / 1000 } }
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
