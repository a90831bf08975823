/// The rules for retries: exponential backoff with full jitter, as a pure function.
///
/// The limit of the wait doubles with each attempt up to ``cap``. Each wait is drawn evenly between zero and that limit
/// (full jitter), so that clients that failed together do not return together.
public struct RetryPolicy: Hashable, Sendable {
  /// The result of one attempt.
  package enum Outcome: Hashable, Sendable {
    /// A response; `hint` is the wait that it requests.
    case response(status: Int, hint: Duration?)

    /// No response was received, and a retry may help.
    case connectionFailed

    /// No response was received, and a retry cannot help: TLS, a parse error, a limit of ours, the deadline.
    case failedForGood
  }

  /// The next step.
  package enum Decision: Hashable, Sendable {
    /// Accept the result: a good response, or one that a retry would not improve.
    case accept

    /// Send the request again after a wait.
    case retry(after: Duration)

    /// End the request although a retry might help: the attempts are used up, or the wait, which is given then, does
    /// not fit into the deadline.
    case giveUp(wait: Duration?)
  }

  /// The statuses after which a retry may help, as in `curl --retry`.
  package static let retryableStatuses: Set<Int> = [408, 429, 500, 502, 503, 504, 522, 524]

  /// The statuses for too many requests.
  public static let refusals: Set<Int> = [429, ban]

  /// The status of Binance's ban, which each request before its end may lengthen.
  static let ban = 418

  /// The number of attempts, the first included: 3.
  package var attempts = 3

  /// The longest wait before the second attempt: 0.5 s.
  public var base: Duration = .milliseconds(500)

  /// The longest wait before the second attempt after a 429: 2 s.
  package var refusedBase: Duration = .seconds(2)

  /// The longest wait before any attempt: 20 s.
  ///
  /// A wait that the source requests may be longer.
  public var cap: Duration = .seconds(20)

  /// The pause of the limiter after a refusal that requests no wait and is not retried: 10 s.
  public var pause: Duration = .seconds(10)

  /// Whether every response is accepted, so that only failed connections lead to a retry.
  package var acceptsAnyStatus = false

  /// The rule of a task for the repetition of its requests.
  ///
  /// A structure, since an optimized build of Swift 6.3.1 crashes when the value of a task is a closure itself.
  package struct Repetition: Sendable {
    /// Returns whether a request may be repeated.
    package let isAllowed: @Sendable () -> Bool

    package init(isAllowed: @escaping @Sendable () -> Bool) {
      self.isAllowed = isAllowed
    }
  }

  /// The rule of this task: a question that finds out whether a source works again sends one request, and none is
  /// repeated while the source is known to fail.
  @TaskLocal package static var repetition = Repetition { true }

  /// Creates a policy with the values named above.
  public init() {}

  /// The policy for a source that makes retries itself, such as another bitpal server: only failed connections are
  /// retried.
  package static let afterConnectionFailures: RetryPolicy = {
    var policy = RetryPolicy()
    policy.acceptsAnyStatus = true
    return policy
  }()

  /// Decides on the next step.
  ///
  /// - Parameters:
  ///   - attempt: The number of this attempt, from 1.
  ///   - outcome: The result of that attempt.
  ///   - remaining: The time until the deadline.
  ///   - random: A uniformly distributed number; the greatest one gives the longest wait.
  package func decide(attempt: Int, outcome: Outcome, remaining: Duration, random: UInt64) -> Decision {
    var ceiling = base
    var hint: Duration?
    switch outcome {
    case .failedForGood:
      return .accept
    case .connectionFailed:
      break
    case .response where acceptsAnyStatus:
      return .accept
    case .response(let status, let asked):
      hint = asked
      if Self.refusals.contains(status) { ceiling = refusedBase }
      guard Self.retryableStatuses.contains(status) else {
        return Self.refusals.contains(status) || hint != nil && Self.mayAskForPause(status)
          ? .giveUp(wait: hint) : .accept
      }
    }
    guard attempt < attempts else { return .giveUp(wait: hint) }
    let drawn = Self.drawn(upTo: longest(before: attempt + 1, from: ceiling), random)
    // The wait is at least the requested one; the random part separates clients that received the same request.
    let wait = max(hint ?? .zero, drawn)
    return wait < remaining ? .retry(after: wait) : .giveUp(wait: wait)
  }

  /// Returns whether `Retry-After` with a status is a pause that the source asks for; another refusal is an answer to the
  /// question.
  package static func mayAskForPause(_ status: Int) -> Bool { status == 403 || status >= 500 }

  /// Returns the longest wait before an attempt, from 2 on: the base, doubled for each attempt after the second.
  private func longest(before attempt: Int, from base: Duration) -> Duration {
    min(cap, base * (1 << max(0, min(attempt - 2, 20))))
  }

  private static func drawn(upTo longest: Duration, _ random: UInt64) -> Duration {
    let (seconds, attoseconds) = longest.components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return .nanoseconds(Int64(clamping: nanoseconds * Int128(random) / Int128(UInt64.max)))
  }
}

/// The budget for retries that all requests through one transport share, so that a failing source is not overloaded.
///
/// The rule and its numbers are those of the AWS SDKs: a retry costs 5 of 500; a success returns the cost of its last
/// retry, or 1 when it needed none.
public struct RetryQuota: Hashable, Sendable {
  /// The units that are left; each retry costs some of them.
  public private(set) var left: Int

  private let most: Int
  private let cost: Int

  /// Creates a full quota of `most` units, of which each retry costs `cost`.
  public init(_ most: Int = 500, cost: Int = 5) {
    self.most = max(0, most)
    self.cost = max(0, cost)
    left = self.most
  }

  /// Takes the cost of a retry; false when less than that is left.
  package mutating func pay() -> Bool {
    guard left >= cost else { return false }
    left -= cost
    return true
  }

  /// Returns units to the quota after a success: the cost of a retry, or 1 when there was none.
  package mutating func succeed(afterRetry: Bool) {
    left = min(most, left + (afterRetry ? cost : 1))
  }
}
