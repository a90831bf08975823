import Foundation

/// How many requests a server has begun to answer, for a test that waits for them.
///
/// Sendable holds because `count` is touched only under `changed`'s lock.
final class Arrivals: @unchecked Sendable {
  private let changed = NSCondition()
  private var count = 0

  func add() {
    changed.withLock {
      count += 1
      changed.broadcast()
    }
  }

  func wait(for wanted: Int) {
    changed.withLock {
      while count < wanted { changed.wait() }
    }
  }
}
