import BitpalModel

/// Answers that were made a moment ago, for clients that ask the same.
///
/// An answer out of the cache takes a task, a dozen hops between threads and the writing of its JSON; a look here takes
/// a lock. Within a moment an answer changes only in its age, by a second.
final class RecentAnswers: Sendable {
  private struct Entry: Sendable {
    let response: WebResponse
    let route: String
    let until: Duration
  }

  /// The time for which an answer is kept.
  static let moment = Duration.milliseconds(250)

  /// The most answers, and the most bytes of one and of its target.
  private static let most = 256
  private static let mostBytes = 64 * 1024
  private static let longestTarget = 2048

  private let entries = Locked<[String: Entry]>([:])
  private let time: any TimeSource

  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Returns the answer of a moment ago to a target, with its route; nil when there is none.
  func answer(to target: String) -> (response: WebResponse, route: String)? {
    let now = time.monotonic
    return entries.withLock { $0[target] }.flatMap { $0.until > now ? ($0.response, $0.route) : nil }
  }

  /// Keeps an answer, if it came from the cache: one that was fetched says so, which is true but once.
  ///
  /// A stream is for one client alone.
  func keep(_ response: WebResponse, to target: String, of route: String) {
    guard response.status == 200, response.stream == nil, response["Cache-Status"]?.hasPrefix("bitpal; hit") == true,
      response.body.count <= Self.mostBytes, target.utf8.count <= Self.longestTarget
    else { return }
    let entry = Entry(response: response, route: route, until: time.monotonic + Self.moment)
    entries.withLock { entries in
      if entries.count >= Self.most { entries = entries.filter { $0.value.until > entry.until - Self.moment } }
      if entries.count < Self.most { entries[target] = entry }
    }
  }
}
