import Foundation
import Testing

/// Runs the tests of a suite on four threads of their own.
///
/// A test that waits for a process holds its thread. The pool that Swift's tasks share has one thread a core, so without
/// this the tests of other suites would stand still meanwhile, those with deadlines too.
struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    guard testCase != nil else { return try await function() }
    try await withTaskExecutorPreference(Threads.shared) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// Keeps tests that wait for processes away from the threads that tasks share.
  static var ownThreads: OwnThreads { OwnThreads() }
}

/// A few threads with one queue.
///
/// Sendable holds because `jobs` is touched only under `changed`'s lock.
private final class Threads: TaskExecutor, @unchecked Sendable {
  static let shared = Threads(count: 4)

  private let changed = NSCondition()
  private var jobs: [UnownedJob] = []

  init(count: Int) {
    for _ in 0..<count {
      Thread.detachNewThread { [unowned self] in
        while true { next().runSynchronously(on: asUnownedTaskExecutor()) }
      }
    }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    changed.withLock {
      jobs.append(job)
      changed.signal()
    }
  }

  private func next() -> UnownedJob {
    changed.withLock {
      while jobs.isEmpty { changed.wait() }
      return jobs.removeFirst()
    }
  }
}
