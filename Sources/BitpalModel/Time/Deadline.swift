/// The instant by which a question must have its answer, every attempt included, and the time that it may wait until
/// then for room in the source's budget.
///
/// Both travel with the task, so that neither providers nor transports have to hand them on. A program sets them once
/// for all that it does, with `independent(_:patience:on:isolation:_:)`. Without that, ``within(_:on:isolation:_:)`` is the
/// only place that makes a deadline.
///
/// Waiting for a budget is not the network's slowness: it moves the deadline on. See `whileWaiting(isolation:_:)`.
public enum Deadline {
  /// The limits in force for a task.
  private struct Limits: Sendable {
    /// On the clock of the run, without the time that was spent waiting for budgets.
    var instant: Duration

    /// The longest time to wait for budgets in all; nil for as long as the deadline allows, which then is not moved.
    var patience: Duration?

    let time: any TimeSource
    let waits: Locked<Waits>
  }

  /// The time that was spent waiting for budgets, however many did so at once.
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

  /// The longest time for an answer by default: 15 s, longer than any source that still works takes, and as long as
  /// people wait before they stop the program themselves.
  public static let standard: Duration = .seconds(15)

  /// The time left until ``current``, below zero when it has passed; nil when none is set.
  ///
  /// It is measured by the machine's own clock, because C libraries wait on that, whatever the run's time source says.
  package static var left: Duration? { current.map { $0 - SystemTime().monotonic } }

  /// Runs `body` with a deadline: the one in force, or `limit` from now when that is nearer; ``standard`` from now when
  /// there is neither.
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

  /// Runs `body` with a deadline of its own, whatever is in force.
  ///
  /// - Parameters:
  ///   - limit: The longest time for it; below zero or zero for a deadline that has passed.
  ///   - patience: The longest time to wait for budgets in addition, all waits together; nil for as long as the
  ///     deadline allows.
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

  /// A deadline is not missed by less than this: a task that has slept through a pause may be early by the difference
  /// of the clocks.
  private static let grace: Duration = .milliseconds(50)

  /// Runs `body` without waiting for any budget: what has no room at once fails at once.
  package static func withoutWaiting<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    var impatient = limits
    impatient?.patience = .zero
    return try await $limits.withValue(impatient, operation: body, isolation: isolation)
  }

  /// The longest wait for a budget that is always worth it: a script that meets a budget per second does not fail.
  package static let brief: Duration = .seconds(2)

  /// Runs `body` with at least a ``brief`` wait for budgets, where less is left or none is allowed.
  package static func waitingBriefly<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    var patient = limits
    if let limits, let patience = limits.patience { patient?.patience = max(patience, waited(limits) + brief) }
    return try await $limits.withValue(patient, operation: body, isolation: isolation)
  }

  /// Whether a budget may be waited for that long.
  package static func allowsWaiting(_ wait: Duration) -> Bool {
    guard let limits else { return true }
    let left = limits.patience.map { $0 - waited(limits) } ?? limits.instant - limits.time.monotonic
    return wait <= left
  }

  /// Runs `body`, which waits for a budget until the instant it is given, or for ever; the deadline moves on by the time
  /// it takes.
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
