public import BitpalModel
public import BitpalRateLimit

/// Tries again where that may help, within one total deadline that includes every wait.
///
/// A refusal (429, 418) also makes the limiter pause, for all who share it. Waits that cannot fit end the request at once.
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
  ///   - quota: The retries that all requests of a process may make together.
  ///   - limiter: Told of refusals.
  ///   - time: The clock of the deadline and of the waits.
  ///   - trace: Told of every attempt.
  ///   - random: The source of the jitter; an even choice among all values.
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

  /// Sends the request, up to ``RetryPolicy/attempts`` times; a POST once, because the effect of the first is unknown.
  ///
  /// - Throws: `.rateLimited` for a refusal that is not tried again; otherwise the error of the last attempt.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    // All attempts share one deadline, where there is none, too.
    try await Deadline.within(on: time) { try await attempts(request) }
  }

  private func attempts(_ request: HTTPRequest) async throws -> HTTPResponse {
    // The deadline moves on while a budget is waited for; how long the network had does not.
    let limit = Deadline.current.map { $0 - time.monotonic } ?? Deadline.standard
    var policy = policy
    if request.body != nil { policy.attempts = 1 }
    var attempt = 1
    var fault: Result<HTTPResponse, BitpalError>?
    while true {
      let result = try await attemptResult(request, limit: limit)
      // When the budget has no room for another attempt, what the source did is still the reason.
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
        guard quota.withLock({ $0.pay() }) else { return try givenUp(result, wait: nil) }
        if Self.isRefusal(result) { limiter?.block(for: wait) }
        trace(.retrying(attempt: attempt, wait: wait, reason: Self.reason(result)))
        try await time.sleep(for: wait)
        if !Self.isRefusal(result) { fault = result }
        attempt += 1
      }
    }
  }

  /// One attempt; cancellation and errors that are not ours go straight up.
  private func attemptResult(
    _ request: HTTPRequest, limit: Duration
  ) async throws -> Result<HTTPResponse, BitpalError> {
    do {
      return .success(try await base.send(request))
    } catch BitpalError.timedOut {
      // The last attempt knows only the time that was left for it.
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
    if case .success(let response) = result, RetryPolicy.refusals.contains(response.status) {
      limiter?.block(for: wait ?? policy.pause)
      throw .rateLimited(provider: provider, wait: wait, reason: "it answered with HTTP \(response.status)")
    }
    return try result.get()
  }

  // MARK: Words

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
