import BitpalModel

/// A rule that decides, without a clock of its own, whether a cached answer is served.
struct FreshnessRule: Hashable, Sendable {
  /// The decision about a question.
  enum Decision: Hashable, Sendable {
    /// Serve the cached answer: it is within its time to live.
    case serve

    /// Serve the cached answer, marked stale.
    case serveStale(age: Duration)

    /// Ask the source; when it fails, the cached answer may replace it if `canFallBack` (stale-if-error).
    case fetch(canFallBack: Bool, because: String)

    /// Nothing can be served, and the source must not be asked.
    case nothing
  }

  /// The time by which an entry may lie ahead of the clock, which may have been set back, and still count as new.
  static let clockTolerance = Sourced<Answer>.clockTolerance

  /// The time for which an answer counts as fresh.
  let timeToLive: Duration

  /// The time past its time to live for which an answer may replace that of a failing source (`stale-if-error` of RFC
  /// 5861).
  let maxStale: Duration

  /// Returns the decision for an answer of some age.
  ///
  /// - Parameter age: The time since the cached answer was fetched; nil when there is none.
  func decide(age: Duration?, policy: FetchPolicy) -> Decision {
    // An answer fetched later than now does not count: `--now` turned the clock back.
    let age = age.flatMap { $0 < .zero - Self.clockTolerance ? nil : max($0, .zero) }
    let canFallBack = age.map { $0 - timeToLive <= maxStale } ?? false
    switch (policy, age) {
    case (.refresh, _):
      return .fetch(canFallBack: canFallBack, because: "--refresh")
    case (.normal, nil):
      return .fetch(canFallBack: false, because: "not cached")
    case (.normal, let age?):
      if age <= timeToLive { return .serve }
      return .fetch(
        canFallBack: canFallBack, because: "\(age.shortText) old, TTL \(timeToLive.unitText)")
    case (.offline, let age?) where age <= timeToLive:
      return .serve
    case (.offline, let age?):
      return .serveStale(age: age)
    case (.cached, let age?) where age <= timeToLive, (.renewing, let age?) where age <= timeToLive:
      return .serve
    case (.offline, nil), (.cached, _), (.renewing, _):
      return .nothing
    }
  }
}

/// A policy for the use of the cache and the sources.
public enum FetchPolicy: Hashable, Sendable {
  /// From the cache while fresh, otherwise from the source; an old answer when the source fails.
  case normal

  /// From the cache only, at any age; no source on the network is asked.
  case offline

  /// From the source; an old answer when it fails.
  case refresh

  /// From the cache while fresh, as far as `normal` would answer without asking any source, even a local file.
  case cached

  /// As `cached`, but an answer that has just expired is fetched behind the caller's back.
  case renewing

  /// Whether sources may be asked over the network.
  var mayFetch: Bool { self == .normal || self == .refresh }
}
