import BitpalModel
import Glibc

/// A thread on which a plugin's process is started and used, and on which tasks wait for the plugin.
///
/// It lives at least as long as the plugin's process: with `PR_SET_PDEATHSIG` the kernel kills a child at the end of
/// the *thread* that started it.
final class PluginThread: TaskExecutor {
  private enum Job {
    case task(UnownedJob)
    case block(@Sendable () -> Void)
  }

  private let jobs = JobQueue<Job>()
  private let identity = Locked<pthread_t?>(nil)

  /// Starts the thread; nil when the system has no more threads.
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

  /// Ends the thread after the jobs that it already has.
  func stop() { jobs.close() }

  private func run() {
    // Other threads handle signals, and a plugin that stops reading must not end the process with SIGPIPE.
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
    // A task must continue on some thread, because its caller waits for it.
    if !jobs.add(.task(job)) { job.runSynchronously(on: asUnownedTaskExecutor()) }
  }

  /// Runs `body` on the thread, waits, and returns its result; nil when the thread has been stopped.
  func sync<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
    let thread = identity.withLock { $0 }
    if let thread, pthread_equal(thread, pthread_self()) != 0 { return body() }
    let reply = JobQueue<Result>()
    return jobs.add(.block { reply.add(body()) }) ? reply.next() : nil
  }
}
