/// The instant by which a whole command must have its answer, every wait included.
///
/// It travels with the task, so that neither providers nor wrappers have to hand it on.
public enum Deadline {
  /// On the monotonic clock of the run's ``TimeSource``; nil when nobody has set one.
  @TaskLocal public static var current: Duration?

  /// What is left until ``current``, below zero when it has passed; nil when nobody has set one.
  ///
  /// By the machine's own clock, for what waits on that whatever the run's time source says: C libraries, that is.
  package static var left: Duration? { current.map { $0 - SystemTime().monotonic } }
}
