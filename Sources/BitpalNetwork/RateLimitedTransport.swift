import BitpalModel
public import BitpalRateLimit

/// Lets a request go when the limiter does.
///
/// It belongs inside the retrying transport, so that each attempt takes its place in the queue.
public struct RateLimitedTransport: Transport {
  private let base: any Transport
  private let limiter: any RateLimiter

  /// Wraps a transport.
  public init(_ base: any Transport, limiter: any RateLimiter) {
    self.base = base
    self.limiter = limiter
  }

  /// Waits for the limiter, then sends the request.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try await limiter.acquire(deadline: Deadline.current)
    return try await base.send(request)
  }
}
