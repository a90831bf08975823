public import BitpalModel

/// A limiter that holds requests back so that a source's budget is kept.
public protocol RateLimiter: Sendable {
  /// Waits until one request may leave.
  ///
  /// - Parameter deadline: The instant on the time source's monotonic clock after which the request is of no use; nil
  ///   for none.
  /// - Returns: The token, for ``giveBack(_:)``.
  /// - Throws: ``/BitpalModel/BitpalError`` `.budgetUsed` when no token is free before the deadline, or `.rateLimited`
  ///   when the source has asked for a longer pause; at once where that is known. `CancellationError` when the task is
  ///   cancelled while it waits. No token is taken in these cases.
  @discardableResult
  func acquire(deadline: Duration?) async throws -> RequestPermit

  /// Waits until a request may leave that costs several tokens; see ``acquire(deadline:)``.
  ///
  /// The default takes one token after the other.
  @discardableResult
  func acquire(_ tokens: Int, deadline: Duration?) async throws -> RequestPermit

  /// Returns the tokens of a request that provably never left this machine.
  func giveBack(_ permit: RequestPermit)

  /// Lets no request leave for a pause that the source asked for. Waiting callers wait for its end too.
  func block(for pause: Duration)
}

extension RateLimiter {
  /// Takes one token after the other, and returns the permit of the last.
  @discardableResult
  public func acquire(_ tokens: Int, deadline: Duration?) async throws -> RequestPermit {
    for _ in 1..<max(1, tokens) { try await acquire(deadline: deadline) }
    return try await acquire(deadline: deadline)
  }
}

/// The tokens of a budget for one request that may leave.
public struct RequestPermit: Hashable, Sendable {
  /// The stamp of the tokens.
  let stamp: Duration

  /// The number of the tokens.
  let count: Int

  /// A Boolean value indicating whether the tokens belong to the share of one machine.
  package var isOfShare = false

  init(stamp: Duration, count: Int = 1) {
    self.stamp = stamp
    self.count = count
  }
}

/// A limiter that counts in memory, for the requests of this process, or in a store that other processes use too.
///
/// A waiting caller holds nothing: it sleeps until its turn and tries again. A store cannot count for a while when another
/// process holds it; one that cannot be used at all is replaced by memory, with a warning.
public struct BudgetLimiter: RateLimiter {
  private let provider: String
  private let key: String
  private let limits: [RateLimit]
  private let keyVariable: String?
  private let store: any BudgetStore
  private let time: any TimeSource
  private let trace: Trace
  private let random: @Sendable () -> UInt64

  /// The most tokens of one request: the whole of the smallest limit.
  private let most: Int
  private let shortestWindow: Duration

  /// The longest time from taking a token until its request has left: a 32nd of the shortest window, at most 100 ms.
  private let margin: Duration

  /// Creates a limiter for the requests of this process, with nothing counted yet.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - limits: The limits, all of which hold.
  ///   - time: The clock of deadlines and waits.
  ///   - trace: Receives the length of each wait.
  public init(
    provider: String, limits: [RateLimit], time: any TimeSource = SystemTime(), trace: Trace = .silent
  ) {
    self.init(
      provider: provider, key: provider, limits: limits, store: MemoryBudgetStore(time: time), time: time, trace: trace)
  }

  /// Creates a limiter for the requests of all processes of a user.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - key: The owner of the budget: the provider, and a fingerprint of the API key where there is one.
  ///   - limits: The limits, all of which hold.
  ///   - path: The file; created, with its folder, at the first request. One serves any number of keys.
  ///   - time: The clock of deadlines and waits.
  ///   - clock: The clock that all processes of this machine share.
  ///   - trace: Receives the length of each wait.
  ///   - warn: Receives, once, the reason why the budget is not shared with all other processes.
  package init(
    provider: String, key: String, limits: [RateLimit], path: String, time: any TimeSource = SystemTime(),
    clock: BudgetClock = .system, trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    let file = BudgetFile(path: path, clock: clock, warn: warn)
    self.init(provider: provider, key: key, limits: limits, store: file, time: time, trace: trace)
  }

  /// Creates a limiter with a store that other limiters use too.
  ///
  /// - Parameters:
  ///   - keyVariable: The variable for a key, where none is set and one would allow more.
  ///   - random: The source of jitter; an even choice among all values.
  package init(
    provider: String, key: String, limits: [RateLimit], keyVariable: String? = nil, store: any BudgetStore,
    time: any TimeSource, trace: Trace = .silent,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    self.provider = provider
    self.key = key
    self.limits = limits
    self.keyVariable = keyVariable
    self.store = store
    self.time = time
    self.trace = trace
    self.random = random
    most = limits.map(\.limit).min() ?? .max
    shortestWindow = limits.map(\.window).min() ?? .zero
    margin = min(.milliseconds(100), shortestWindow / 32)
  }

  /// Waits until one request may leave; see ``RateLimiter/acquire(deadline:)``.
  ///
  /// - Throws: The errors of ``RateLimiter/acquire(deadline:)``, and `.budgetLocked` when other processes hold the file
  ///   for too long.
  @discardableResult
  public func acquire(deadline: Duration?) async throws -> RequestPermit {
    try await acquire(1, deadline: deadline)
  }

  /// Waits until a request may leave that costs several tokens, at most the whole budget.
  ///
  /// - Throws: The errors of ``acquire(deadline:)``.
  @discardableResult
  public func acquire(_ tokens: Int, deadline: Duration?) async throws -> RequestPermit {
    let count = min(max(1, tokens), most)
    var refusals: UInt64 = 0
    var turn: Duration?
    var margin = max(margin, store.latency + store.latency)
    while true {
      try Task.checkCancellation()
      let patience = deadline.map { max(.zero, $0 - time.monotonic) }
      let reply = try apply(.take(count, within: margin, patience: patience, hasWaited: refusals > 0))
      switch reply.outcome {
      case .taken(let stamp):
        let permit = RequestPermit(stamp: stamp, count: count)
        if reply.age <= margin { return permit }
        // The request would leave after the stamp of its token.
        giveBack(permit)
        margin = reply.age * 2
      case .refused(let refusal):
        guard let wait = refusal.earliest.map({ $0 - reply.now }), patience.map({ wait <= $0 }) ?? true else {
          throw error(of: refusal, at: reply.now)
        }
        let pause: Duration
        if refusals == 0 {
          (pause, turn) = firstPause(after: refusal, wait, at: reply.now)
        } else {
          // A caller whose turn came too early stays near the front.
          pause = turn.flatMap { $0 > reply.now ? $0 - reply.now : nil } ?? wait + jitter
          turn = nil
        }
        try await time.sleep(for: patience.map { min(pause, $0) } ?? pause)
        refusals += 1
      case nil:
        // A store that gives no outcome is asked again after a pause, within the patience of the caller.
        if let patience, patience <= .zero { throw BitpalError.timedOut(provider: provider, limit: .zero) }
        refusals += 1
        let pause = Duration.milliseconds(5 << min(refusals, 5))
        try await time.sleep(for: patience.map { min(pause, $0) } ?? pause)
      }
    }
  }

  /// Returns how long a caller sleeps that is refused for the first time: until its turn, or until a look at the tokens of the next
  /// window, which lie there when those before it are gone; with the turn for which it sleeps after the look.
  ///
  /// - Parameter wait: The time until a token is free.
  private func firstPause(
    after refusal: RequestBudget.Refusal, _ wait: Duration, at now: Duration
  ) -> (pause: Duration, turn: Duration?) {
    let (whole, look) = (refusal.turn - now, wait + shortestWindow / 8)
    trace(.limiterWaited(provider: provider, wait: whole, reason: error(of: refusal, at: nil).message))
    return whole > look ? (look, refusal.turn) : (whole, nil)
  }

  /// Returns the tokens of a request that never left.
  public func giveBack(_ permit: RequestPermit) {
    // A token that cannot be given back comes back one window later.
    _ = try? apply(.giveBack(permit.stamp, count: permit.count))
  }

  /// Lets no request leave for a pause; a pause of zero or less has no effect.
  public func block(for pause: Duration) {
    guard pause > .zero else { return }
    // While the file is locked no request takes a token either, so the failure is ignored.
    _ = try? apply(.block(pause))
  }

  private func apply(_ change: BudgetChange) throws -> BudgetReply {
    do throws(BudgetStoreError) {
      return try store.apply(change, to: key, limits: limits)
    } catch .locked(let path) {
      throw BitpalError.budgetLocked(provider: provider, path: path)
    }
  }

  /// A random delay of up to 5 ms, so that callers that were refused together do not return together.
  ///
  /// It does not grow: who has missed a turn would come after those whose turn it is, again and again.
  private var jitter: Duration { .microseconds(random() % 5_000) }

  private func error(of refusal: RequestBudget.Refusal, at now: Duration?) -> BitpalError {
    let wait = now.flatMap { now in refusal.earliest.map { ($0 - now).roundedUp } }
    return switch refusal.cause {
    case .limit(let limit, let used):
      .budgetUsed(provider: provider, used: used, limit: limit, wait: wait, keyVariable: keyVariable)
    case .pause:
      .rateLimited(provider: provider, wait: wait, reason: "the source asked for a pause")
    }
  }
}
