public import BitpalModel
public import FoundationEssentials

/// A clock that moves only when a test moves it, or when all tasks that it knows of sleep.
///
/// ``advance(by:)`` moves it. After ``autoAdvance(sleepers:)`` it jumps to the next wake-up as soon as that many tasks
/// sleep at once, so a test of waiting code needs neither real time nor explicit steps.
public final class ManualTime: TimeSource {
  private struct Sleeper {
    let wakesAt: Duration
    let order: Int
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var elapsed: Duration = .zero
    var nextOrder = 0
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var autoAdvanceAt: Int?
    var slept: [Duration] = []
    var waitingForSleepers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let start: Date
  private let state = Locked(State())

  /// Creates a clock that shows `start`.
  public init(_ start: Date = Date(timeIntervalSince1970: 1_736_937_000)) {
    self.start = start
  }

  /// The wall clock, in UTC.
  public var now: Date { start.adding(monotonic) }

  /// The time since an arbitrary origin; it never goes back.
  public var monotonic: Duration { state.withLock { $0.elapsed } }

  /// The durations of all sleeps so far, in the order in which they began.
  public var slept: [Duration] { state.withLock { $0.slept } }

  /// The number of tasks that sleep now; zero at the end of a correct test.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Makes the clock jump to the first wake-up whenever `sleepers` tasks sleep at once.
  public func autoAdvance(sleepers: Int = 1) {
    let woken = state.withLock { state -> [Sleeper] in
      state.autoAdvanceAt = sleepers
      return Self.jumpIfEveryoneSleeps(&state)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Moves the clock and wakes, in order, the tasks whose time has come.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state -> [Sleeper] in
      state.elapsed += duration
      return Self.takeDue(&state)
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least `count` tasks sleep.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.waitingForSleepers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Sleeps for a duration on this clock.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
  public func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    let order = state.withLock { state in
      state.slept.append(duration)
      state.nextOrder += 1
      return state.nextOrder
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let (isCancelled, woken, watchers) = state.withLock { state in
          if state.cancelled.remove(order) != nil { return (true, [Sleeper](), [CheckedContinuation<Void, Never>]()) }
          state.sleepers[order] = Sleeper(
            wakesAt: state.elapsed + duration, order: order, continuation: continuation)
          let count = state.sleepers.count
          let watchers = state.waitingForSleepers.filter { $0.count <= count }.map(\.continuation)
          state.waitingForSleepers.removeAll { $0.count <= count }
          return (false, Self.jumpIfEveryoneSleeps(&state), watchers)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in watchers { watcher.resume() }
        for sleeper in woken { sleeper.continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: order)
        if sleeper == nil { state.cancelled.insert(order) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  private static func jumpIfEveryoneSleeps(_ state: inout State) -> [Sleeper] {
    guard let count = state.autoAdvanceAt, state.sleepers.count >= count,
      let next = state.sleepers.values.map(\.wakesAt).min()
    else { return [] }
    state.elapsed = max(state.elapsed, next)
    return takeDue(&state)
  }

  private static func takeDue(_ state: inout State) -> [Sleeper] {
    let due = state.sleepers.values.filter { $0.wakesAt <= state.elapsed }
      .sorted { ($0.wakesAt, $0.order) < ($1.wakesAt, $1.order) }
    for sleeper in due { state.sleepers[sleeper.order] = nil }
    return due
  }
}
