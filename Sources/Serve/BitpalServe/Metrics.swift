package import BitpalModel

/// The counters of a server, in the text format of Prometheus.
package final class Metrics: Sendable {
  private struct Counts: Sendable {
    /// The number of requests by path and status.
    var requests: [String: [Int: Int]] = [:]

    /// The number of requests that took no longer than each of ``bounds``; the last is the number of all.
    var durations = [Int](repeating: 0, count: Metrics.bounds.count + 1)
    var total = Duration.zero
    var hits: [String: Int] = [:]
    var misses = 0
    var asked = 0
    var responses: [Int: Int] = [:]
    var retries = 0
    var fallbacks = 0
  }

  /// The state of the server that several machines share, as far as this process knows it.
  package struct Fleet: Hashable, Sendable {
    private let isUp: Bool
    private let succeeded: Int
    private let failed: Int
    private let openings: Int

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - isUp: Whether the server is not known to be unreachable.
    ///   - succeeded: The number of exchanges with it that succeeded.
    ///   - failed: The number of those that failed.
    ///   - openings: The number of times that the circuit breaker opened.
    package init(isUp: Bool, succeeded: Int, failed: Int, openings: Int) {
      self.isUp = isUp
      self.succeeded = succeeded
      self.failed = failed
      self.openings = openings
    }

    fileprivate func write(to page: inout MetricsPage) {
      page.family("bitpal_fleet_up", .gauge, "Whether the fleet's Redis answers, as far as is known.")
      page.sample("bitpal_fleet_up", [:], isUp ? "1" : "0")
      page.family("bitpal_fleet_requests_total", .counter, "Exchanges with the fleet's Redis.")
      page.sample("bitpal_fleet_requests_total", ["outcome": "ok"], "\(succeeded)")
      page.sample("bitpal_fleet_requests_total", ["outcome": "failed"], "\(failed)")
      page.family(
        "bitpal_fleet_breaker_openings_total", .counter,
        "The number of pauses of 3 s without requests to the fleet's Redis.")
      page.sample("bitpal_fleet_breaker_openings_total", [:], "\(openings)")
    }
  }

  private let counts = Locked(Counts())

  package init() {}

  /// The bounds of the histogram of durations, in milliseconds.
  private static let bounds: [Int64] = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 15_000]

  /// The trace that counts the events of the price service.
  package var trace: Trace {
    Trace(counting: { [counts] event in
      counts.withLock { counts in
        switch event {
        case .cacheHit(let tier, _, _, _): counts.hits[tier, default: 0] += 1
        case .cacheMiss: counts.misses += 1
        case .request: counts.asked += 1
        case .response(let status, _, _): counts.responses[status, default: 0] += 1
        case .retrying: counts.retries += 1
        case .fellBack: counts.fallbacks += 1
        case .settings, .keySet, .recordingOpened, .stored, .cacheFailed, .fleet, .joinedFlight, .limiterWaited,
          .decoded, .pluginStarted, .pluginSaid:
          break
        }
      }
    })
  }

  /// Counts an answer from ``RecentAnswers`` as a cache hit.
  func countRecentAnswer() {
    counts.withLock { $0.hits["answer", default: 0] += 1 }
  }

  /// Counts an answer and its duration.
  ///
  /// - Parameter route: The pattern of the path, such as `/v1/coin/{id}`; empty for a path that does not exist.
  func count(_ route: String, status: Int, took: Duration) {
    counts.withLock { counts in
      counts.requests[route.isEmpty ? "other" : route, default: [:]][status, default: 0] += 1
      // A bucket of Prometheus includes its bound.
      for (index, bound) in Self.bounds.enumerated() where took <= .milliseconds(bound) { counts.durations[index] += 1 }
      counts.durations[Self.bounds.count] += 1
      counts.total += took
    }
  }

  /// Returns all counters in Prometheus' text format.
  ///
  /// - Parameters:
  ///   - connections: The present number of connections.
  ///   - fleet: The state of the shared server; nil for none.
  func text(connections: Int, fleet: Fleet?) -> String {
    let counts = counts.withLock { $0 }
    var page = MetricsPage()
    page.family("bitpal_build_info", .gauge, "The version that serves.")
    page.sample("bitpal_build_info", ["version": BitpalVersion.current], "1")
    page.family("bitpal_http_connections", .gauge, "Connections that are open.")
    page.sample("bitpal_http_connections", [:], "\(connections)")
    page.family("bitpal_http_requests_total", .counter, "Requests that were answered, by path and status.")
    for (route, statuses) in counts.requests.sorted(by: { $0.key < $1.key }) {
      for (status, count) in statuses.sorted(by: { $0.key < $1.key }) {
        page.sample("bitpal_http_requests_total", ["path": route, "status": "\(status)"], "\(count)")
      }
    }
    page.family("bitpal_http_request_duration_seconds", .histogram, "The duration of answers.")
    for (bound, count) in zip(Self.bounds.map { Duration.milliseconds($0).secondsText } + ["+Inf"], counts.durations) {
      page.sample("bitpal_http_request_duration_seconds_bucket", ["le": bound], "\(count)")
    }
    page.sample("bitpal_http_request_duration_seconds_sum", [:], counts.total.secondsText)
    page.sample("bitpal_http_request_duration_seconds_count", [:], "\(counts.durations.last ?? 0)")
    page.family("bitpal_cache_hits_total", .counter, "Answers that a tier of the cache had.")
    for (tier, count) in counts.hits.sorted(by: { $0.key < $1.key }) {
      page.sample("bitpal_cache_hits_total", ["tier": tier], "\(count)")
    }
    page.family("bitpal_cache_misses_total", .counter, "Answers that no tier of the cache had.")
    page.sample("bitpal_cache_misses_total", [:], "\(counts.misses)")
    page.family("bitpal_source_requests_total", .counter, "Requests that were sent to sources.")
    page.sample("bitpal_source_requests_total", [:], "\(counts.asked)")
    page.family("bitpal_source_responses_total", .counter, "Responses of sources, by status.")
    for (status, count) in counts.responses.sorted(by: { $0.key < $1.key }) {
      page.sample("bitpal_source_responses_total", ["status": "\(status)"], "\(count)")
    }
    page.family("bitpal_source_retries_total", .counter, "Requests that were sent again.")
    page.sample("bitpal_source_retries_total", [:], "\(counts.retries)")
    page.family(
      "bitpal_source_fallbacks_total", .counter, "The number of times that a source was skipped for the next.")
    page.sample("bitpal_source_fallbacks_total", [:], "\(counts.fallbacks)")
    fleet?.write(to: &page)
    return page.text
  }
}

/// A page in the text format of Prometheus, version 0.0.4.
struct MetricsPage {
  enum Kind: String {
    case counter
    case gauge
    case histogram
  }

  var text = ""

  mutating func family(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  /// Appends a sample of a metric; quotes, backslashes and line ends in values of labels are escaped.
  mutating func sample(_ name: String, _ labels: KeyValuePairs<String, String>, _ value: String) {
    let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
    text += name + (list.isEmpty ? "" : "{\(list)}") + " \(value)\n"
  }

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      result += ["\\": "\\\\", "\"": "\\\"", "\n": "\\n"][character] ?? String(character)
    }
  }
}

extension Duration {
  /// The duration in seconds with up to six decimals: `0.025`, `15`.
  fileprivate var secondsText: String {
    let microseconds = components.seconds * 1_000_000 + components.attoseconds / 1_000_000_000_000
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest > 0 else { return "\(seconds)" }
    let digits = String(String(1_000_000 + rest).dropFirst())
    return "\(seconds)." + String(digits.reversed().drop { $0 == "0" }.reversed())
  }
}
