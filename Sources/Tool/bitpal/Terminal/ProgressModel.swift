import BitpalModel

/// The content of the progress line at any moment; it has no clock and no terminal, so tests need neither.
///
/// Work that takes less than half a second shows nothing. A wait counts down.
struct ProgressModel: Sendable {
  /// The current work, and the time at which it began.
  private struct Work {
    var message: String
    let since: Duration

    /// The number of requests so far.
    var requests = 0
  }

  /// The time after which work is shown.
  static let patience: Duration = .milliseconds(500)

  private var work: Work?

  /// The ends of the waits for budgets and for other attempts, and their reasons; several questions wait at once.
  private var waits: [(until: Duration, message: String)] = []

  /// The number of the current question among those of the command; nil for a single one.
  private var step: (number: Int, of: Int)?

  /// Whether work is in progress that may have to be shown.
  var isWorking: Bool { work != nil }

  /// Begins work that emits no trace events; the time at which earlier work began is kept.
  mutating func begin(_ message: String, at now: Duration) {
    work = Work(message: message, since: work?.since ?? now)
  }

  /// Begins one of several questions of a command.
  mutating func begin(_ number: Int, of count: Int, _ message: String, at now: Duration) {
    step = count > 1 ? (number, count) : nil
    begin(message, at: now)
  }

  /// Ends the work, also because an answer is about to be written.
  mutating func end() {
    (work, waits) = (nil, [])
  }

  /// Takes a step of an answer.
  mutating func note(_ event: TraceEvent, at now: Duration) {
    switch event {
    case .cacheMiss(let key, _):
      begin("asking for \(key)", at: now)
    case .joinedFlight(let key):
      begin("waiting for another command that asks for \(key)", at: now)
    case .request:
      // Of several questions it need not be one that waits.
      waits = step == nil ? [] : waits.filter { $0.until > now }
      change(at: now) { $0.requests += 1 }
    case .limiterWaited(_, let wait, let reason), .retrying(_, let wait, let reason):
      waits.append((now + wait, reason))
      change(at: now) { _ in }
    case .fellBack(let provider, let reason):
      change(at: now) { $0.message = "\(provider) is ignored: \(reason)" }
    case .response, .decoded, .stored, .settings, .keySet, .recordingOpened, .cacheHit, .cacheFailed,
      .fleet, .pluginStarted, .pluginSaid:
      break
    }
  }

  /// Changes the current work.
  private mutating func change(at now: Duration, _ change: (inout Work) -> Void) {
    var current = work ?? Work(message: "asking", since: now)
    change(&current)
    work = current
  }

  /// Returns the line to show; nil when there is none.
  func line(at now: Duration) -> String? {
    guard let work, now - work.since >= Self.patience else { return nil }
    let step = step.map { "\($0.number) of \($0.of) · " } ?? ""
    if let wait = waits.max(by: { $0.until < $1.until }), wait.until > now {
      // Rounded up to whole seconds, because at zero the work goes on.
      let left = max(1, (wait.until - now + .milliseconds(999)).components.seconds)
      // The countdown comes first, because a narrow terminal cuts the end.
      return "\(left) s · \(step)\(wait.message) (Ctrl-C to stop)"
    }
    return step + work.message + (work.requests > 1 ? " (request \(work.requests))" : "") + " …"
  }
}
