public import BitpalModel

/// A token bucket: a pure value that is told the time and answers when a request may go.
///
/// Instants are durations since an origin of the caller's choice; the arithmetic is in whole nanoseconds, rounded so that
/// a token never comes back early. The state of a continuous bucket is one instant, the one at which it holds nothing: a
/// taker who must wait is given the instant at which its tokens will have come back, and the bucket counts them as gone
/// already. That is the booking; those who ask later get later instants, so it is first come, first served.
///
/// ``init(_:)`` makes the bucket of a ``/BitpalModel/RateLimit``. Its promise, "no window holds more than N", holds
/// because a stretch of length w admits at most `capacity + w ÷ interval` requests, and the interval is W ÷ (N − b),
/// rounded up.
public struct TokenBucket: Hashable, Sendable {
  /// How tokens come back.
  public enum Refill: Hashable, Sendable {
    /// One each interval; without limit when the interval is not positive.
    case every(Duration)

    /// All of them at once, that long after the last one went.
    ///
    /// This is what a budget whose burst is its whole limit needs: two fillings are a window apart, so no window holds
    /// parts of two.
    case whole(after: Duration)

    /// Not at all.
    case never
  }

  /// Tokens that are gone, and the instant from which their owner may use them.
  public struct Reservation: Hashable, Sendable {
    /// How many.
    public let tokens: Int

    /// From when.
    public let time: Duration
  }

  /// What a taker is told.
  public enum Decision: Hashable, Sendable {
    /// The tokens are the taker's, from the reservation's time on; when that is not later than now, at once.
    case booked(Reservation)

    /// Nothing was booked: it would have taken this long.
    case refused(wait: Duration)

    /// Nothing was booked, and no wait would help: the bucket holds at most `capacity`, or never refills.
    case impossible(capacity: Int)
  }

  /// The most tokens the bucket holds, and so the most that can go at once.
  public private(set) var capacity: Int

  /// How tokens come back.
  public private(set) var refill: Refill

  // With `.every`: the instant at which the bucket holds nothing. With `.whole`: the instant at which it is full again.
  var turn: Int64
  // The latest instant that was heard of.
  var seen: Int64
  // With `.whole` and `.never`: how many tokens of this filling are gone.
  var used: Int

  /// A full bucket.
  ///
  /// - Parameters:
  ///   - capacity: At least 1; less counts as 1.
  ///   - refill: How fast tokens come back.
  public init(capacity: Int, refill: Refill) {
    self.capacity = max(1, capacity)
    self.refill = refill
    turn = -Nanoseconds.limit
    seen = -Nanoseconds.limit
    used = 0
  }

  /// A full bucket into which `tokens` come back each `duration`.
  ///
  /// No token at all is ``Refill/never``, a duration that is not positive is no limit.
  public init(capacity: Int, tokens: Int, per duration: Duration) {
    let refill: Refill =
      if duration <= .zero {
        .every(.zero)
      } else if tokens <= 0 {
        .never
      } else {
        .every(.nanoseconds(Nanoseconds.dividedUp(Nanoseconds.of(duration), by: tokens)))
      }
    self.init(capacity: capacity, refill: refill)
  }

  /// The full bucket of a budget of N per W with burst b: it holds b, and N − b come back each W.
  ///
  /// With b = N nothing would come back; then all N do, a window (and a fiftieth of it, see ``tolerance``) after the last.
  public init(_ limit: RateLimit) {
    if limit.burst < limit.limit {
      self.init(capacity: limit.burst, tokens: limit.limit - limit.burst, per: limit.window)
    } else {
      self.init(capacity: limit.limit, refill: .whole(after: limit.window + limit.window / 50))
    }
  }

  /// A reservation may be used this much later than its time, exclusively, and the budget of ``init(_:)`` still holds.
  ///
  /// Proof for a continuous bucket: requests that go less than δ late in a window W were booked within less than W + δ,
  /// which holds fewer than `b + (W + δ)(N − b) ÷ W` of them, and that is at most N + 1 for δ up to one interval. With
  /// `.whole`, δ is what the refill takes longer than the window.
  public var tolerance: Duration {
    switch refill {
    case .every(let interval): interval
    case .whole(let pause): pause / 51
    case .never: .nanoseconds(Nanoseconds.limit)
    }
  }

  // MARK: Events

  /// Takes `count` tokens, or books them for as soon as they are there.
  ///
  /// - Parameters:
  ///   - count: How many tokens.
  ///   - now: The time. Should it go back, the bucket keeps the tokens it has and goes on from there.
  ///   - maxWait: Book nothing when it would take longer; nil for any wait.
  public mutating func take(_ count: Int = 1, at now: Duration, maxWait: Duration? = nil) -> Decision {
    let time = Nanoseconds.of(now)
    guard count > 0 else { return .booked(Reservation(tokens: 0, time: now)) }
    if case .every(let interval) = refill, interval <= .zero {
      return .booked(Reservation(tokens: count, time: now))
    }
    guard count <= capacity else { return .impossible(capacity: capacity) }
    var next = self
    next.advance(to: time)
    guard let slot = next.book(count, at: time) else { return .impossible(capacity: capacity) }
    let wait = Duration.nanoseconds(slot - time)
    if let maxWait, wait > max(.zero, maxWait) { return .refused(wait: wait) }
    self = next
    return .booked(Reservation(tokens: count, time: .nanoseconds(slot)))
  }

  /// Takes `count` tokens if they are there now.
  public mutating func allow(_ count: Int = 1, at now: Duration) -> Bool {
    if case .booked = take(count, at: now, maxWait: .zero) { return true }
    return false
  }

  /// Gives the tokens of a reservation back, as far as nobody after it was told to wait for them to come back.
  ///
  /// A reservation whose time has passed counts as used.
  public mutating func cancel(_ reservation: Reservation, at now: Duration) {
    let time = Nanoseconds.of(now)
    let slot = Nanoseconds.of(reservation.time)
    guard reservation.tokens > 0, slot >= time else { return }
    switch refill {
    case .every(let interval):
      let size = Nanoseconds.times(Nanoseconds.of(interval), reservation.tokens)
      let bookedAfter = max(0, Nanoseconds.sum(turn, -slot))
      advance(to: time)
      turn = Nanoseconds.sum(turn, -max(0, size - bookedAfter))
      advance(to: time)
    case .whole(let pause):
      guard slot == Nanoseconds.sum(turn, -Nanoseconds.of(pause)) else { return }
      used = max(0, used - reservation.tokens)
      // The filling was opened by whom it is now taken back from, so the one before it was used up.
      if used == 0, slot > time {
        used = capacity
        turn = slot
      }
    case .never:
      used = max(0, used - reservation.tokens)
    }
  }

  /// How many tokens are there; below zero while some are booked that have not come back yet.
  public func tokens(at now: Duration) -> Int {
    let time = Nanoseconds.of(now)
    var bucket = self
    bucket.advance(to: time)
    switch refill {
    case .every(let interval):
      let size = Nanoseconds.of(interval)
      guard size > 0 else { return capacity }
      let (quotient, remainder) = Nanoseconds.sum(time, -bucket.turn).quotientAndRemainder(dividingBy: size)
      return Int(clamping: remainder < 0 ? quotient - 1 : quotient)
    case .whole, .never:
      return capacity - bucket.used
    }
  }

  /// Goes on with another capacity and refill, keeping the tokens that are there and the bookings made.
  public mutating func change(capacity newCapacity: Int, refill newRefill: Refill, at now: Duration) {
    let time = Nanoseconds.of(now)
    advance(to: time)
    if case .every(let old) = refill, case .every(let new) = newRefill, old > .zero {
      let since = Nanoseconds.sum(time, -turn)
      turn = Nanoseconds.sum(time, -Nanoseconds.scaled(since, from: Nanoseconds.of(old), to: Nanoseconds.of(new)))
    } else if refill != newRefill {
      let left = max(0, min(tokens(at: now), newCapacity))
      let lastBooking = max(time, lastBooking ?? time)
      switch newRefill {
      case .every(let interval):
        turn = Nanoseconds.sum(lastBooking, -Nanoseconds.times(Nanoseconds.of(interval), left))
      case .whole(let pause):
        turn = Nanoseconds.sum(lastBooking, Nanoseconds.of(pause))
        used = max(0, newCapacity - left)
      case .never:
        used = max(0, newCapacity - left)
      }
    }
    capacity = max(1, newCapacity)
    refill = newRefill
    advance(to: time)
  }

  /// Forgets the bookings, and goes on as if the last token had gone now.
  mutating func exhaust(at now: Duration) {
    let time = Nanoseconds.of(now)
    seen = time
    used = capacity
    turn =
      switch refill {
      case .every, .never: time
      case .whole(let pause): Nanoseconds.sum(time, Nanoseconds.of(pause))
      }
  }

  // MARK: Steps

  /// The instant of the latest booking, where it can still be known.
  var lastBooking: Int64? {
    switch refill {
    case .every: turn
    case .whole(let pause): Nanoseconds.sum(turn, -Nanoseconds.of(pause))
    case .never: nil
    }
  }

  private mutating func advance(to time: Int64) {
    // A clock that goes back takes the bucket with it, or nobody would be served until it has caught up.
    if time < seen { turn = Nanoseconds.sum(turn, Nanoseconds.sum(time, -seen)) }
    seen = time
    switch refill {
    case .every(let interval):
      turn = max(turn, Nanoseconds.sum(time, -Nanoseconds.times(Nanoseconds.of(interval), capacity)))
    case .whole:
      if turn <= time { used = 0 }
    case .never:
      break
    }
  }

  private mutating func book(_ count: Int, at time: Int64) -> Int64? {
    switch refill {
    case .every(let interval):
      turn = Nanoseconds.sum(turn, Nanoseconds.times(Nanoseconds.of(interval), count))
      guard turn < Nanoseconds.limit else { return nil }
      return max(time, turn)
    case .whole(let pause):
      let pause = Nanoseconds.of(pause)
      var slot = max(time, Nanoseconds.sum(turn, -pause))
      if count > capacity - used {
        slot = max(time, turn)
        used = 0
      }
      used += count
      turn = Nanoseconds.sum(slot, pause)
      return turn < Nanoseconds.limit ? slot : nil
    case .never:
      guard count <= capacity - used else { return nil }
      used += count
      return time
    }
  }
}
