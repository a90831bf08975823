public import BitpalModel

/// A limiter for the requests of all processes of a user: its state is in an SQLite file.
///
/// Each take is one transaction of well under a millisecond; waiting happens outside of it. Instants are on the boot clock
/// and void after a restart of the machine, so setting the wall clock changes nothing. The state is disposable: when the
/// file cannot be used, the trace says so and the limiter goes on for this process alone.
public struct SharedRateLimiter: RateLimiter {
  private let queue: WaitingQueue

  /// Creates a limiter; the file is opened, and made if there is none, at the first request.
  ///
  /// - Parameters:
  ///   - path: The file, in a folder that exists. One file serves any number of keys.
  ///   - key: What the budget belongs to: the provider, and a fingerprint of the API key where there is one.
  ///   - provider: The name that a refusal carries.
  ///   - limit: The budget.
  ///   - time: The clock of deadlines and waits.
  ///   - clock: The clock that all processes of this machine share.
  ///   - trace: Told how long requests are held.
  public init(
    path: String, key: String, provider: String, limit: RateLimit, time: any TimeSource = SystemTime(),
    clock: BootClock = .system, trace: Trace = .silent
  ) {
    let store = FileBudgetStore(path: path, key: key, limit: limit, clock: clock, trace: trace)
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
