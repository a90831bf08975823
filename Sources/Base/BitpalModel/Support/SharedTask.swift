/// A task that several callers wait for, and that is cancelled only when the last of them has left.
///
/// A caller that is cancelled leaves at once and does not affect the others.
package final class SharedTask<Value: Sendable>: Sendable {
  private struct State {
    var result: Value?
    var isAbandoned = false
    var task: Task<Void, Never>?
    var nextWaiter = 0
    var waiters: [Int: CheckedContinuation<Value, any Error>] = [:]
    var cancelledBeforeWaiting: Set<Int> = []
    var interest = 1
  }

  private let state = Locked(State())

  /// Starts `body`; the caller counts as its first waiter and must call ``value()``.
  package init(_ body: @escaping @Sendable () async -> Value) {
    let task = Task(executorPreference: BlockingPool.shared) { [weak self] in
      let value = await body()
      self?.finish(value)
    }
    state.withLock { $0.task = task }
  }

  /// Adds a waiter, which must call ``value()``; returns false when all others have left already.
  package func join() -> Bool {
    state.withLock { state in
      if state.isAbandoned { return false }
      state.interest += 1
      return true
    }
  }

  /// Removes a waiter that does not wait; the task is cancelled when none is left.
  package func leave() {
    let task = state.withLock { state in
      state.interest -= 1
      state.isAbandoned = state.interest <= 0 && state.result == nil
      return state.isAbandoned ? state.task : nil
    }
    task?.cancel()
  }

  /// Waits for the value.
  ///
  /// - Throws: `CancellationError` as soon as the caller is cancelled.
  package func value() async throws -> Value {
    let id = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Value, any Error>? in
          if let value = state.result { return .success(value) }
          if state.cancelledBeforeWaiting.remove(id) != nil { return .failure(CancellationError()) }
          state.waiters[id] = continuation
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: id)
        if waiter == nil { state.cancelledBeforeWaiting.insert(id) }
        return waiter
      }
      waiter?.resume(throwing: CancellationError())
      leave()
    }
  }

  private func finish(_ value: Value) {
    let waiters = state.withLock { state in
      state.result = value
      state.task = nil
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: value) }
  }
}
