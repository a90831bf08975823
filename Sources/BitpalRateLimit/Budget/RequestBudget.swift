import BitpalModel

/// Everything a limiter remembers: the bucket, the places that cancelled waiters left, and until when nothing may go.
///
/// A pure value; where it is kept is its owner's business. All instants are on one clock that never goes back.
package struct RequestBudget: Hashable, Sendable {
  /// Why a request has to wait.
  enum Cause: Hashable, Sendable {
    /// The budget is used up.
    case budget

    /// The source asked for a pause.
    case pause
  }

  /// What a taker is told.
  enum Decision: Hashable, Sendable {
    /// It may go at that instant, or at once if that is not in the future.
    case booked(TokenBucket.Reservation)

    /// Nothing is booked; it would have had to wait that long.
    case refused(wait: Duration, Cause)
  }

  /// The longest that a source is left alone because it asked for it: an hour.
  ///
  /// Some ask for a day, or for what is left of a month. Asking once an hour costs them nothing, and nobody has to wait
  /// for a day when the source is there again, or a key has been bought.
  package static let longestPause: Duration = .seconds(3600)

  var bucket: TokenBucket

  /// Nothing may go before this instant.
  var blockedUntil: Duration = .zero

  /// Booked places that nobody uses any more, in order.
  ///
  /// The bucket can take a booking back only while it is the last one; before it, the place itself goes to whoever asks
  /// next. Nobody is delayed by that, and the times at which requests go are the same.
  var freed: [Duration] = []

  init(bucket: TokenBucket) {
    self.bucket = bucket
  }

  /// Books the next place for one request.
  mutating func take(at now: Duration, maxWait: Duration?) -> Decision {
    // During a pause the clock of the bucket stands at its end: what comes back until then would otherwise go at once.
    let start = max(now, blockedUntil)
    let cause: Cause = blockedUntil > now ? .pause : .budget
    let most = maxWait.map { max(.zero, $0) }
    freed.removeAll { $0 < start }
    if let place = freed.first {
      if let most, place - now > most { return .refused(wait: place - now, cause) }
      freed.removeFirst()
      return .booked(TokenBucket.Reservation(tokens: 1, time: place))
    }
    var next = bucket
    switch next.take(at: start) {
    case .booked(let reservation):
      let wait = reservation.time - now
      if let most, wait > most { return .refused(wait: wait, cause) }
      bucket = next
      return .booked(reservation)
    case .refused(let wait):
      return .refused(wait: start - now + wait, cause)
    case .impossible:
      return .refused(wait: .nanoseconds(Nanoseconds.limit), cause)
    }
  }

  /// Gives a place back that will not be used.
  mutating func cancel(_ reservation: TokenBucket.Reservation, at now: Duration) {
    let start = max(now, blockedUntil)
    guard reservation.time >= start else { return }
    freed.append(reservation.time)
    freed.sort()
    while let last = freed.last, bucket.lastBooking == Nanoseconds.of(last) {
      freed.removeLast()
      bucket.cancel(TokenBucket.Reservation(tokens: 1, time: last), at: start)
    }
  }

  /// Lets nothing go for that long, or ``longestPause``; an earlier end of a pause never shortens a later one.
  mutating func block(for pause: Duration, at now: Duration) {
    blockedUntil = max(blockedUntil, now + min(pause, Self.longestPause))
  }

  /// Puts right what no taker can have left behind, in a file that was damaged or written by somebody else.
  ///
  /// Nobody waits for a day, so nothing is booked that far ahead; when something is, the bucket counts as just used up.
  mutating func settle(at now: Duration) {
    blockedUntil = min(blockedUntil, now + Self.longestPause)
    let latest = now + .seconds(86_400)
    freed.removeAll { $0 > latest }
    if let booked = bucket.lastBooking, booked > Nanoseconds.of(latest) { bucket.exhaust(at: now) }
  }

  /// Whether a place may be used now: no pause has come in between, and it is not too late for the window's sake.
  func isUsable(_ reservation: TokenBucket.Reservation, at now: Duration) -> Bool {
    blockedUntil <= now && now - reservation.time < bucket.tolerance
  }

  /// Goes on under another budget.
  mutating func adopt(_ limit: RateLimit, at now: Duration) {
    let wanted = TokenBucket(limit)
    guard bucket.capacity != wanted.capacity || bucket.refill != wanted.refill else { return }
    bucket.change(capacity: wanted.capacity, refill: wanted.refill, at: max(now, blockedUntil))
  }
}
