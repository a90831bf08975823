import Glibc

/// Runs a task to its end on the thread that asks, without starting another.
///
/// Most answers come from the cache in a millisecond or two. An `async` main spends a third of a millisecond more on
/// starting the main queue, its event loop and a worker thread (measured). Work that waits for another
/// thread (a transfer, a timer) continues here as soon as that thread is done.
final class CallingThread: TaskExecutor, @unchecked Sendable {
  // Sendable holds because `jobs` and `isDone` are touched only between lock and unlock of `mutex`.
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let changed: UnsafeMutablePointer<pthread_cond_t>
  private var jobs: [UnownedJob] = []
  private var isDone = false

  private init() {
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

  /// Runs `body`, and returns when it has.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let thread = CallingThread()
    Task(executorPreference: thread) {
      await body()
      thread.change { thread.isDone = true }
    }
    while let job = thread.next() {
      job.runSynchronously(on: thread.asUnownedTaskExecutor())
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    change { jobs.append(job) }
  }

  /// The next job, waited for; nil when all is done.
  private func next() -> UnownedJob? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while jobs.isEmpty, !isDone { pthread_cond_wait(changed, mutex) }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }

  private func change(_ body: () -> Void) {
    pthread_mutex_lock(mutex)
    body()
    pthread_cond_signal(changed)
    pthread_mutex_unlock(mutex)
  }
}
