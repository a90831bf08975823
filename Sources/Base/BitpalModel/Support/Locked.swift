import Glibc

/// A value that is accessible only while its lock is held.
///
/// A pthread mutex of our own, because ThreadSanitizer reports a false race for `Synchronization.Mutex` on this
/// toolchain.
package final class Locked<Value>: @unchecked Sendable {
  // Sendable holds because `value` is touched only between lock and unlock of `mutex`, and the closure cannot keep it:
  // what it returns must be Sendable.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  package init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with exclusive access to the value.
  package func withLock<Result: Sendable, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }

  /// Runs `body` with exclusive access to the value, unless another thread keeps it for too long; blocks the thread.
  ///
  /// - Parameter patience: The longest wait for the other thread.
  /// - Returns: Nil when the other thread kept it.
  package func withLock<Result: Sendable, Failure: Error>(
    within patience: Duration, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let end = ContinuousClock.now + patience
    var pause: useconds_t = 50
    while pthread_mutex_trylock(mutex) != 0 {
      guard ContinuousClock.now < end else { return nil }
      usleep(pause)
      pause = min(pause * 2, 5000)
    }
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}
