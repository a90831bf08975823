public import BitpalModel

/// A limiter for the requests of one process.
public struct LocalRateLimiter: RateLimiter {
  private let queue: WaitingQueue

  /// Creates a limiter whose budget is unused.
  ///
  /// - Parameters:
  ///   - provider: The name that a refusal carries.
  ///   - limit: The budget.
  ///   - time: The clock of deadlines and waits.
  ///   - trace: Told how long requests are held.
  public init(
    provider: String, limit: RateLimit, time: any TimeSource = SystemTime(), trace: Trace = .silent
  ) {
    queue = WaitingQueue(
      provider: provider, limit: limit, store: MemoryBudgetStore(limit: limit, time: time), time: time, trace: trace)
  }

  /// Returns when one request may go; see ``RateLimiter/acquire(deadline:)``.
  public func acquire(deadline: Duration?) async throws {
    try await queue.acquire(deadline: deadline)
  }

  /// Lets no request go for that long.
  public func block(for pause: Duration) {
    queue.block(for: pause)
  }
}
