/// The instant by which a question must have its answer, all attempts included, and the time that the question may wait
/// until then for room in the source's budget.
///
/// Both are task-local values, so providers and transports need not pass them on. A program sets them once for all its
/// work with `independent(_:patience:on:isolation:_:)`. Without that, only ``within(_:on:isolation:_:)`` makes a
/// deadline.
///
/// A wait for a budget is not the source's delay: it extends the deadline. See `whileWaiting(isolation:_:)`.
public enum Deadline {
  /// The limits in force for a task.
  private struct Limits: Sendable {
    /// The deadline on the clock of the run, without the time spent waiting for budgets.
    var instant: Duration

    /// The maximum total wait for budgets; nil for a wait up to the deadline, which is then not extended.
    var patience: Duration?

    let time: any TimeSource
    let waits: Locked<Waits>
  }

  /// The time spent waiting for budgets; simultaneous waits count once.
  private struct Waits {
    var waiting = 0
    var since = Duration.zero
    var past = Duration.zero

    func total(at now: Duration) -> Duration { waiting > 0 ? past + (now - since) : past }
  }

  @TaskLocal private static var limits: Limits?

  /// The deadline, on the monotonic clock of the run's ``TimeSource``; nil when none is set.
  public static var current: Duration? {
    limits.map { limits in limits.instant + movedOn(limits) }
  }

  /// The default time limit of an answer: 15 s, longer than any working source takes, and about as long as users wait
  /// before they stop the program.
  public static let standard: Duration = .seconds(15)

  /// The time left until ``current``, negative after it; nil when none is set.
  ///
  /// The machine's own clock measures it, because C libraries wait on that, whatever time source the run uses.
  package static var left: Duration? { current.map { $0 - SystemTime().monotonic } }

  /// Runs `body` with the nearer of the deadline in force and `limit` from now; without either, with ``standard`` from
  /// now.
  ///
  /// `time` is the clock of the run.
  public static func within<Result>(
    _ limit: Duration? = nil, on time: any TimeSource, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard var limits else { return try await independent(limit ?? standard, on: time, isolation: isolation, body) }
    if let limit { limits.instant = min(limits.instant, time.monotonic + limit - movedOn(limits)) }
    return try await $limits.withValue(limits, operation: body, isolation: isolation)
  }

  /// Runs `body` with a deadline of its own, independent of the one in force.
  ///
  /// - Parameters:
  ///   - limit: The time limit; zero or below for a deadline that has passed.
  ///   - patience: The maximum additional wait for budgets in total; nil for a wait up to the deadline.
  ///   - time: The clock of the run.
  package static func independent<Result>(
    _ limit: Duration = standard, patience: Duration? = nil, on time: any TimeSource,
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let limits = Limits(
      instant: time.monotonic + limit, patience: patience, time: time, waits: Locked(Waits()))
    return try await $limits.withValue(limits, operation: body, isolation: isolation)
  }

  // MARK: Waiting for budgets

  /// The tolerance of a deadline: a task that has slept through a pause may wake early by the difference of the clocks.
  private static let grace: Duration = .milliseconds(50)

  /// Runs `body` without waiting for any budget: a request without room in it fails at once.
  package static func withoutWaiting<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    var impatient = limits
    impatient?.patience = .zero
    return try await $limits.withValue(impatient, operation: body, isolation: isolation)
  }

  /// The wait for a budget that is always acceptable, so that a script with a budget per second does not fail.
  package static let brief: Duration = .seconds(2)

  /// Runs `body` with at least a ``brief`` wait for budgets, even if less time is left or waiting is not allowed.
  package static func waitingBriefly<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    var patient = limits
    if let limits, let patience = limits.patience { patient?.patience = max(patience, waited(limits) + brief) }
    return try await $limits.withValue(patient, operation: body, isolation: isolation)
  }

  /// Returns whether the task may wait for a budget for that time.
  package static func allowsWaiting(_ wait: Duration) -> Bool {
    guard let limits else { return true }
    let left = limits.patience.map { $0 - waited(limits) } ?? limits.instant - limits.time.monotonic
    return wait <= left
  }

  /// Runs `body`, which waits for a budget until the given instant, or without a limit; the deadline is extended by
  /// that time.
  package static func whileWaiting<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: (_ until: Duration?) async throws -> Result
  ) async rethrows -> Result {
    guard let limits else { return try await body(nil) }
    guard let patience = limits.patience else { return try await body(limits.instant) }
    let now = limits.time.monotonic
    let left = limits.waits.withLock { waits in
      if waits.waiting == 0 { waits.since = now }
      waits.waiting += 1
      return max(Self.grace, patience - waits.total(at: now))
    }
    defer {
      let now = limits.time.monotonic
      limits.waits.withLock { waits in
        waits.waiting -= 1
        if waits.waiting == 0 { waits.past += now - waits.since }
      }
    }
    return try await body(now + left)
  }

  private static func movedOn(_ limits: Limits) -> Duration { limits.patience == nil ? .zero : waited(limits) }

  private static func waited(_ limits: Limits) -> Duration {
    limits.waits.withLock { $0.total(at: limits.time.monotonic) }
  }
}
