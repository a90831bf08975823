import BitpalModel

/// A cache of whole answers for a moment, for clients with the same request.
///
/// An answer from the price cache needs a task, a dozen thread switches and the encoding of its JSON; one from here
/// needs a lock. Within a moment only its age changes, by a second at most.
final class RecentAnswers: Sendable {
  private struct Entry: Sendable {
    let response: WebResponse
    let route: String
    let until: Duration
  }

  /// The time for which an answer is kept: 0.25 s.
  static let moment = Duration.milliseconds(250)

  /// The largest number of answers, and the largest size in bytes of an answer and of its target.
  private static let most = 256
  private static let mostBytes = 64 * 1024
  private static let longestTarget = 2048

  private let entries = Locked<[String: Entry]>([:])
  private let time: any TimeSource

  init(_ time: any TimeSource) {
    self.time = time
  }

  /// Returns the recent answer to a target, with its route; nil when there is none.
  func answer(to target: String) -> (response: WebResponse, route: String)? {
    let now = time.monotonic
    return entries.withLock { $0[target] }.flatMap { $0.until > now ? ($0.response, $0.route) : nil }
  }

  /// Keeps an answer if it came from the price cache; the headers of a fetched one are true only once.
  ///
  /// Streams are not kept, because each belongs to one client.
  func keep(_ response: WebResponse, to target: String, of route: String) {
    guard response.status == 200, response.stream == nil, !response.isPrivate,
      response["Cache-Status"]?.hasPrefix("bitpal; hit") == true,
      response.body.count <= Self.mostBytes, target.utf8.count <= Self.longestTarget
    else { return }
    let entry = Entry(response: response, route: route, until: time.monotonic + Self.moment)
    entries.withLock { entries in
      if entries.count >= Self.most { entries = entries.filter { $0.value.until > entry.until - Self.moment } }
      if entries.count < Self.most { entries[target] = entry }
    }
  }
}
