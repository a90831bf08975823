import BitpalModel

/// The texts of `-v` for each step of an answer.
enum TraceText {
  /// Returns one line, without a line end.
  static func text(of event: TraceEvent) -> String {
    switch event {
    case .settings(let file):
      "settings: " + (file ?? "built-in defaults")
    case .keySet(let provider, let variable, let unused):
      "key: \(variable) is set, " + (unused.map { "and not used: \($0)" } ?? "for \(provider)")
    case .recordingOpened(let path, let entries):
      "recording: \(path), \(count(entries, "exchange"))"
    case .cacheHit(let tier, let key, let age, let timeToLive):
      "\(tier): \(key) is \(age.shortText) old, TTL \(timeToLive.shortText)"
    case .cacheMiss(let key, let reason):
      "asking for \(key): \(reason)"
    case .stored(let tier, let key):
      "\(tier): stored \(key)"
    case .cacheFailed(let reason):
      "cache: \(reason)"
    case .fleet(let message):
      "fleet: \(message)"
    case .joinedFlight(let key):
      "waited for another process that asks for \(key)"
    case .limiterWaited(_, let wait, let reason):
      "limiter: holds a request back for \(wait.shortText): \(reason)"
    case .request(let command):
      "request: \(command)"
    case .response(let status, let bytes, let took):
      "response: HTTP \(status), \(count(bytes, "byte")), after \(took.shortText)"
    case .retrying(let attempt, let wait, let reason):
      "attempt \(attempt) failed: \(reason); next in \(wait.shortText)"
    case .decoded(let rows, let dropped):
      "read \(count(rows, "row"))" + (dropped == 0 ? "" : ", left out \(dropped)")
    case .pluginStarted(let provider, let command):
      "plugin: \(provider) is started: \(command.printable(limit: 400))"
    case .pluginSaid(let provider, let toPlugin, let message):
      "plugin: \(provider) \(toPlugin ? "<" : ">") \(message.printable(limit: 400))"
    case .fellBack(let provider, let reason):
      "skipped \(provider): \(reason)"
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}
