/// Whether to try again, and when: a pure decision.
///
/// Waits grow as powers of two up to ``cap``, and each is drawn evenly between nothing and that (full jitter), so that
/// many who failed together do not come back together.
public struct RetryPolicy: Hashable, Sendable {
  /// The result of one attempt.
  public enum Outcome: Hashable, Sendable {
    /// A response; `hint` is the wait that it asks for.
    case response(status: Int, hint: Duration?)

    /// No response, and another attempt may have one.
    case connectionFailed

    /// No response, and another attempt is of no use: TLS, a parse error, a limit of ours, the deadline.
    case failedForGood
  }

  /// The next step.
  public enum Decision: Hashable, Sendable {
    /// It is what it is: a good answer, or one that another attempt would not make better.
    case accept

    /// Try again after that long.
    case retry(after: Duration)

    /// It is worth trying again, but not now: the attempts are used up, or the wait, which is given then, would not fit.
    case giveUp(wait: Duration?)
  }

  /// Statuses after which another attempt is worth it; the list of `curl --retry`.
  public static let retryableStatuses: Set<Int> = [408, 429, 500, 502, 503, 504, 522, 524]

  /// Statuses by which a source says that there are too many requests; 418 is Binance's ban.
  public static let refusals: Set<Int> = [429, 418]

  /// The number of attempts, the first included: 3.
  public var attempts = 3

  /// The longest wait before the second attempt: 0.5 s.
  public var base: Duration = .milliseconds(500)

  /// The longest wait before the second attempt after a 429: 2 s.
  public var refusedBase: Duration = .seconds(2)

  /// The longest wait before any attempt: 20 s.
  ///
  /// A wait that the source asks for may be longer.
  public var cap: Duration = .seconds(20)

  /// The pause after a refusal that names none and is not tried again: 10 s.
  public var pause: Duration = .seconds(10)

  /// Whether a response is accepted whatever its status, and only a connection that failed is tried again.
  package var acceptsAnyStatus = false

  /// The policy named above.
  public init() {}

  /// The policy for a source that has tried again itself before it answers with a failure, and refuses single questions.
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
  ///   - random: An even choice among all values; its greatest makes the wait its longest.
  public func decide(attempt: Int, outcome: Outcome, remaining: Duration, random: UInt64) -> Decision {
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
        return Self.refusals.contains(status) ? .giveUp(wait: hint) : .accept
      }
    }
    guard attempt < attempts else { return .giveUp(wait: hint) }
    let drawn = Self.drawn(upTo: longest(before: attempt + 1, from: ceiling), random)
    // The wait is at least the one that the source asks for; the random part separates clients that were told the same.
    let wait = max(hint ?? .zero, drawn)
    return wait < remaining ? .retry(after: wait) : .giveUp(wait: wait)
  }

  /// The longest wait before an attempt, from 2 on: the base, doubled for each attempt after the second.
  private func longest(before attempt: Int, from base: Duration) -> Duration {
    min(cap, base * (1 << max(0, min(attempt - 2, 20))))
  }

  private static func drawn(upTo longest: Duration, _ random: UInt64) -> Duration {
    let (seconds, attoseconds) = longest.components
    let nanoseconds = Int128(seconds) * 1_000_000_000 + Int128(attoseconds / 1_000_000_000)
    return .nanoseconds(Int64(clamping: nanoseconds * Int128(random) / Int128(UInt64.max)))
  }
}

/// The number of retries that all requests of a process may still make, so that a failing source is not overloaded.
///
/// The rule and its numbers are those of the AWS SDKs: a retry costs 5 of 500; a success returns the cost of its last
/// retry, or 1 when it needed none.
public struct RetryQuota: Hashable, Sendable {
  /// The retries that are left.
  public private(set) var left: Int

  private let most: Int
  private let cost: Int

  /// A full quota.
  public init(_ most: Int = 500, cost: Int = 5) {
    self.most = max(0, most)
    self.cost = max(0, cost)
    left = self.most
  }

  /// Pays for a retry; false when there is not enough left.
  public mutating func pay() -> Bool {
    guard left >= cost else { return false }
    left -= cost
    return true
  }

  /// Notes a success.
  public mutating func succeed(afterRetry: Bool) {
    left = min(most, left + (afterRetry ? cost : 1))
  }
}
