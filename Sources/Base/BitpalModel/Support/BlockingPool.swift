import Glibc

/// A task executor whose threads may wait in the kernel: for SQLite, Redis, a lock file or a pipe.
///
/// Swift's cooperative pool has one thread per core, so two blocked threads stop a two-core machine. This pool starts a
/// thread when a job arrives and none is idle, and keeps a few idle ones. A question that is stuck therefore costs a
/// thread, and never delays another one.
package final class BlockingPool: TaskExecutor, @unchecked Sendable {
  // Sendable holds because all variables are used only between lock and unlock of `monitor`.

  /// The pool that the whole process shares.
  package static let shared = BlockingPool(limit: 512)

  /// The maximum number of threads that are kept without a job.
  private static let mostIdle = 16

  /// The stack of a thread, twice that of Swift's own.
  private static let stackBytes = 1 << 20

  private let limit: Int
  private let monitor = Monitor()
  private var jobs: [UnownedJob] = []
  private var threads = 0
  private var idle = 0

  /// Creates a blocking pool.
  ///
  /// - Parameter limit: The most threads at once, at least 1; further jobs wait for one of them.
  package init(limit: Int) {
    self.limit = max(1, limit)
  }

  /// Runs `body` where it may block: on the shared pool, or on the executor that the task already prefers.
  package static func run<Result>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    let hasPreference = withUnsafeCurrentTask { $0?.unownedTaskExecutor != nil }
    if hasPreference { return try await body() }
    return try await withTaskExecutorPreference(shared, isolation: isolation, operation: body)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    monitor.lock()
    jobs.append(job)
    // An idle thread that was signalled and has not woken yet counts as idle, and its job as waiting.
    let needsThread = jobs.count > idle && threads < limit
    if needsThread { threads += 1 }
    monitor.unlock()
    monitor.signal()
    if needsThread, !startThread() { threadIsMissing() }
  }

  private func startThread() -> Bool {
    var thread = pthread_t()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackBytes)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    defer { pthread_attr_destroy(&attributes) }
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, &attributes,
      { context in
        if let context { Unmanaged<BlockingPool>.fromOpaque(context).takeRetainedValue().work() }
        return nil
      }, context.toOpaque())
    if code != 0 { context.release() }
    return code == 0
  }

  /// Leaves the job to the other threads; without any, runs it here, because the task must continue.
  private func threadIsMissing() {
    monitor.lock()
    threads -= 1
    let job = threads == 0 && !jobs.isEmpty ? jobs.removeFirst() : nil
    monitor.unlock()
    job?.runSynchronously(on: asUnownedTaskExecutor())
  }

  /// Runs jobs until none is left and enough threads wait for one.
  private func work() {
    // Other threads handle signals; a pipe whose reader has gone must not end the process (SIGPIPE).
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Returns the next job; nil when the thread should end.
  private func next() -> UnownedJob? {
    monitor.lock()
    defer { monitor.unlock() }
    while jobs.isEmpty {
      guard idle < Self.mostIdle else {
        threads -= 1
        return nil
      }
      idle += 1
      monitor.wait()
      idle -= 1
    }
    return jobs.removeFirst()
  }
}
