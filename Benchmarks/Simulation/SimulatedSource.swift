/// A source that counts the requests itself, independently of the budget.
struct SimulatedSource {
  private let limit: Int
  private let window: Int64
  private var times: [Int64] = []

  /// The first of the times that is within the last window.
  private var first = 0

  /// The most requests within any window of any phase.
  ///
  /// The fullest window ends with a request, so it is enough to look at each of those.
  private(set) var mostInWindow = 0

  init(limit: Int, window: Int64) { (self.limit, self.window) = (limit, window) }

  /// Whether more requests came in a window than the limit.
  var isExceeded: Bool { mostInWindow > limit }

  mutating func receive(at now: Int64) {
    times.append(now)
    while times[first] <= now - window { first += 1 }
    mostInWindow = max(mostInWindow, times.count - first)
  }
}
