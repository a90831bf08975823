import Glibc

/// A lock with a condition that threads wait for (pthread_mutex and pthread_cond).
///
/// Its owner uses its own variables only between ``lock()`` and ``unlock()``.
final class Monitor: @unchecked Sendable {
  // Sendable holds because both objects are made for use by several threads.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>

  init() {
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
    changed = .allocate(capacity: 1)
    changed.initialize(to: pthread_cond_t())
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    changed.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  func lock() { pthread_mutex_lock(mutex) }

  func unlock() { pthread_mutex_unlock(mutex) }

  /// Wakes one waiting thread.
  func signal() { pthread_cond_signal(changed) }

  /// Waits for ``signal()`` without the lock, which the thread holds before and after; it may also wake without one.
  func wait() { pthread_cond_wait(changed, mutex) }
}
