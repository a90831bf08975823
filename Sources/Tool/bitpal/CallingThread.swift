import BitpalModel

/// A task executor that runs a task to its end on the calling thread, without starting another thread.
///
/// Most answers come from the cache in a millisecond or two. An `async` main spends a third of a millisecond more on
/// starting the main queue, its event loop and a worker thread (measured). Work that waits for another thread (a
/// transfer, a timer) continues here as soon as that thread is done.
final class CallingThread: TaskExecutor {
  private let jobs = JobQueue<UnownedJob>()

  private init() {}

  /// Runs `body` and returns when it has ended.
  static func run(_ body: @escaping @Sendable () async -> Void) {
    let thread = CallingThread()
    Task(executorPreference: thread) {
      await body()
      thread.jobs.close()
    }
    while let job = thread.jobs.next() {
      job.runSynchronously(on: thread.asUnownedTaskExecutor())
    }
  }

  func enqueue(_ job: consuming ExecutorJob) { jobs.add(UnownedJob(job)) }
}
