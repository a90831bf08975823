import BitpalRateLimit
import Testing

/// What the authors of other limiters expect of a token bucket, their facts re-expressed.
///
/// They are those of golang.org/x/time/rate (BSD-3), governor (MIT), aiolimiter (MIT) and guava (Apache-2). The unit of
/// time is 100 ms.
@Suite struct `Token bucket tables` {
  @Test(arguments: AllowTable.all) func `Takes without waiting`(_ table: AllowTable) {
    var bucket = TokenBucket(capacity: table.burst, tokens: 10, per: .seconds(1))
    for (index, step) in table.steps.enumerated() {
      #expect(bucket.tokens(at: units(step.t)) == step.before, "step \(index)")
      #expect(bucket.allow(step.n, at: units(step.t)) == step.ok, "step \(index)")
    }
  }

  @Test(arguments: ReserveTable.all) func `Reservations`(_ table: ReserveTable) throws {
    var bucket = TokenBucket(capacity: table.burst, tokens: table.rate, per: .seconds(1))
    var kept: [String: TokenBucket.Reservation] = [:]
    for (index, step) in table.steps.enumerated() {
      switch step {
      case .reserve(let t, let n, let act, let maxWait, let id):
        let decision = bucket.take(n, at: units(t), maxWait: maxWait.map(units))
        if case .booked(let reservation) = decision {
          #expect(act.map(units) == reservation.time, "step \(index)")
          if let id { kept[id] = reservation }
        } else {
          #expect(act == nil, "step \(index): \(decision)")
        }
      case .allow(let t, let n, let ok):
        #expect(bucket.allow(n, at: units(t)) == ok, "step \(index)")
      case .cancel(let t, let id):
        if let reservation = kept[id] { bucket.cancel(reservation, at: units(t)) }
      case .setRate(let t, let rate):
        let refill = TokenBucket(capacity: 1, tokens: rate, per: .seconds(1)).refill
        bucket.change(capacity: bucket.capacity, refill: refill, at: units(t))
      case .setBurst(let t, let burst):
        bucket.change(capacity: burst, refill: bucket.refill, at: units(t))
      }
    }
  }

  @Test func `Waits one after the other`() {
    var bucket = TokenBucket(capacity: 3, tokens: 10, per: .seconds(1))
    #expect(bucket.take(4, at: .zero) == .impossible(capacity: 3))
    #expect(bucket.take(2, at: .zero).time == .zero)
    #expect(bucket.take(3, at: .zero).time == units(2))
  }

  @Test func `A wait cancelled on its way returns its tokens`() throws {
    var bucket = TokenBucket(capacity: 3, tokens: 10, per: .seconds(1))
    #expect(bucket.take(2, at: .zero).time == .zero)
    let waiting = try #require(bucket.take(3, at: .zero).reservation)
    #expect(waiting.time == units(2))
    bucket.cancel(waiting, at: units(1))
    #expect(bucket.take(2, at: units(1)).time == units(1))
  }

  @Test func `A deadline shorter than the wait is refused with the wait`() {
    var bucket = TokenBucket(capacity: 3, tokens: 10, per: .seconds(1))
    #expect(bucket.take(2, at: .zero, maxWait: units(1)).time == .zero)
    #expect(bucket.take(3, at: .zero, maxWait: units(1)) == .refused(wait: units(2)))
    #expect(bucket.tokens(at: .zero) == 1)
  }

  @Test func `Fifteen at once get what the burst allows`() {
    var bucket = TokenBucket(capacity: 5, tokens: 1, per: .seconds(1))
    #expect((0..<15).count { _ in bucket.allow(at: .zero) } == 5)
  }

  @Test func `In the long run the burst and the rate are admitted`() {
    var bucket = TokenBucket(capacity: 100, tokens: 100, per: .seconds(1))
    let admitted = stride(from: 0, through: 5000, by: 2).count { bucket.allow(at: .milliseconds($0)) }
    #expect((599...601).contains(admitted))
  }

  @Test(arguments: [
    TokenBucket(capacity: 1, tokens: 0, per: .seconds(1)),
    TokenBucket(capacity: 1, tokens: 1, per: .seconds(10_000_000_000)),
  ])
  func `Without a rate worth the name there is the burst and nothing more`(_ bucket: TokenBucket) {
    var bucket = bucket
    #expect(bucket.allow(at: .zero) == true)
    #expect(bucket.allow(at: .zero) == false)
    #expect(bucket.allow(at: .seconds(3600)) == false)
    #expect(bucket.take(at: .seconds(3600)).time == nil)
  }

  @Test func `A rate that is not a whole number of nanoseconds admits the first`() {
    var bucket = TokenBucket(capacity: 1, tokens: 10, per: .seconds(13))
    #expect(bucket.allow(at: .zero) == true)
    #expect(bucket.take(at: .zero).time == .milliseconds(1300))
  }

  @Test(arguments: [0, -1])
  func `An interval that is not positive is no limit`(_ nanoseconds: Int) {
    var bucket = TokenBucket(capacity: 1, refill: .every(.nanoseconds(nanoseconds)))
    #expect((0..<1000).allSatisfy { _ in bucket.allow(at: .zero) })
  }

  @Test(arguments: [1, 1000, 1_000_000, 100_000_000, 1_000_000_000, 2_500_000_000, 10_000_000_000])
  func `One each interval, to the nanosecond`(_ interval: Int) {
    var bucket = TokenBucket(capacity: 1, refill: .every(.nanoseconds(interval)))
    #expect(bucket.allow(at: .zero) == true)
    #expect(bucket.allow(at: .nanoseconds(interval - 1)) == false)
    #expect(bucket.allow(at: .nanoseconds(interval)) == true)
    #expect(bucket.allow(at: .nanoseconds(2 * interval - 1)) == false)
  }

  @Test func `Idle time earns no more than the burst`() {
    var bucket = TokenBucket(capacity: 5, tokens: 5, per: .seconds(1))
    #expect((0..<6).map { _ in bucket.allow(at: .zero) } == [true, true, true, true, true, false])
    #expect((0..<6).map { _ in bucket.allow(at: .seconds(2)) } == [true, true, true, true, true, false])
  }

  @Test func `More than fits is impossible and says what fits`() {
    var bucket = TokenBucket(capacity: 5, tokens: 5, per: .seconds(1))
    for count in [15, 7, 6] { #expect(bucket.take(count, at: .zero) == .impossible(capacity: 5)) }
    #expect(bucket.allow(5, at: .zero) == true)
  }

  @Test func `Refused until the very instant that was told, for every rate up to 9999 a second`() {
    for rate in 1...9999 {
      var bucket = TokenBucket(capacity: rate, tokens: rate, per: .seconds(1))
      guard bucket.allow(rate, at: .zero), case .refused(let wait) = bucket.take(at: .zero, maxWait: .zero) else {
        Issue.record("\(rate) a second")
        return
      }
      if bucket.allow(at: wait - .nanoseconds(1)) || !bucket.allow(at: wait) { Issue.record("\(rate) a second") }
    }
  }

  @Test func `Ten tasks at 5 in 10 s`() {
    var bucket = TokenBucket(capacity: 5, tokens: 5, per: .seconds(10))
    let times = (0..<10).compactMap { _ in bucket.take(at: .zero).time }
    let done = [0, 3, 7, 11].map { second in times.count { $0 <= .seconds(second) } }
    #expect(done == [5, 6, 8, 10])
  }

  /// Guava lets a request go and makes the next one pay; here each waits for its own weight, so the waits are one earlier.
  @Test func `Each waits for its own weight`() {
    var bucket = TokenBucket(capacity: 8, tokens: 1, per: .seconds(1))
    #expect(bucket.allow(8, at: .zero) == true)
    var now = Duration.zero
    let waits = [1, 1, 2, 4, 8].map { weight in
      let time = bucket.take(weight, at: now).time ?? now
      defer { now = time }
      return time - now
    }
    #expect(waits == [1, 1, 2, 4, 8].map { .seconds($0) })
  }
}

func units(_ count: Int) -> Duration { .milliseconds(100 * count) }

extension TokenBucket.Decision {
  var reservation: TokenBucket.Reservation? {
    if case .booked(let reservation) = self { reservation } else { nil }
  }

  var time: Duration? { reservation?.time }
}

struct AllowTable: CustomTestStringConvertible {
  let testDescription: String
  let burst: Int
  let steps: [(t: Int, before: Int, n: Int, ok: Bool)]

  static let all = [
    AllowTable(
      testDescription: "burst of 1", burst: 1,
      steps: [
        (0, 1, 1, true), (0, 0, 1, false), (0, 0, 1, false), (1, 1, 1, true), (1, 0, 1, false), (1, 0, 1, false),
        (2, 1, 2, false), (2, 1, 1, true), (2, 0, 1, false),
      ]),
    AllowTable(
      testDescription: "burst of 3", burst: 3,
      steps: [
        (0, 3, 2, true), (0, 1, 2, false), (0, 1, 1, true), (0, 0, 1, false), (1, 1, 4, false), (2, 2, 1, true),
        (3, 2, 1, true), (4, 2, 1, true), (4, 1, 1, true), (4, 0, 1, false), (4, 0, 1, false), (9, 3, 3, true),
        (9, 0, 0, true),
      ]),
    AllowTable(
      testDescription: "the clock jumps back", burst: 3,
      steps: [
        (1, 3, 1, true), (0, 2, 1, true), (0, 1, 1, true), (0, 0, 1, false), (0, 0, 1, false), (1, 1, 1, true),
        (1, 0, 1, false), (1, 0, 1, false), (2, 1, 1, true), (2, 0, 1, false), (2, 0, 1, false),
      ]),
  ]
}

struct ReserveTable: CustomTestStringConvertible {
  enum Step {
    /// `act` is when it may go; nil when it is refused.
    case reserve(t: Int, n: Int, act: Int?, maxWait: Int? = nil, id: String? = nil)
    case allow(t: Int, n: Int, ok: Bool)
    case cancel(t: Int, id: String)
    case setRate(t: Int, Int)
    case setBurst(t: Int, Int)
  }

  let testDescription: String
  var rate = 10
  var burst = 2
  let steps: [Step]

  static let all = [
    ReserveTable(
      testDescription: "simple",
      steps: [.reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 2), .reserve(t: 3, n: 2, act: 4)]),
    ReserveTable(
      testDescription: "mixed with takes that do not wait",
      steps: [
        .reserve(t: 0, n: 3, act: nil), .reserve(t: 0, n: 2, act: 0), .allow(t: 1, n: 2, ok: false),
        .reserve(t: 1, n: 2, act: 2), .allow(t: 1, n: 1, ok: false), .allow(t: 3, n: 1, ok: true),
      ]),
    ReserveTable(
      testDescription: "cancel what was refused",
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 3, act: nil, id: "r"), .cancel(t: 0, id: "r"),
        .reserve(t: 0, n: 2, act: 2),
      ]),
    ReserveTable(
      testDescription: "cancel the last",
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 2, id: "r"), .cancel(t: 1, id: "r"),
        .reserve(t: 1, n: 2, act: 2),
      ]),
    ReserveTable(
      testDescription: "cancel too late",
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 2, id: "r"), .cancel(t: 3, id: "r"),
        .reserve(t: 3, n: 2, act: 4),
      ]),
    ReserveTable(
      testDescription: "cancel what a later one waits for",
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 1, act: 1, id: "r"), .reserve(t: 0, n: 1, act: 2),
        .cancel(t: 0, id: "r"), .reserve(t: 0, n: 1, act: 3),
      ]),
    ReserveTable(
      testDescription: "cancel what a later one waits for in part",
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 2, id: "r"), .reserve(t: 0, n: 1, act: 3),
        .cancel(t: 2, id: "r"), .reserve(t: 2, n: 2, act: 4),
      ]),
    ReserveTable(
      testDescription: "cancel several", burst: 4,
      steps: [
        .reserve(t: 0, n: 4, act: 0), .reserve(t: 0, n: 3, act: 3, id: "A"), .reserve(t: 0, n: 1, act: 4),
        .reserve(t: 0, n: 1, act: 5, id: "C"), .cancel(t: 1, id: "C"), .cancel(t: 1, id: "A"),
        .reserve(t: 1, n: 3, act: 5),
      ]),
    ReserveTable(
      testDescription: "the clock jumps back",
      steps: [
        .reserve(t: 1, n: 2, act: 1), .reserve(t: 0, n: 1, act: 1), .reserve(t: 2, n: 2, act: 3),
        .reserve(t: 0, n: 3, act: nil), .reserve(t: 2, n: 1, act: 4), .reserve(t: 0, n: 2, act: nil, maxWait: 1),
        .reserve(t: 2, n: 1, act: 5),
      ]),
    ReserveTable(
      testDescription: "a longest wait",
      steps: [
        .reserve(t: 0, n: 2, act: 0, maxWait: 1), .reserve(t: 0, n: 1, act: 1, maxWait: 1),
        .reserve(t: 0, n: 1, act: nil, maxWait: 1),
      ]),
    ReserveTable(
      testDescription: "another rate", rate: 5,
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 4), .setRate(t: 2, 10), .reserve(t: 2, n: 1, act: 4),
      ]),
    ReserveTable(
      testDescription: "another burst", rate: 5,
      steps: [
        .reserve(t: 0, n: 2, act: 0), .reserve(t: 0, n: 2, act: 4), .setBurst(t: 3, 4), .reserve(t: 0, n: 4, act: 9),
      ]),
  ]
}
