/// A queue of jobs for a thread that sleeps while it is empty.
package final class JobQueue<Job>: @unchecked Sendable {
  // Sendable holds because `jobs` and `isClosed` are touched only between lock and unlock of `monitor`, and a job leaves the
  // queue for the one thread that takes it.
  private let monitor = Monitor()
  private var jobs: [Job] = []
  private var isClosed = false

  package init() {}

  /// Adds a job.
  ///
  /// - Returns: False when the queue is closed, so that the job would never run.
  @discardableResult package func add(_ job: sending Job) -> Bool {
    monitor.lock()
    defer { monitor.unlock() }
    if isClosed { return false }
    jobs.append(job)
    monitor.signal()
    return true
  }

  /// Closes the queue: no further job is accepted.
  package func close() {
    monitor.lock()
    isClosed = true
    monitor.signal()
    monitor.unlock()
  }

  /// Waits for the next job and returns it; nil when the queue is closed and empty.
  package func next() -> Job? {
    monitor.lock()
    defer { monitor.unlock() }
    while jobs.isEmpty, !isClosed { monitor.wait() }
    return jobs.isEmpty ? nil : jobs.removeFirst()
  }
}
