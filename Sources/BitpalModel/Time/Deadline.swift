/// The instant by which a question must have its answer, every attempt and wait included.
///
/// It travels with the task, so that neither providers nor transports have to hand it on. A program sets it once for all
/// that it does; ``within(_:on:isolation:_:)`` is the only place that makes one where nobody has.
public enum Deadline {
  /// On the monotonic clock of the run's ``TimeSource``; nil when nobody has set one.
  @TaskLocal public static var current: Duration?

  /// How long an answer may take where nobody says otherwise: 15 s, longer than any source that still works takes, and as
  /// long as people wait before they stop the program themselves.
  public static let standard: Duration = .seconds(15)

  /// What is left until ``current``, below zero when it has passed; nil when nobody has set one.
  ///
  /// By the machine's own clock, for what waits on that whatever the run's time source says: C libraries, that is.
  package static var left: Duration? { current.map { $0 - SystemTime().monotonic } }

  /// Runs `body` with a deadline: the one in force, or `limit` from now when that is nearer; ``standard`` from now when
  /// there is neither.
  ///
  /// `time` is the clock of the run.
  public static func within<Result>(
    _ limit: Duration? = nil, on time: any TimeSource, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let now = time.monotonic
    let deadline = [limit.map { now + $0 }, current].compactMap { $0 }.min() ?? now + standard
    return try await $current.withValue(deadline, operation: body, isolation: isolation)
  }
}
