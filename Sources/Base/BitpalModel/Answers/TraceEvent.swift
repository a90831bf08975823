/// A step in the life of an answer.
public enum TraceEvent: Hashable, Sendable {
  /// The settings in force: the file, or nil for the built-in defaults.
  case settings(file: String?)

  /// A key is set: the variable that holds it, and the reason why the provider is not sent it; nil if it is.
  case keySet(provider: String, variable: String, unused: String?)

  /// A recording was opened.
  case recordingOpened(path: String, entries: Int)

  /// A cache tier had the answer: its age and its time to live.
  case cacheHit(tier: String, key: String, age: Duration, timeToLive: Duration)

  /// No tier could answer, for this reason.
  case cacheMiss(key: String, reason: String)

  /// A tier stored the answer.
  case stored(tier: String, key: String)

  /// A failure of the cache that costs only speed.
  case cacheFailed(String)

  /// A change in the state of the fleet's Redis, as a sentence.
  case fleet(String)

  /// Another task has already sent the same question (single flight).
  case joinedFlight(key: String)

  /// The rate limiter delays a request: the time, and the reason as a sentence.
  case limiterWaited(provider: String, wait: Duration, reason: String)

  /// A request is sent; as a command that can be run, without its secret.
  case request(String)

  /// A response arrived: its status, the bytes of its body, the time that it took.
  case response(status: Int, bytes: Int, took: Duration)

  /// An attempt failed and is repeated after a wait.
  case retrying(attempt: Int, wait: Duration, reason: String)

  /// A body was read.
  case decoded(rows: Int, dropped: Int)

  /// A plugin's process was started.
  case pluginStarted(provider: String, command: String)

  /// A message was written to a plugin, or read from it.
  case pluginSaid(provider: String, toPlugin: Bool, message: String)

  /// A provider of the list could not answer, for this reason; the next one is asked.
  case fellBack(provider: String, reason: String)
}
