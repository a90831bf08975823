/// A step in the life of an answer.
public enum TraceEvent: Hashable, Sendable {
  /// The settings in force: the file, or nil for the built-in defaults.
  case settings(file: String?)

  /// A key is set: the variable that names it, and whether the provider is sent it; if not, why.
  case keySet(provider: String, variable: String, unused: String?)

  /// A recording was opened.
  case recordingOpened(path: String, entries: Int)

  /// A cache tier had the answer: how old it is, and how long it lives.
  case cacheHit(tier: String, key: String, age: Duration, timeToLive: Duration)

  /// No tier could answer, and why.
  case cacheMiss(key: String, reason: String)

  /// A tier took the answer.
  case stored(tier: String, key: String)

  /// Something wrong with the cache that costs only speed.
  case cacheFailed(String)

  /// A change in the state of the server that several machines share, in a sentence.
  case fleet(String)

  /// Another task was already asking for the same answer.
  case joinedFlight(key: String)

  /// The limiter holds a request back from now on: for how long, and why, in a sentence.
  case limiterWaited(provider: String, wait: Duration, reason: String)

  /// A request goes out, as a command that can be run, without its secret.
  case request(String)

  /// A response came: status, bytes of body, how long it took.
  case response(status: Int, bytes: Int, took: Duration)

  /// An attempt failed and another follows.
  case retrying(attempt: Int, wait: Duration, reason: String)

  /// A body was read.
  case decoded(rows: Int, dropped: Int)

  /// A plugin's process was started.
  case pluginStarted(provider: String, command: String)

  /// A message was written to a plugin, or read from it.
  case pluginSaid(provider: String, toPlugin: Bool, message: String)

  /// A provider of the list was passed over, and why.
  case fellBack(provider: String, reason: String)
}
