import BitpalModel
import Glibc

/// The thread on which a plugin's process is started and used: tasks that wait for the plugin wait there, and no
/// others.
///
/// It is always the same thread, and lives as long as the process does: the kernel ends a child that asked for it when
/// the *thread* that had started it ends.
final class PluginThread: TaskExecutor {
  private enum Job {
    case task(UnownedJob)
    case block(@Sendable () -> Void)
  }

  private let jobs = JobQueue<Job>()
  private let identity = Locked<pthread_t?>(nil)

  /// Nil when the system has no more threads.
  init?() {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(
      &thread, nil,
      { context in
        if let context { Unmanaged<PluginThread>.fromOpaque(context).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    guard code == 0 else {
      context.release()
      return nil
    }
    identity.withLock { [thread] in $0 = thread }
    pthread_detach(thread)
  }

  /// Ends the thread when it has done what it was given.
  func stop() { jobs.close() }

  private func run() {
    // Signals are for the threads that expect them; a plugin that reads no more must not end the process (SIGPIPE).
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_SETMASK, &signals, nil)
    while let job = jobs.next() {
      switch job {
      case .task(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .block(let body): body()
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A task must go on somewhere, or its caller waits for ever.
    if !jobs.add(.task(job)) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs `body` on the thread, and returns when it has; nil when the thread has been stopped.
  func sync<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let thread = identity.withLock { $0 }
    if let thread, pthread_equal(thread, pthread_self()) != 0 { return body() }
    let reply = JobQueue<Result>()
    return jobs.add(.block { reply.add(body()) }) ? reply.next() : nil
  }
}
