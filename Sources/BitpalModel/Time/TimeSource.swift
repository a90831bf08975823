public import FoundationEssentials

/// Where time comes from: a wall clock, a clock that never jumps, and a wait that can be cancelled.
///
/// Everything below the command line takes one; nothing there calls `Date()` or sleeps on its own. That is what makes
/// `--now`, replay and tests without waiting possible.
public protocol TimeSource: Sendable {
  /// The wall clock, in UTC.
  var now: Date { get }

  /// Time since an arbitrary origin. It never goes back, and it is only good for differences within one process.
  var monotonic: Duration { get }

  /// Returns after `duration`; at once when it is not positive.
  ///
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  func sleep(for duration: Duration) async throws
}
