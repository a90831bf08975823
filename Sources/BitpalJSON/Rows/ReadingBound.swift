import BitpalModel
import CSQLiteHeap

/// How much longer a body may be read.
package enum ReadingTime {
  /// What is left of the time for the whole answer; nil when nobody has set a limit.
  ///
  /// It travels with the task, so that dialects need no clock; whoever knows the deadline sets it around the reading.
  @TaskLocal package static var left: Duration?
}

/// What SQLite may take on the calling thread, in memory and time, while it reads one body.
///
/// Other threads and connections are not bounded by it. See `CSQLiteHeap` for how.
final class ReadingBound {
  /// Why a reading was stopped.
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
  ///   - bytes: What SQLite may hold more than now.
  ///   - time: From now.
  func start(bytes: Int, time: Duration) {
    let milliseconds = min(time.milliseconds, Self.longest)
    bound.pointee = bitpal_heap_bound(
      bytes: Int64(bytes), deadline: bitpal_heap_clock() + milliseconds * 1_000_000, refusal: 0, pieces: 0)
    outer = bitpal_heap_set_bound(bound)
  }

  /// Lifts the bound.
  func stop() {
    _ = bitpal_heap_set_bound(outer)
    outer = nil
  }

  /// Whether the time has run out.
  var isOverTime: Bool { bitpal_heap_clock() >= bound.pointee.deadline }

  /// Why SQLite was refused memory; nil when it was not.
  ///
  /// SQLite gets along without some of what it asks for, but then an answer may have come out otherwise.
  var refusal: Refusal? {
    switch Int(bound.pointee.refusal) {
    case BITPAL_HEAP_MEMORY: .memory
    case BITPAL_HEAP_TIME: .time
    default: nil
    }
  }

  /// A year in milliseconds; more is no limit, and its nanoseconds would not fit.
  private static let longest: Int64 = 365 * 86_400 * 1000
}
