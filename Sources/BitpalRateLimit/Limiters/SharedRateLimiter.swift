public import BitpalModel

/// A limiter for the requests of all processes of a user: its state is in an SQLite file.
///
/// Each take is one transaction of well under a millisecond; waiting happens outside of it. Instants are on the boot clock
/// and void after a restart of the machine, so setting the wall clock changes nothing. The state is disposable: when the
/// file cannot be used, a warning says so and the limiter goes on for this process alone.
public struct SharedRateLimiter: RateLimiter {
  private let queue: WaitingQueue

  /// Creates a limiter; the file is opened, and made if there is none, at the first request.
  ///
  /// - Parameters:
  ///   - path: The file; made, with its folder, when there is none. One serves any number of keys.
  ///   - key: What the budget belongs to: the provider, and a fingerprint of the API key where there is one.
  ///   - provider: The name that a refusal carries.
  ///   - limit: The budget.
  ///   - time: The clock of deadlines and waits.
  ///   - clock: The clock that all processes of this machine share.
  ///   - trace: Told how long requests are held.
  ///   - warn: Told, once, why the budget is not shared with all other processes.
  public init(
    path: String, key: String, provider: String, limit: RateLimit, time: any TimeSource = SystemTime(),
    clock: BootClock = .system, trace: Trace = .silent, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(
      file: BudgetFile(path: path, warn: warn), key: key, provider: provider, limit: limit, time: time, clock: clock,
      trace: trace)
  }

  /// Creates a limiter whose file other limiters of the process use too.
  package init(
    file: BudgetFile, key: String, provider: String, limit: RateLimit, time: any TimeSource = SystemTime(),
    clock: BootClock = .system, trace: Trace = .silent
  ) {
    let store = FileBudgetStore(file: file, key: key, limit: limit, clock: clock)
    queue = WaitingQueue(provider: provider, limit: limit, store: store, time: time, trace: trace)
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
