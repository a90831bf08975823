/// The instant by which a whole command must have its answer, every wait included.
///
/// It travels with the task, so that neither providers nor wrappers have to hand it on.
public enum Deadline {
  /// On the monotonic clock of the run's ``TimeSource``; nil when nobody has set one.
  @TaskLocal public static var current: Duration?
}
