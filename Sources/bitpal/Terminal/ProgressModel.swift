import BitpalModel

/// What the progress line says at any moment; pure, so it is tested without a clock or a terminal.
///
/// Work that is done within half a second says nothing. A wait counts down.
struct ProgressModel: Sendable {
  /// What is going on, and since when.
  private struct Work {
    var words: String
    let since: Duration

    /// How many requests it has taken so far.
    var requests = 0

    /// Until when is waited, and for what; nil while nothing is waited for.
    var wait: (until: Duration, words: String)?
  }

  /// Work that takes longer than that is told of.
  static let patience: Duration = .milliseconds(500)

  private var work: Work?

  /// Whether something is going on that may have to be told.
  var isWorking: Bool { work != nil }

  /// Takes up work that no event tells of.
  mutating func begin(_ words: String, at now: Duration) {
    work = Work(words: words, since: work?.since ?? now)
  }

  /// Nothing is going on any more, or an answer is about to be written.
  mutating func end() {
    work = nil
  }

  /// Takes a step in the life of an answer.
  mutating func note(_ event: TraceEvent, at now: Duration) {
    switch event {
    case .cacheMiss(let key, _):
      begin("asking for \(key)", at: now)
    case .joinedFlight(let key):
      begin("waiting for another command that asks for \(key)", at: now)
    case .request:
      change(at: now) { $0.requests += 1 }
    case .limiterWaited(_, let wait, let reason):
      change(at: now) { $0.wait = (now + wait, reason) }
    case .retrying(_, let wait, let reason):
      change(at: now) { $0.wait = (now + wait, reason) }
    case .fellBack(let provider, let reason):
      change(at: now) { $0.words = "\(provider) is passed over: \(reason)" }
    case .response, .decoded, .stored, .settings, .keySet, .recordingOpened, .cacheHit, .cacheTrouble,
      .fleet, .pluginStarted, .pluginSaid:
      break
    }
  }

  /// Changes what is going on; whatever was waited for is over.
  private mutating func change(at now: Duration, _ change: (inout Work) -> Void) {
    var current = work ?? Work(words: "asking", since: now)
    current.wait = nil
    change(&current)
    work = current
  }

  /// The line to show; nil when there is none.
  func line(at now: Duration) -> String? {
    guard let work, now - work.since >= Self.patience else { return nil }
    if let wait = work.wait, wait.until > now {
      // Up to whole seconds: at zero it goes on.
      let left = max(1, (wait.until - now + .milliseconds(999)).components.seconds)
      return "\(wait.words); next in \(left) s (Ctrl-C to stop)"
    }
    return work.words + (work.requests > 1 ? " (request \(work.requests))" : "") + " …"
  }
}
