public import BitpalModel

/// Holds requests back so that a source's budget is kept.
public protocol RateLimiter: Sendable {
  /// Returns when one request may go; those who ask first go first.
  ///
  /// - Parameter deadline: The instant on the time source's monotonic clock after which going is of no use; nil for
  ///   none.
  /// - Returns: The place in the budget, for ``giveBack(_:)``.
  /// - Throws: ``/BitpalModel/BitpalError`` `.budgetUsed` at once, with nothing booked, when the wait would not fit, or
  ///   `.rateLimited` when it is the source that has asked for a pause;
  ///   `CancellationError` when the task is cancelled while it waits, and the place goes to somebody else.
  @discardableResult
  func acquire(deadline: Duration?) async throws -> RequestPermit

  /// Takes a place back whose request provably never left this machine: it counts for nothing.
  func giveBack(_ permit: RequestPermit)

  /// Lets no request go for that long, because the source said so. Those who wait already book again.
  func block(for pause: Duration)
}

/// A place in a budget: one request may go.
public struct RequestPermit: Hashable, Sendable {
  let place: Duration

  /// Whether it is in the share that one machine has of a budget.
  package private(set) var isOfShare = false

  init(place: Duration) {
    self.place = place
  }

  /// The same place, in the share of one machine.
  package var ofShare: RequestPermit {
    var permit = self
    permit.isOfShare = true
    return permit
  }
}

/// A limiter that counts in memory, for the requests of this process, or in a file, for those of all processes of a user.
///
/// The store decides who is next; waiting needs no lock. With a file each take is one transaction of well under a
/// millisecond. The count is disposable: when the file cannot be used, a warning says so and the limiter goes on for this
/// process alone.
public struct BudgetLimiter: RateLimiter {
  private let provider: String
  private let key: String
  private let limits: [RateLimit]
  private let keyVariable: String?
  private let store: any BudgetStore
  private let time: any TimeSource
  private let trace: Trace

  /// A limiter for the requests of this process, with nothing counted yet.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - limits: The budgets, all of which hold.
  ///   - time: The clock of deadlines and waits.
  ///   - trace: Told how long requests are held.
  public init(
    provider: String, limits: [RateLimit], time: any TimeSource = SystemTime(), trace: Trace = .silent
  ) {
    self.init(
      provider: provider, key: provider, limits: limits, store: MemoryBudgetStore(time: time), time: time, trace: trace)
  }

  /// A limiter for the requests of all processes of a user.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - key: What the budget belongs to: the provider, and a fingerprint of the API key where there is one.
  ///   - limits: The budgets, all of which hold.
  ///   - path: The file; made, with its folder, at the first request. One serves any number of keys.
  ///   - time: The clock of deadlines and waits.
  ///   - clock: The clock that all processes of this machine share.
  ///   - trace: Told how long requests are held.
  ///   - warn: Told, once, why the budget is not shared with all other processes.
  public init(
    provider: String, key: String, limits: [RateLimit], path: String, time: any TimeSource = SystemTime(),
    clock: BudgetClock = .system, trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let file = BudgetFile(path: path, clock: clock, warn: warn)
    self.init(provider: provider, key: key, limits: limits, store: file, time: time, trace: trace)
  }

  /// A limiter whose store other limiters use too.
  ///
  /// - Parameter keyVariable: The variable for a key, where none is set and one would allow more.
  package init(
    provider: String, key: String, limits: [RateLimit], keyVariable: String? = nil, store: any BudgetStore,
    time: any TimeSource, trace: Trace = .silent
  ) {
    self.provider = provider
    self.key = key
    self.limits = limits
    self.keyVariable = keyVariable
    self.store = store
    self.time = time
    self.trace = trace
  }

  /// Returns when one request may go; see ``RateLimiter/acquire(deadline:)``.
  @discardableResult
  public func acquire(deadline: Duration?) async throws -> RequestPermit {
    var attempts = 0
    while true {
      try Task.checkCancellation()
      let begin = time.monotonic
      let reply = try apply(.take(patience: deadline.map { $0 - begin }))
      guard case .decision(let decision) = reply.result else { continue }
      switch decision {
      case .refused(let wait, let cause):
        throw refusal(wait?.roundedUp, cause)
      case .booked(let place):
        // The way back from a store that is far may have taken too long; on a machine that is too busy it always does.
        attempts += 1
        let isLate = store.distance > .zero && time.monotonic - begin > tolerance
        if !isLate || attempts > Self.mostAttempts { return RequestPermit(place: place) }
        giveBack(RequestPermit(place: place))
      case .bookedLater(let place, let cause):
        trace(
          .limiterWaited(provider: provider, wait: place - reply.now, reason: refusal(nil, cause).message))
        if try await isUsable(place, from: reply.now) { return RequestPermit(place: place) }
      }
    }
  }

  /// Takes a place back whose request never left.
  public func giveBack(_ permit: RequestPermit) {
    // A place that cannot be given back comes back by itself.
    _ = try? apply(.giveBack(permit.place))
  }

  /// Lets no request go for that long.
  public func block(for pause: Duration) {
    guard pause > .zero else { return }
    // A file that is locked keeps requests from going too.
    _ = try? apply(.block(pause))
  }

  private func apply(_ change: BudgetChange) throws -> BudgetReply {
    do throws(BudgetTrouble) {
      return try store.apply(change, to: key, limits: limits)
    } catch .locked(let path) {
      throw BitpalError.budgetLocked(provider: provider, path: path)
    }
  }

  /// Waits for a place that is booked; whether it may be used then.
  ///
  /// A pause may have come in between, or the machine may have slept: then the place is void.
  private func isUsable(_ place: Duration, from start: Duration) async throws -> Bool {
    let distance = store.distance
    // A clock that does not go on is not waited for.
    let end = time.monotonic + (place - start) + .seconds(1)
    var now = start
    do {
      while time.monotonic < end {
        try await time.sleep(for: place - now - distance)
        let begin = time.monotonic
        let reply = try apply(.confirm(place, within: distance))
        let heard = time.monotonic
        // Who sleeps too short a while sleeps again.
        now = reply.now
        guard case .isUsable(let isUsable?) = reply.result else { continue }
        guard isUsable, now < place else { return isUsable }
        try await time.sleep(for: place - now)
        // The reply was given somewhere between asking and hearing it.
        if now + (time.monotonic - (begin + heard) / 2) - place <= tolerance { return true }
      }
      giveBack(RequestPermit(place: place))
      return false
    } catch {
      giveBack(RequestPermit(place: place))
      throw error
    }
  }

  /// How late a place may be used at most.
  private var tolerance: Duration {
    limits.map { .nanoseconds(WindowLog($0).allowance) }.min() ?? .seconds(1)
  }

  /// Nobody tries more often to use a place in time.
  private static let mostAttempts = 5

  private func refusal(_ wait: Duration?, _ cause: RequestBudget.Cause) -> BitpalError {
    switch cause {
    case .budget(let limit, let used):
      .budgetUsed(provider: provider, used: used, limit: limit, wait: wait, keyVariable: keyVariable)
    case .pause:
      .rateLimited(provider: provider, wait: wait, reason: "the source asked for a pause")
    }
  }
}
