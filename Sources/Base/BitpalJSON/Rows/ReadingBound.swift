import BitpalModel
import CSQLiteHeap

/// The time limit for reading a body.
package enum ReadingTime {
  /// The time that is left for the whole answer; nil without a limit.
  ///
  /// It is bound to the task, so that dialects need no clock; the caller that knows the deadline sets it around the
  /// reading.
  @TaskLocal package static var left: Duration?
}

/// The memory of the whole process.
package enum ProcessMemory {
  /// Gives freed memory back sooner: for a server, which runs for long, and for the steps of an import.
  package static func keepLess() { bitpal_heap_keep_less() }

  /// Gives freed memory back now, after a step that needed much of it in small pieces.
  package static func giveBack() { bitpal_heap_give_back() }
}

/// A bound on the memory and time of SQLite on the calling thread while it reads one body.
///
/// Other threads and connections are not affected. See `CSQLiteHeap` for the implementation.
final class ReadingBound {
  /// The reason why a reading was stopped.
  enum Refusal {
    case memory
    case time
  }

  private let bound: UnsafeMutablePointer<bitpal_heap_bound>
  private var outer: UnsafeMutablePointer<bitpal_heap_bound>?

  init() {
    bound = .allocate(capacity: 1)
    bound.initialize(to: bitpal_heap_bound())
  }

  deinit {
    bound.deallocate()
  }

  /// Bounds the thread until ``stop()``, which the same thread must call.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that SQLite may allocate in addition to its present ones.
  ///   - time: The time limit, from now.
  func start(bytes: Int, time: Duration) {
    let milliseconds = min(time.milliseconds, Self.longest)
    bound.pointee = bitpal_heap_bound(
      bytes: Int64(bytes), deadline: bitpal_heap_clock() + milliseconds * 1_000_000, refusal: 0, pieces: 0)
    outer = bitpal_heap_set_bound(bound)
  }

  /// Removes the bound, and restores the one of an enclosing reading.
  func stop() {
    _ = bitpal_heap_set_bound(outer)
    outer = nil
  }

  /// Whether the time limit has passed.
  var isOverTime: Bool { bitpal_heap_clock() >= bound.pointee.deadline }

  /// The reason why SQLite was refused memory; nil when it was not.
  ///
  /// SQLite continues without some allocations, but the answer may then be different.
  var refusal: Refusal? {
    switch Int(bound.pointee.refusal) {
    case BITPAL_HEAP_MEMORY: .memory
    case BITPAL_HEAP_TIME: .time
    default: nil
    }
  }

  /// A year in milliseconds; a longer limit has no effect, and its nanoseconds would not fit.
  private static let longest: Int64 = 365 * 86_400 * 1000
}
