import Glibc

/// What other threads hand to one that sleeps while there is nothing to do.
package final class JobQueue<Job>: @unchecked Sendable {
  // Sendable holds because `jobs` and `isClosed` are touched only between lock and unlock of `mutex`, and a job leaves the
  // queue for the one thread that takes it.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [Job] = []
  private var isClosed = false

  package init() {
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

  /// Hands a job over.
  ///
  /// - Returns: False when the queue is closed, and nobody would take it out.
  @discardableResult package func add(_ job: sending Job) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if isClosed { return false }
    jobs.append(job)
    pthread_cond_signal(changed)
    return true
  }

  /// Says that no further job comes.
  package func close() {
    pthread_mutex_lock(mutex)
    isClosed = true
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
  }

  /// The next job, waited for; nil when there is none left and none to come.
  package func next() -> Job? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty, !isClosed { pthread_cond_wait(changed, mutex) }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }
}
