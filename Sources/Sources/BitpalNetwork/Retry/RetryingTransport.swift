public import BitpalModel
public import BitpalRateLimit

/// A transport that repeats failed requests where that may help, within one deadline that includes all waits.
///
/// A refusal (429, 418) also pauses the limiter, and so all requests that share it; so does a failure that says for how
/// long it lasts (503 with `Retry-After`). A wait that does not fit ends the request at once.
public struct RetryingTransport: Transport {
  private let base: any Transport
  private let provider: String
  private let policy: RetryPolicy
  private let limiter: (any RateLimiter)?
  private let time: any TimeSource
  private let trace: Trace
  private let random: @Sendable () -> UInt64
  private let quota: Locked<RetryQuota>

  /// Wraps a transport.
  ///
  /// - Parameters:
  ///   - base: The transport that makes the attempts.
  ///   - provider: The name that errors carry.
  ///   - policy: The rules for retries and their waits.
  ///   - quota: The retries that all requests through this transport may make together.
  ///   - limiter: The limiter that pauses after a refusal.
  ///   - time: The clock of the deadline and of the waits.
  ///   - trace: The trace that receives every retry.
  ///   - random: Returns uniformly distributed numbers for the jitter.
  public init(
    _ base: any Transport, provider: String, policy: RetryPolicy = RetryPolicy(), quota: RetryQuota = RetryQuota(),
    limiter: (any RateLimiter)? = nil, time: any TimeSource = SystemTime(), trace: Trace = .silent,
    random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) }
  ) {
    self.base = base
    self.provider = provider
    self.policy = policy
    self.quota = Locked(quota)
    self.limiter = limiter
    self.time = time
    self.trace = trace
    self.random = random
  }

  /// Sends the request, up to `attempts` times; a POST once, because the effect of the first is unknown.
  ///
  /// - Throws: `.rateLimited` for a refusal that is not retried; otherwise the error of the last attempt.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // All attempts share one deadline, which is created here when the task has none.
    try await Deadline.within(on: time) { try await attempts(request) }
  }

  /// Blocks the limiter for the wait that a response asks for in its headers or its text, or for that of a refusal without one.
  public func pause(after response: HTTPResponse, for wait: Duration?) -> Duration? {
    let wait = RetryHint.wait(inRefusal: response, now: time.now) ?? wait
    // With these statuses a source speaks of the question, in which such a word may stand for something else.
    if wait != nil || ![400, 404, 422].contains(response.status) { limiter?.block(for: wait ?? policy.pause) }
    return wait
  }

  private func attempts(_ request: HTTPRequest) async throws -> HTTPResponse {
    // Waiting for a budget moves the deadline, but not the time limit of the network, which messages state.
    let limit = Deadline.current.map { $0 - time.monotonic } ?? Deadline.standard
    var policy = policy
    if request.body != nil { policy.attempts = 1 }
    var attempt = 1
    var fault: Result<HTTPResponse, BitpalError>?
    while true {
      let result = try await attemptResult(request, limit: limit)
      // When the budget allows no further attempt, the source's failure remains the reason.
      if let fault, case .failure(let error) = result, error.code == .rateLimited { return try fault.get() }
      let outcome = Self.outcome(result, now: time)
      let decision = policy.decide(
        attempt: attempt, outcome: outcome, remaining: (Deadline.current ?? .zero) - time.monotonic, random: random())
      switch decision {
      case .accept:
        if case .success(let response) = result, response.isSuccess {
          quota.withLock { $0.succeed(afterRetry: attempt > 1) }
        }
        return try result.get()
      case .giveUp(let wait):
        return try givenUp(result, wait: wait)
      case .retry(let wait):
        let hint = if case .response(_, let hint) = outcome { hint } else { Duration?.none }
        let isPause = Self.isRefusal(result) || hint != nil
        // A pause that the source asks for is a wait for its budget, of which the caller says how long it may be.
        if isPause, !Deadline.allowsWaiting(wait) { return try givenUp(result, wait: hint) }
        guard RetryPolicy.repetition.isAllowed(), quota.withLock({ $0.pay() }) else {
          return try givenUp(result, wait: hint)
        }
        if isPause { limiter?.block(for: wait) }
        trace(.retrying(attempt: attempt, wait: wait, reason: Self.reason(result)))
        try await time.sleep(for: wait)
        if !Self.isRefusal(result) { fault = result }
        attempt += 1
      }
    }
  }

  /// Makes one attempt and returns its result; cancellation and foreign errors are thrown.
  private func attemptResult(
    _ request: HTTPRequest, limit: Duration
  ) async throws -> Result<HTTPResponse, BitpalError> {
    do {
      return .success(try await base.send(request))
    } catch BitpalError.timedOut {
      // The last attempt knows only the time that remained for it.
      return .failure(.timedOut(provider: provider, limit: limit.roundedToTenths))
    } catch BitpalError.unreadable(_, let reason) {
      return .failure(.unreadable(provider: provider, reason: reason))
    } catch let error as BitpalError {
      return .failure(error)
    }
  }

  private func givenUp(
    _ result: Result<HTTPResponse, BitpalError>, wait: Duration?
  ) throws(BitpalError) -> HTTPResponse {
    guard case .success(let response) = result else { return try result.get() }
    let isBan = response.status == RetryPolicy.ban
    let hint = RetryHint.wait(in: response, now: time.now)
    guard RetryPolicy.refusals.contains(response.status) || hint != nil else { return response }
    let wait = isBan ? max(wait ?? .zero, RequestBudget.longestPause) : wait
    limiter?.block(for: wait ?? policy.pause)
    let reason = isBan ? "it bans this address for a while (HTTP 418)" : "it answered with HTTP \(response.status)"
    throw .rateLimited(provider: provider, wait: wait, reason: reason)
  }

  // MARK: Classifying results

  private static func outcome(
    _ result: Result<HTTPResponse, BitpalError>, now time: any TimeSource
  ) -> RetryPolicy.Outcome {
    switch result {
    case .success(let response):
      .response(status: response.status, hint: RetryHint.wait(in: response, now: time.now))
    case .failure(.network(_, _, isFinal: false, _)):
      .connectionFailed
    case .failure:
      .failedForGood
    }
  }

  private static func isRefusal(_ result: Result<HTTPResponse, BitpalError>) -> Bool {
    if case .success(let response) = result { RetryPolicy.refusals.contains(response.status) } else { false }
  }

  private static func reason(_ result: Result<HTTPResponse, BitpalError>) -> String {
    switch result {
    case .success(let response): "HTTP \(response.status)"
    case .failure(.network(_, let reason, _, _)): reason
    case .failure(let error): error.message
    }
  }
}
